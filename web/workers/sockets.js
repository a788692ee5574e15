// The only place that opens a socket to a server of somebody else. It is a worker from a file of its own: the page's policy
// (workshop/policy.py) forbids the page to reach any other server, and does not rule here. It opens what the page names: a list
// of addresses would come from the page, too. See docs/deploy.md.

/** @type {Map<number, WebSocket>} */
const sockets = new Map();

/**
 * @param {number} id
 * @param {string} url
 */
function connect(id, url) {
  const socket = new WebSocket(url);
  const say = (/** @type {string} */ type, /** @type {object} */ more = {}) => postMessage([id, type, more]);
  socket.binaryType = "arraybuffer";
  socket.addEventListener("open", () => say("open"));
  socket.addEventListener("message", ({ data }) => say("message", { data }));
  socket.addEventListener("error", () => say("error"));
  socket.addEventListener("close", ({ code, reason, wasClean }) => {
    sockets.delete(id);
    say("close", { code, reason, wasClean });
  });
  sockets.set(id, socket);
}

/** @param {MessageEvent<[number, "open" | "send" | "close", any]>} event */
function take({ data: [id, act, value] }) {
  const socket = sockets.get(id);
  if (act === "open") connect(id, value);
  else if (act === "close") socket?.close();
  else if (socket?.readyState === WebSocket.OPEN) socket.send(value);
}

addEventListener("message", take);

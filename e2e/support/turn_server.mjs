// A TURN server for one account, which answers STUN, too: on loopback at any free port, or where it is told. It says its port, then
// a line for everything asked of it.

import TurnServer from "node-turn";

const [user, password, address = "127.0.0.1", port = "0"] = process.argv.slice(2);
const server = new TurnServer({
  listeningIps: [address],
  relayIps: [address],
  authMech: "long-term",
  credentials: { [user]: password },
});
server.network.listeningPort = Number(port); // 0: any that is free; its own settings know no such thing
for (const what of ["binding", "allocate", "channel_bind"]) server.on(what, () => console.log(what));
server.start();
const [socket] = server.network.sockets;
socket.once("listening", () => console.log(socket.address().port));

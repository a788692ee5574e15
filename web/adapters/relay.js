// People with the same code word find each other through public relays. Loaded only where a player switched it on, and
// used only to hand invite and reply codes across. The links themselves are ours (py/tabletin/app/browser).

import { joinRoom, selfId } from "trystero";

const APP = "tabletin";

// Trystero reports on the console whenever somebody closes a page. That is no error here, and it has no setting for it.
const { error } = console;
console.error = (...words) => (String(words[0]).startsWith("Trystero peer error") ? undefined : error.apply(console, words));

/**
 * Joins those who use the same `name`. Calls `onPeer` with each of them, and `onText` with what they send.
 * @param {string} name
 * @param {string[]} urls of relays; none: those of trystero
 * @param {RTCIceServer[]} iceServers
 * @param {(peer: string) => void} onPeer
 * @param {(peer: string, text: string) => void} onText
 */
export function gather(name, urls, iceServers, onPeer, onText) {
  const relayConfig = { warnOnRelayFailure: false, ...(urls.length ? { urls } : {}) };
  const room = joinRoom({ appId: APP, password: name, rtcConfig: { iceServers }, relayConfig }, name);
  const codes = room.makeAction("code", { onMessage: (text, { peerId }) => onText(peerId, String(text)) });
  room.onPeerJoin = (peer) => onPeer(peer);
  return {
    self: selfId,
    send: (/** @type {string} */ text, /** @type {string} */ peer) => codes.send(text, { target: peer }),
    leave: () => room.leave(),
  };
}

// Finding each other by a name, through public relays: loaded only where a player switched it on, and used for nothing but
// handing invite and reply codes across. The links themselves are ours (page/wire.py).

import { joinRoom, selfId } from "trystero";

const APP = "tabletin";

// Trystero complains in the console whenever somebody's page is closed. That is no error here, and it cannot be told so.
const { error } = console;
console.error = (...words) => (String(words[0]).startsWith("Trystero peer error") ? undefined : error.apply(console, words));

/** Says `came(peer)` for whoever uses the same name, `heard(peer, text)` for what they send. `urls`: relays, none: trystero's. */
export function gather(name, urls, iceServers, came, heard) {
  const relayConfig = { warnOnRelayFailure: false, ...(urls.length ? { urls } : {}) };
  const room = joinRoom({ appId: APP, password: name, rtcConfig: { iceServers }, relayConfig }, name);
  const codes = room.makeAction("code", { onMessage: (text, { peerId }) => heard(peerId, String(text)) });
  room.onPeerJoin = (peer) => came(peer);
  return {
    self: selfId,
    send: (text, peer) => codes.send(text, { target: peer }),
    leave: () => room.leave(),
  };
}

"""Sealed dealing: a deck nobody can peek at and nobody can rig, dealt by the players themselves.

Pure mathematics and messages; nothing here knows the network, the log, the kernel or a game. Read in this order:

- `group`: the one interface to ristretto255 (`group_sodium` for CPython, `group_js` for the browser's worker)
  and the hashes into it;
- `deck`: cards as points, ElGamal pairs, re-encryption;
- `proofs`, `shuffle`: what a peer proves about a key, a share, a remask, a shuffle;
- `rolls`: dice from everybody's shares;
- `wire`, `messages`: canonical bytes, strictly decoded;
- `requests`, `ceremony`: the replicated state of one deal, a pure function of requests and messages;
- `party`: what one peer keeps to itself, and the messages it owes.

`docs/sealed.md` states the protocol, its assumptions and what it does not promise.
"""

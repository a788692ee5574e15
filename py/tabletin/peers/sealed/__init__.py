"""Sealed dealing: the players themselves deal a deck that nobody can peek at and nobody can rig.

Pure mathematics and messages; nothing here knows the network, the log, the kernel or a game. Read in this order:

- `group`: the one interface to ristretto255 (`group_sodium` for CPython, `group_js` for the browser's worker)
  and the hashes into it;
- `deck`: cards as points, ElGamal pairs, re-encryption;
- `proofs`, `shuffle`: what a peer proves about a key, a share, a remask, a shuffle;
- `rolls`: dice made of everybody's shares;
- `wire`, `messages`: canonical bytes, strictly decoded;
- `requests`, `deal`: what is asked of a deal, and its replicated state;
- `ceremony`, `judging`: how requests and messages change that state;
- `party`: what one peer keeps to itself, and the messages it owes.

`docs/sealed.md` states the protocol, its assumptions and what it does not promise.
"""

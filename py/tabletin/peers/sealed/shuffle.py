"""The shuffle and its proof: these cards are those cards, re-encrypted and permuted, and nothing else.

Terelius and Wikström's proof in the form of Haenni, Locher, Koenig and Dubuis, with the letters of
`docs/sealed.md`: e before, e' after, c the commitment to the permutation, ĉ the chain. The t̂ and t_2 are rebuilt by
the checker one by one; t_1, t_3 and t_4 are sent, so that their four equations, over all the shuffles of a deal, can
be checked as one random combination, in which the deck between two shuffles is worked on once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletin.peers.sealed.deck import Cipher, pack, reencrypt_deck
from tabletin.peers.sealed.group import (
    IDENTITY,
    L,
    PrimeGroup,
    Stream,
    Term,
    digest,
    encode_scalar,
    hash_to_scalar,
    hash_to_scalars,
)


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """c and ĉ (N points each), t_1, t_3, t_4 as a pair, χ, s_1…s_4, ŝ and s' (N scalars each)."""

    commitments: tuple[bytes, ...]
    chain: tuple[bytes, ...]
    t1: bytes
    t3: bytes
    t4: Cipher
    challenge: int
    s1: int
    s2: int
    s3: int
    s4: int
    s_hat: tuple[int, ...]
    s_prime: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShuffleClaim:
    """One peer's shuffle as the others judge it: everything that enters its challenge."""

    ctx: bytes
    key: bytes
    input: tuple[Cipher, ...]
    output: tuple[Cipher, ...]
    proof: ShuffleProof

    def digest(self) -> bytes:
        """Names the claim: equal digests, equal verdicts."""
        proof = self.proof
        scalars = (proof.challenge, proof.s1, proof.s2, proof.s3, proof.s4, *proof.s_hat, *proof.s_prime)
        return digest(
            "claim",
            _statement(self.ctx, self.key, self.input, self.output, proof.commitments),
            b"".join(proof.chain),
            proof.t1 + proof.t3 + pack([proof.t4]),
            b"".join(map(encode_scalar, scalars)),
        )


def shuffle(
    group: PrimeGroup, ctx: bytes, key: bytes, before: Sequence[Cipher], stream: Stream
) -> tuple[list[Cipher], ShuffleProof]:
    """Re-encrypt and permute, and prove it. Card i afterwards is card `order[i]` before."""
    order = stream.permutation(len(before))
    factors = stream.scalars(len(before))
    after = reencrypt_deck(group, key, [before[j] for j in order], factors)
    return after, prove(group, ctx, key, before, after, order, factors, stream)


def prove(
    group: PrimeGroup,
    ctx: bytes,
    key: bytes,
    before: Sequence[Cipher],
    after: Sequence[Cipher],
    order: Sequence[int],
    factors: Sequence[int],
    stream: Stream,
) -> ShuffleProof:
    """Prove that after[i] is before[order[i]] re-encrypted with factors[i]; wrong for anything else."""
    size = len(before)
    base = group.base
    h0, *h = group.generators(size)

    commitment_factors = [0] * size
    rows: list[list[Term]] = [[] for _ in order]
    for i, j in enumerate(order):
        commitment_factors[j] = stream.scalar()
        rows[j] = [(commitment_factors[j], base), (1, h[i])]
    commitments = group.combine_ephemeral(rows)

    statement = _statement(ctx, key, before, after, commitments)
    u = _exponents(statement, size)
    u_prime = [u[j] for j in order]

    # Every link is a known combination of G and h_0, so that all can be computed at once.
    chain_factors = stream.scalars(size)
    links: list[tuple[int, int]] = [(0, 1)]
    for factor, exponent in zip(chain_factors, u_prime, strict=True):
        of_base, of_h0 = links[-1]
        links.append(((factor + exponent * of_base) % L, exponent * of_h0 % L))
    chain = group.combine_ephemeral([[(of_base, base), (of_h0, h0)] for of_base, of_h0 in links[1:]])

    w1, w2, w3, w4 = stream.scalars(4)
    w_hat = stream.scalars(size)
    w_prime = stream.scalars(size)
    t1, t2, t3, t4a, t4b, *t_hat = group.combine_ephemeral(
        [
            [(w1, base)],
            [(w2, base)],
            [(w3, base), *zip(w_prime, h, strict=True)],
            [*((w, card.a) for w, card in zip(w_prime, after, strict=True)), (-w4, base)],
            [*((w, card.b) for w, card in zip(w_prime, after, strict=True)), (-w4, key)],
            *(
                [((w_hat[i] + w_prime[i] * links[i][0]) % L, base), (w_prime[i] * links[i][1] % L, h0)]
                for i in range(size)
            ),
        ]
    )
    challenge = _challenge(statement, chain, [t1, t2, t3, t4a, t4b, *t_hat])

    r_hat = 0
    v = 1
    for i in reversed(range(size)):
        r_hat += chain_factors[i] * v
        v = u_prime[i] * v % L
    r_bar = sum(commitment_factors)
    r_tilde = _product(commitment_factors, u)
    r_star = _product(factors, u_prime)
    return ShuffleProof(
        tuple(commitments),
        tuple(chain),
        t1,
        t3,
        Cipher(t4a, t4b),
        challenge,
        (w1 + challenge * r_bar) % L,
        (w2 + challenge * r_hat) % L,
        (w3 + challenge * r_tilde) % L,
        (w4 + challenge * r_star) % L,
        tuple((w + challenge * r) % L for w, r in zip(w_hat, chain_factors, strict=True)),
        tuple((w + challenge * e) % L for w, e in zip(w_prime, u_prime, strict=True)),
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """A claim with what both halves of the check hash out of it: the statement and u_1 … u_N."""

    claim: ShuffleClaim
    statement: bytes
    u: list[int]


def check(group: PrimeGroup, claims: Sequence[ShuffleClaim]) -> list[bool]:
    """The verdict on each claim. Honest claims cost little more together than the dearest part of each."""
    questions: list[_Question] = []
    for claim in claims:
        statement = _statement(claim.ctx, claim.key, claim.input, claim.output, claim.proof.commitments)
        questions.append(_Question(claim, statement, _exponents(statement, len(claim.input))))
    chained = _check_chains(group, questions)
    standing = [question for question, good in zip(questions, chained, strict=True) if good]
    if _equations_hold(group, standing):
        return chained
    return [good and _equations_hold(group, [question]) for question, good in zip(questions, chained, strict=True)]


def _check_chains(group: PrimeGroup, questions: Sequence[_Question]) -> list[bool]:
    """Rebuild t_2 and t̂ of each claim and see whether its challenge comes out."""
    rows: list[list[Term]] = []
    for question in questions:
        proof = question.claim.proof
        h0 = group.generators(0)[0]
        product = 1
        for exponent in question.u:
            product = product * exponent % L
        rows.append([(proof.s2, group.base), (-proof.challenge, proof.chain[-1]), (proof.challenge * product, h0)])
        links = (h0, *proof.chain)
        for i, s_hat in enumerate(proof.s_hat):
            rows.append([(s_hat, group.base), (proof.s_prime[i], links[i]), (-proof.challenge, links[i + 1])])
    rebuilt = group.combine_public(rows)
    verdicts: list[bool] = []
    at = 0
    for question in questions:
        proof = question.claim.proof
        end = at + 1 + len(proof.s_hat)
        t2, *t_hat = rebuilt[at:end]
        at = end
        t = [proof.t1, t2, proof.t3, proof.t4.a, proof.t4.b, *t_hat]
        verdicts.append(proof.challenge == _challenge(question.statement, proof.chain, t))
    return verdicts


def _equations_hold(group: PrimeGroup, questions: Sequence[_Question]) -> bool:
    """The equations of t_1, t_3 and t_4 of all the claims, as one sum with weights nobody could foresee."""
    if not questions:
        return True
    seed = digest("batch", *(question.claim.digest() for question in questions))
    weights = iter(hash_to_scalars(4 * len(questions), "batch weight", seed))
    total: dict[bytes, int] = {}

    def put(scalar: int, point: bytes) -> None:
        total[point] = (total.get(point, 0) + scalar) % L

    for question in questions:
        claim, proof, u = question.claim, question.claim.proof, question.u
        h = group.generators(len(u))[1:]
        x1, x3, xa, xb = (next(weights) for _ in range(4))
        x1c, x3c, xac, xbc = (x * proof.challenge % L for x in (x1, x3, xa, xb))
        put(x1 * proof.s1 + x3 * proof.s3 - xa * proof.s4, group.base)
        put(-xb * proof.s4, claim.key)
        for scalar, point in ((x1, proof.t1), (x3, proof.t3), (xa, proof.t4.a), (xb, proof.t4.b)):
            put(-scalar, point)
        for i, s_prime in enumerate(proof.s_prime):
            put(x1c + x3 * s_prime, h[i])
            put(-x1c - x3c * u[i], proof.commitments[i])
            put(xa * s_prime, claim.output[i].a)
            put(xb * s_prime, claim.output[i].b)
            put(-xac * u[i], claim.input[i].a)
            put(-xbc * u[i], claim.input[i].b)
    terms = [(scalar, point) for point, scalar in total.items()]
    return group.combine_public([terms]) == [IDENTITY]


def _statement(
    ctx: bytes, key: bytes, before: Sequence[Cipher], after: Sequence[Cipher], commitments: Sequence[bytes]
) -> bytes:
    return digest("shuffle", ctx, key, pack(before), pack(after), b"".join(commitments))


def _exponents(statement: bytes, size: int) -> list[int]:
    """u_1 … u_N."""
    return hash_to_scalars(size, "shuffle u", statement)


def _challenge(statement: bytes, chain: Sequence[bytes], t: Sequence[bytes]) -> int:
    return hash_to_scalar("shuffle challenge", statement, b"".join(chain), b"".join(t))


def _product(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(left, right, strict=True)) % L

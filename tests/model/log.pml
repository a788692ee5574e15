/* One log among three peers, one of them hostile: the protocol of docs/sync.md as a model for spin (docs/model.md).
 *
 * A process is an honest peer; a step is one act of it, whole. Nobody sends: what an honest peer ever signed may reach anybody
 * at any later moment, in any order, more than once, or never. The hostile peer signs whatever fits the moment; the model
 * remembers of it what others hold. What is written down here is on disk, so a crash is a peer that does nothing for a while.
 *
 * Where progress is asked for (PROGRESS), the hostile peer is convicted only where two honest peers meet with the proof, as the
 * classes find it; and from every state it is asked what comes of it once the hostile peer does nothing more, or what is right.
 *
 * A peer that leaves, or gives its only seat to somebody who brings no vote, is away by its own word (LEAVES).
 *
 * Left out: cards and shuffles (a share is given for what is settled), timeouts, consents, peers that come back, and time.
 */

#ifndef HOSTILE
#define HOSTILE 2       /* 3: nobody */
#endif
/* ONLY_PASS: nobody is voted gone, but only passed over. ONLY_LOGS: P7 is not asked. */
#ifndef FIRST
#define FIRST 0         /* who orders at the beginning */
#endif
#ifndef LONGEST
#define LONGEST 3       /* entries in a log, at most 5 */
#endif
#ifndef BALLOTS
#define BALLOTS 2       /* at most 3 */
#endif
#ifndef STATEMENTS
#define STATEMENTS 2    /* that peer 0, the author, may sign: 0, 1 or 2 */
#endif
#ifndef TURNS
#define TURNS 0         /* bit n: the second, and not the first peer after the one that ballot n is against, is to order */
#endif
/* ONLY_HALVES: all ballots but the last have an honest peer gone, and the last one nobody; only the hostile peer gets the order. */
/* PROGRESS: P5 is asked. */
/* LOSES: a peer that crashes loses what it took in since it last told anybody anything. */
/* LEAVES: peer 1 may leave the table. Where it orders, peer HEIR does from then on. */
#ifndef HEIR
#define HEIR 2
#endif
/* MOVES: peer 1 may go on from another device of the same person, device 3. The peer that is hostile is 2 then. */
#if HOSTILE == 3
#define HONESTS 3
#else
#define HONESTS 2
#endif
#ifdef MOVES
#define DEVICES 4
#define ME          (_pid == 2 -> 3 : _pid)
#define PEER(v)     ((v) == 3 -> 1 : (v))
#define KEY(p, has_moved)  ((p) == 1 && (has_moved) -> 3 : (p))
#define SPEAKS      (ME == KEY(PEER(ME), moved[ME]))     /* for its peer, as far as its own log goes */
#ifdef BOTH_VOTE
#define MAY_VOTE    SPEAKS
#else
#define MAY_VOTE    (SPEAKS && !(_pid == 1 && given))    /* who signed that another device goes on votes no more */
#endif
#else
#define DEVICES 3
#define ME          _pid
#define PEER(v)     (v)
#define KEY(p, has_moved)  (p)
#define SPEAKS      true
#define MAY_VOTE    true
#endif
#define NEXT_DEVICE(j)  ((j) == HONESTS - 1 -> 3 : (j) + 1)   /* the honest devices in turn: 0, 1, perhaps 2, perhaps 3 */

/* A log is a number: six bits an entry, the first entry lowest. Equal numbers stand for equal hashes. */
#define LEN(log)        (((log) > 0) + ((log) > 63) + ((log) > 4095) + ((log) > 262143) + ((log) > 16777215))
#define AT(log, i)      (((log) >> (6 * (i))) & 63)
#define CUT(log, n)     ((log) & ((1 << (6 * (n))) - 1))
#define PUSH(log, what) ((log) | ((what) << (6 * LEN(log))))
#define BEGINS(a, b)    (CUT(b, LEN(a)) == (a))         /* log b begins with log a */

/* Entries: 1 and 2 are the author's statements. SHUT refuses the first from then on, OPEN allows it again (as an undo does).
 * HAND(p) gives the order to p. DECIDED entries, gone and pass, are the first of their epoch, 1 .. BALLOTS. */
#define SHUT     3
#define OPEN     4
#define HAND(p)  (5 + (p))
#define DEVICE   63          /* device 3 goes on for peer 1 */
#define AWAY     62          /* peer 1 left the table */
#define IS_HAND(entry)       ((entry) >= 5 && (entry) <= 7)
#define DECIDED(ballot, what) (8 + 15 * ((ballot) - 1) + (what))
#define IS_DECIDED(entry)    ((entry) >= 8 && (entry) < AWAY)
#define BALLOT(entry)        (1 + ((entry) - 8) / 15)
#define WHAT(entry)          (((entry) - 8) % 15)
/* What is voted. 0 .. 5: a peer is gone; 6 .. 11: pass, without one peer's vote; 12 .. 14: pass, with the votes of all. */
#define NOBODY               3
#define AGAINST(what)        ((what) < 12 -> ((what) % 6) / 2 : NOBODY)
#define ORDER(what)          ((what) < 12 -> (AGAINST(what) + 1 + (what) % 2) % 3 : (what) - 12)
#define IS_GONE(what)        ((what) < 6)
#define TURN(n)              ((TURNS >> (n)) & 1)

#define HAS(set, p)          (((set) >> (p)) & 1)
#define SIZE(set)            (HAS(set, 0) + HAS(set, 1) + HAS(set, 2))
#define HONEST(p)            ((p) != HOSTILE)
#define PAST(e1, i1, e2, i2) ((e1) > (e2) || ((e1) == (e2) && (i1) > (i2)))
#define SLOT(p, e)           (4 * (p) + (e))

/* What is on the disks of the honest, and what was ever signed. */
int log[DEVICES];
byte promised[DEVICES];        /* the highest ballot that the device voted in */
int acked[4 * DEVICES];        /* SLOT(device, epoch): the longest log ending in that epoch whose head the device signed */
byte vote[4 * DEVICES];        /* SLOT(device, ballot): what it voted, plus 1 */
int seen[4 * DEVICES];         /* SLOT(device, ballot): the log that the vote names */
byte seen_epoch[4 * DEVICES];
int settled[DEVICES];          /* what the device knows to be settled; it gave its shares for that */
byte commitments;              /* how many statements the author signed */
int head[3];                   /* of the author's statement: the log that it names */
byte hostile_acked[4];         /* by epoch: the highest index that the hostile peer acknowledged, plus 1 */
bit convicted;                 /* honest peers hold what convicts the hostile one */

/* What the logs say: kept, so that guards are short. */
byte epoch[DEVICES], order[DEVICES] = FIRST, live[DEVICES] = 7, usable[DEVICES];
bit shut[DEVICES];
#ifdef LEAVES
bit leaves;                    /* peer 1 signed that it leaves … */
int leaves_head;               /* … behind this log */
#endif
#ifdef MOVES
bit given;                     /* peer 1 signed that device 3 goes on … */
int given_head;                /* … behind this log */
bit moved[DEVICES];
#endif

/* The choice of one step; 0 between steps. */
byte a, n, w, d;
int base;

/* Scratch of one step. */
hidden byte r_epoch, r_order, r_live, r_stands, r_usable, r_shut, r_moved, ok, apart, needed;
hidden byte i, j, k, e1, e2, o1, o2, s1, s2, m1, m2, v, x, y;
hidden int other, was;
hidden byte found, stop;

/* Who leaves while it orders orders no more. */
#ifdef KEEPS_THE_ORDER
#define HANDS_OVER(who) skip
#else
#define HANDS_OVER(who) who = ((who) == 1 -> HEIR : (who))
#endif

/* Judgement is a pure function of a log. */
inline read(L) {
    r_epoch = 0; r_order = FIRST; r_live = 7; r_stands = 0; r_usable = 0; r_shut = 0; r_moved = 0;
    i = 0;
    do
    :: true ->
        for (k : 1 .. commitments) {
            if :: LEN(head[k]) == i && head[k] == CUT(L, i) -> r_usable = r_usable | (1 << k) :: else fi
        }
#ifndef LATE_LIVES
        if :: r_shut -> r_usable = r_usable & ~2 :: else fi;       /* refused once behind its head: dead */
#endif
        if :: i == LEN(L) -> break :: else fi;
        x = AT(L, i);
        if
        :: x <= 2 -> r_stands = r_stands | (1 << x); r_usable = r_usable & ~((1 << (x + 1)) - 1)
        :: x == SHUT -> r_shut = 1
        :: x == OPEN -> r_shut = 0
        :: IS_HAND(x) -> r_order = x - 5
        :: x == DEVICE -> r_moved = 1
        :: x == AWAY -> r_live = r_live & ~2; HANDS_OVER(r_order)
        :: else ->
            r_epoch = BALLOT(x); r_order = ORDER(WHAT(x));
            if :: IS_GONE(WHAT(x)) -> r_live = r_live & ~(1 << AGAINST(WHAT(x))) :: else fi
        fi;
        i++
    od;
    if :: r_shut -> r_usable = r_usable & ~2 :: else fi;
    if :: !HAS(r_live, 0) -> r_usable = 0 :: else fi
}

/* Does an acknowledgement of the hostile peer contradict one of its votes? */
inline hostile_acknowledges(e, index) {
    if :: hostile_acked[e] <= index -> hostile_acked[e] = index + 1 :: else fi;
    hostile_contradicts_itself()
}

inline hostile_contradicts_itself() {
    for (j : 0 .. BALLOTS) {
        for (k : 0 .. j - 1) {
            if
            :: vote[SLOT(2, j)] && hostile_acked[k] &&
               PAST(k, hostile_acked[k] - 1, seen_epoch[SLOT(2, j)], LEN(seen[SLOT(2, j)])) -> convicted = 1
            :: else
            fi
        }
    }
}

/* Two places of one signer at one index, both of one epoch, in two logs: nobody honest signs that. Behind the same entry they are a
 * fork, which convicts. */
inline compare(L1, L2) {
    other = L2;
    e1 = 0; e2 = 0; o1 = FIRST; o2 = FIRST; m1 = 0; m2 = 0; i = 0; apart = 0;
    do
    :: i < LEN(L1) && i < LEN(other) ->
        x = AT(L1, i); y = AT(other, i);
        s1 = o1; s2 = o2;
        if :: IS_DECIDED(x) -> e1 = BALLOT(x); s1 = ORDER(WHAT(x)); o1 = s1 :: IS_HAND(x) -> o1 = x - 5 :: x == AWAY -> HANDS_OVER(o1) :: else fi;
        if :: IS_DECIDED(y) -> e2 = BALLOT(y); s2 = ORDER(WHAT(y)); o2 = s2 :: IS_HAND(y) -> o2 = y - 5 :: y == AWAY -> HANDS_OVER(o2) :: else fi;
        s1 = KEY(s1, m1); s2 = KEY(s2, m2);
        m1 = m1 || x == DEVICE; m2 = m2 || y == DEVICE;
        apart = apart || x != y;
        if
#ifdef FORK_ACROSS_EPOCHS
        :: apart && s1 == s2 ->
#else
        :: apart && s1 == s2 && e1 == e2 ->
#endif
            if
            :: HONEST(s1) -> assert(false) /* P1: fork */
#ifndef PROGRESS
            :: !HONEST(s1) && CUT(L1, i) == CUT(other, i) -> convicted = 1
#endif
            :: else
            fi
        :: else
        fi;
        i++
    :: else -> break
    od
}

#ifdef PROGRESS
#ifdef MOVES
#error "Progress is not asked where a person goes on from another device."
#endif
#define NAMES(p, entry, base) (vote[SLOT(p, BALLOT(entry))] == WHAT(entry) + 1 && seen[SLOT(p, BALLOT(entry))] == (base))

/* Who holds log L1 gets log L2, and one does not begin with the other. Do they prove anything? */
inline meet(L1, L2) {
    other = L2;
    found = 0; i = 0;
    do :: CUT(L1, i + 1) == CUT(other, i + 1) -> i++ :: else -> break od;
    e1 = 0; o1 = FIRST;
    for (k : 0 .. i - 1) {
        if
        :: IS_DECIDED(AT(other, k)) -> e1 = BALLOT(AT(other, k)); o1 = ORDER(WHAT(AT(other, k)))
        :: IS_HAND(AT(other, k)) -> o1 = AT(other, k) - 5
        :: AT(other, k) == AWAY -> HANDS_OVER(o1)
        :: else
        fi
    }
    x = AT(L1, i); y = AT(other, i);
    s1 = o1; s2 = o1; e2 = e1;
    if :: IS_DECIDED(x) -> e1 = BALLOT(x); s1 = ORDER(WHAT(x)) :: else fi;
    if :: IS_DECIDED(y) -> e2 = BALLOT(y); s2 = ORDER(WHAT(y)) :: else fi;
#ifndef FORKS_PASS
    if :: e1 == e2 && s1 == s2 -> assert(!HONEST(s1)); /* P1: fork */ found = 1 :: else fi;
#endif
    /* Two beginnings of one epoch: who voted in both voted twice, or who began both began twice. */
    for (j : i .. LEN(L1) - 1) {
        for (k : i .. LEN(other) - 1) {
            x = AT(L1, j); y = AT(other, k);
            if
            :: IS_DECIDED(x) && IS_DECIDED(y) && BALLOT(x) == BALLOT(y) ->
                assert(WHAT(x) != WHAT(y) || !HONEST(ORDER(WHAT(x)))); /* P1: epoch */
#ifdef BEGINS_TWICE
                /* One vote is good for both, where an honest one names what each stands behind. */
                found = found || WHAT(x) != WHAT(y) || !(NAMES(0, x, CUT(L1, j)) || NAMES(1, x, CUT(L1, j))) ||
                        !(NAMES(0, y, CUT(other, k)) || NAMES(1, y, CUT(other, k)))
#else
                found = 1
#endif
            :: else
            fi
        }
    }
}

/* Who holds L1, and knows S to be settled, keeps that and does not take L2. Does a vote in L2 hide what its voter acknowledged? */
inline contradicts(S, L1, L2) {
    other = L2;
    read(S);
    found = 0; e1 = r_epoch; s1 = HAS(r_live, HOSTILE);
#ifdef PLACES_ACKNOWLEDGE_NOTHING
    s1 = s1 && r_order != HOSTILE;
#endif
    for (j : 0 .. LEN(other) - 1) {
        y = AT(other, j);
        if
        :: s1 && IS_DECIDED(y) && CUT(other, j + 1) != CUT(L1, j + 1) && BALLOT(y) > e1 && AGAINST(WHAT(y)) != HOSTILE ->
            read(CUT(other, j));
            if :: HAS(r_live, HOSTILE) && PAST(e1, LEN(S), r_epoch, j) -> found = 1 :: else fi
        :: else
        fi
    }
}
#endif

/* P1: no acknowledgement of an honest peer contradicts its votes. */
inline check_votes(p) {
    for (j : 0 .. BALLOTS) {
        for (k : 0 .. j - 1) {
            if
            :: vote[SLOT(p, j)] && acked[SLOT(p, k)] ->
#ifdef VOTE_JUDGED_BY_INDEX
                assert(LEN(acked[SLOT(p, k)]) <= LEN(seen[SLOT(p, j)])) /* P1: vote */
#else
                assert(!PAST(k, LEN(acked[SLOT(p, k)]), seen_epoch[SLOT(p, j)], LEN(seen[SLOT(p, j)]))) /* P1: vote */
#endif
            :: else
            fi
        }
    }
}

/* P3: of the log just read, one statement of the author is usable at most, and none instead of another one that stands. */
inline check_commitments() {
    for (j : 1 .. commitments) {
        if
        :: HAS(r_usable, j) ->
            assert(r_usable == (1 << j)); /* P3 */
            for (k : 1 .. j - 1) {
                if
                :: HAS(r_stands, k) ->
                    ok = 0;
                    for (i : 0 .. 4) { if :: AT(head[j], i) == k -> ok = 1 :: else fi }
                    assert(ok) /* P3 */
                :: else
                fi
            }
        :: else
        fi
    }
}

inline note(p) {
    read(log[p]);
    epoch[p] = r_epoch; order[p] = r_order; live[p] = r_live; usable[p] = r_usable; shut[p] = r_shut;
#ifdef MOVES
    moved[p] = r_moved;
#endif
    check_commitments()
}

/* Peer p's log changed: it acknowledges that; then all that the honest hold is compared. */
inline changed(p) {
    note(p);
#ifdef ACKS_UNDER_PROMISE
    acked[SLOT(p, epoch[p])] = log[p];
#else
    if :: promised[p] <= epoch[p] && SPEAKS -> acked[SLOT(p, epoch[p])] = log[p] :: else fi;
#endif
    j = 0;
    do
    :: j < DEVICES && (j < HONESTS || j == 3) ->
        compare(log[p], log[j]);
        for (k : 0 .. BALLOTS) { compare(log[p], acked[SLOT(j, k)]) }
        j = NEXT_DEVICE(j)
    :: else -> break
    od;
    check_votes(p)
}

/* Do the votes in the slots of ballot s allow that ballot n decides w right behind base? The hostile peer's vote may name base. */
inline certify(s) {
    read(base);
    needed = r_live & ~(1 << AGAINST(w));
#ifdef PASS_NEEDS_ALL
    if :: !IS_GONE(w) -> needed = r_live :: else fi;
#endif
#ifdef MAJORITY_OF_LIVE
    ok = 2 * SIZE(needed) >= SIZE(r_live);
#else
    ok = 2 * SIZE(needed) > 3;
#endif
    ok = ok && r_epoch < n && HAS(r_live, ORDER(w)) && (AGAINST(w) == NOBODY || HAS(r_live, AGAINST(w)));
    apart = HAS(needed, HOSTILE);
#ifdef ANY_BASE
    apart = 1;
#endif
    for (j : 0 .. HONESTS - 1) {
        v = KEY(j, r_moved);
        if
        :: HAS(needed, j) ->
            ok = ok && vote[SLOT(v, s)] == w + 1;
            apart = apart || seen[SLOT(v, s)] == base;
#ifdef ANY_BASE
#elif defined(SEEN_IN_BASE)
            ok = ok && BEGINS(seen[SLOT(v, s)], base)
#else
            ok = ok && (seen_epoch[SLOT(v, s)] < r_epoch || (seen_epoch[SLOT(v, s)] == r_epoch && BEGINS(seen[SLOT(v, s)], base)))
#endif
        :: else
        fi
    }
#ifdef NO_LIFT
    ok = ok && AGAINST(w) != NOBODY;
#endif
    ok = ok && apart
}

/* The log `was` comes to an honest peer. It cuts what is not in there, but never what it knows settled. */
inline go_over() {
    if
    :: BEGINS(settled[ME], was) -> log[ME] = was; changed(ME)
#if defined(PROGRESS) && HOSTILE < 3
    :: else -> contradicts(settled[ME], log[ME], was); assert(found); /* P2, P4 */ convicted = 1
#else
    :: else -> assert(convicted) /* P2, P4 */
#endif
    fi
}

/* It looks first whether the two logs prove anything. */
inline look_and_go_over() {
#if defined(PROGRESS) && HOSTILE < 3
    meet(log[ME], was);
    if :: found -> convicted = 1; printf("%d meets with a proof\n", ME) :: else -> go_over() fi
#else
    go_over()
#endif
}

inline done() { a = 0; n = 0; w = 0; d = 0; base = 0 }

inline pick_ballot() {
    if
    :: n = 1
#if BALLOTS > 1
    :: n = 2
#endif
#if BALLOTS > 2
    :: n = 3
#endif
    fi
}

/* Honest peer a, and one of its logs: now, or at the end of an epoch. */
inline pick_log() {
    if
    :: a = 0
    :: a = 1
#if HOSTILE == 3
    :: a = 2
#endif
#ifdef MOVES
    :: a = 3
#endif
    fi;
    if
    :: base = log[a]
    :: base = acked[SLOT(a, 0)]
    :: base = acked[SLOT(a, 1)]
#if BALLOTS > 1
    :: base = acked[SLOT(a, 2)]
#endif
#if BALLOTS > 2
    :: base = acked[SLOT(a, 3)]
#endif
    fi
}

/* What the rules let an honest peer's log have next. */
inline pick_entry() {
    if
#ifdef ONLY_HALVES
    :: order[ME] != HOSTILE && HAS(live[ME], HOSTILE) -> d = HAND(HOSTILE)
#else
    :: HAS(usable[ME], 1) -> d = 1
    :: HAS(usable[ME], 2) -> d = 2
    :: !shut[ME] -> d = SHUT
    :: shut[ME] -> d = OPEN
#ifdef MOVES
    :: given && BEGINS(given_head, log[ME]) && !moved[ME] && HAS(live[ME], 1) -> d = DEVICE
#endif
#ifdef LEAVES
    :: leaves && BEGINS(leaves_head, log[ME]) && HAS(live[ME], 1) && HAS(live[ME], HEIR) -> d = AWAY
#endif
    :: order[ME] != 0 && HAS(live[ME], 0) -> d = HAND(0)
    :: order[ME] != 1 && HAS(live[ME], 1) -> d = HAND(1)
    :: order[ME] != 2 && HAS(live[ME], 2) -> d = HAND(2)
#endif
    fi
}

#ifdef PROGRESS
/* P5. From now on messages flow, but d does nothing more (3: all do what is right). It may be away, or be there and only say so. The
 * others do what they would: they take what is newest; and where not all of them may sign, or nobody who does anything orders, they
 * hold one ballot. Then a statement that is usable is placed. The state stays as it is: this is a look at what would be. */
hidden int c_log[3];
hidden byte c_epoch[3], c_promised[3], best;

/* Peer j gets the newest log. It goes over to it, or proves something by it. */
inline takes_newest() {
    if
#ifdef TAKES_NOTHING
    :: c_promised[j] > c_epoch[best]
#endif
#if HOSTILE < 3
    :: HONEST(j) && !BEGINS(c_log[j], c_log[best]) ->
        v = j;
        meet(c_log[v], c_log[best]);
        if
        :: !found && !BEGINS(settled[v], c_log[best]) ->
            contradicts(settled[v], c_log[v], c_log[best]);
            assert(found) /* P2, P4 */
        :: else
        fi;
        j = v;
        stop = stop || found;
        assert(stop || c_epoch[j] < c_epoch[best]); /* P5: neither log is the newer one */
        c_log[j] = c_log[best]; c_epoch[j] = c_epoch[best]
#endif
    :: else -> c_log[j] = c_log[best]; c_epoch[j] = c_epoch[best]
    fi
}

/* Would all who are left vote for w, and does that decide it? */
inline would_decide() {
    base = c_log[best];
    for (j : 0 .. HONESTS - 1) {
        if
        :: j != d -> vote[SLOT(j, 0)] = w + 1; seen[SLOT(j, 0)] = c_log[j]; seen_epoch[SLOT(j, 0)] = c_epoch[j]
        :: else
        fi
    }
    certify(0);
    for (j : 0 .. HONESTS - 1) { vote[SLOT(j, 0)] = 0; seen[SLOT(j, 0)] = 0; seen_epoch[SLOT(j, 0)] = 0 }
    ok = ok && (d == NOBODY || !HAS(needed, d)) && ORDER(w) != d;
    for (j : 0 .. HONESTS - 1) {                       /* and nothing that is settled falls away, who is away being no exception */
        assert(BEGINS(settled[j], base)) /* P2, P4 */
    }
    assert(ok) /* P5 */
}

inline calm() {
    for (j : 0 .. 2) { c_log[j] = log[j]; c_epoch[j] = epoch[j]; c_promised[j] = promised[j] }
#if HOSTILE < 3
    c_promised[HOSTILE] = BALLOTS;                     /* it may have voted in any ballot */
#endif
    best = (d == 0 -> 1 : 0);
    for (j : 0 .. HONESTS - 1) {
        if :: j != d && PAST(c_epoch[j], LEN(c_log[j]), c_epoch[best], LEN(c_log[best])) -> best = j :: else fi
    }
    stop = 0;
    for (j : 0 .. HONESTS - 1) { if :: j != d && j != best -> takes_newest() :: else fi }
    if
    :: stop                                            /* the hostile peer is convicted, and all stop */
    :: else ->
        ok = 1; n = c_epoch[best];
        read(c_log[best]);
        for (j : 0 .. 2) {
            if
            :: j != d && (HONEST(j) || HAS(r_live, j)) ->
                ok = ok && (!HONEST(j) || c_log[j] == c_log[best]) && (c_promised[j] <= c_epoch[best] || !HAS(r_live, j));
                n = (c_promised[j] > n -> c_promised[j] : n)
            :: else
            fi
        }
        n++;
        if
        :: ok && r_order != d && HAS(r_live, r_order)  /* all hold one log and may sign, and somebody who is there orders */
        :: SIZE(r_live & ~(1 << d)) < 2                /* too few of those who do anything are at the table: they wait */
        :: else ->
            if
            :: d == NOBODY || !HAS(r_live, d) -> w = 12 + r_order; would_decide()
            :: else ->
                w = 2 * d + (r_order == d -> !HAS(r_live, (d + 1) % 3) : r_order != (d + 1) % 3);
                would_decide();                        /* d is voted gone, where it is away */
                w = w + 6;
                would_decide()                         /* or passed over, where it says that it is there */
            fi
        fi
    fi
}
#endif

#ifdef ONLY_HALVES
#define IS_WANTED(w) (n == BALLOTS -> (w) >= 12 : IS_GONE(w) && HONEST(AGAINST(w)))
#else
#define IS_WANTED(w) true
#endif
#define FREE (promised[ME] <= epoch[ME])            /* no promise keeps the peer from signing */

#ifdef MOVES
active [HONESTS + 1] proctype peer() {
    do
    /* Peer 1 signs that its other device goes on. */
    :: atomic { !convicted && _pid == 1 && !given && SPEAKS && HAS(live[1], 1) &&
#ifndef GIVES_UNDER_PROMISE
            FREE &&
#endif
            true -> d_step { given = 1; given_head = log[1];
            printf("1 signs the handover behind %d entries\n", LEN(log[1])) } }

#else
active [HONESTS] proctype peer() {
    do
#endif
#ifdef LEAVES
    /* Peer 1 signs that it leaves the table. */
    :: atomic { !convicted && _pid == 1 && !leaves && HAS(live[1], 1) && FREE ->
            d_step { leaves = 1; leaves_head = log[1];
            printf("1 signs that it leaves behind %d entries\n", LEN(log[1])) } }
#endif
    /* The author signs a statement: its log allows it, and makes all that it signed before impossible. */
    :: atomic { !convicted && _pid == 0 && commitments < STATEMENTS && FREE && !(shut[0] && !commitments) && HAS(live[0], 0) &&
#ifndef NO_IS_BELIEVED
            !usable[0] &&
#endif
            true -> d_step { commitments++; head[commitments] = log[0];
            printf("%d signs statement %d behind %d entries\n", ME, commitments, LEN(log[0]));
            for (a : 0 .. HONESTS - 1) { note(a) }
#ifdef MOVES
            note(3);
#endif
            done() } }

    /* It places something where it orders. */
    :: atomic { !convicted && order[ME] == PEER(ME) && SPEAKS && HAS(live[ME], PEER(ME)) && LEN(log[ME]) < LONGEST &&
#ifndef PLACES_UNDER_PROMISE
            FREE &&
#endif
            true -> pick_entry(); d_step { log[ME] = PUSH(log[ME], d);
            printf("%d places %d at %d\n", ME, d, LEN(log[ME]));
            acked[SLOT(ME, epoch[ME])] = log[ME];    /* to place is to acknowledge */
            changed(ME); done() } }

#if HOSTILE < 3
    /* It gets a place of the hostile peer. */
    :: atomic { !convicted && order[ME] == HOSTILE && LEN(log[ME]) < LONGEST ->
        pick_entry(); d_step { log[ME] = PUSH(log[ME], d);
            printf("%d gets %d at %d of the hostile peer\n", ME, d, LEN(log[ME]));
#if !defined(PLACES_ACKNOWLEDGE_NOTHING) && !defined(PROGRESS)
            hostile_acknowledges(epoch[ME], LEN(log[ME]));
#endif
            changed(ME); done() } }
#endif

    /* It gets an honest peer's log: it takes the next entry, or goes over to the next epoch. */
    :: atomic { !convicted -> pick_log();
        d_step {
            if
            :: base == log[ME] || LEN(base) == 0
#ifdef TAKES_NOTHING
            :: base != log[ME] && !FREE && !(IS_DECIDED(AT(base, LEN(base) - 1)) && BALLOT(AT(base, LEN(base) - 1)) >= promised[ME])
#endif
            :: else ->
                if
                :: BEGINS(log[ME], base) -> log[ME] = CUT(base, LEN(log[ME]) + 1);
                    printf("%d takes %d at %d from %d\n", ME, AT(log[ME], LEN(log[ME]) - 1), LEN(log[ME]), a); changed(ME)
                :: else ->
                    i = 0;
                    do
                    :: i == LEN(base) || (IS_DECIDED(AT(base, i)) && BALLOT(AT(base, i)) > epoch[ME]) -> break
                    :: else -> i++
                    od;
                    if
#if defined(PROGRESS) && HOSTILE < 3
                    :: i == LEN(base) && !BEGINS(base, log[ME]) -> meet(log[ME], base);
                        if :: found -> convicted = 1; printf("%d meets with a proof from %d\n", ME, a) :: else fi
#endif
                    :: i < LEN(base) -> was = CUT(base, i + 1);
                        printf("%d goes over to %d at %d from %d, from %d\n", ME, AT(was, i), i + 1, LEN(log[ME]), a);
                        look_and_go_over()
                    :: else
                    fi
                fi
            fi;
            done() } }

    /* It votes in a ballot, as it likes: somebody is gone, somebody is passed over, or all go on. A vote is a promise. */
    :: atomic { !convicted && (promised[ME] > epoch[ME] -> promised[ME] : epoch[ME]) < BALLOTS &&
            HAS(live[ME], PEER(ME)) && MAY_VOTE ->
        pick_ballot();
        if
        :: a = 1 :: a = 2                              /* the next peer, or the one after it */
#ifndef ONLY_PASS
        :: w = 12 + order[ME]
#endif
        fi;
        if
        :: a ->
            a = (PEER(ME) + a) % 3;
            if
#ifndef ONLY_PASS
            :: w = 2 * a + TURN(n)
#endif
            :: w = 6 + 2 * a + TURN(n)
            fi
        :: else
        fi;
        d_step {
            if
            :: n > promised[ME] && n > epoch[ME] && IS_WANTED(w) && HAS(live[ME], ORDER(w)) &&
               (AGAINST(w) == NOBODY || HAS(live[ME], AGAINST(w))) ->
#ifdef FORGETS
                assert(!vote[SLOT(ME, n)] || (vote[SLOT(ME, n)] == w + 1 && seen[SLOT(ME, n)] == log[ME])); /* P1: vote */
#endif
                vote[SLOT(ME, n)] = w + 1; seen[SLOT(ME, n)] = log[ME]; seen_epoch[SLOT(ME, n)] = epoch[ME];
                printf("%d votes %d for %d behind %d\n", ME, n, w, LEN(log[ME]));
#ifndef NO_PROMISE
                promised[ME] = n;
#endif
#if defined(MOVES) && !defined(ONLY_LOGS)
                assert(!vote[SLOT(1, n)] || !vote[SLOT(3, n)]); /* P7 */
#endif
                check_votes(ME)
            :: else
            fi;
            done() } }

#ifdef FORGETS
    /* A crash makes it forget its promise. */
    :: atomic { !FREE -> promised[ME] = epoch[ME]; printf("%d forgets its promise\n", ME) }
#endif

    /* A ballot is complete: who is to order now places that; the hostile peer shows it to whom it likes. */
    :: atomic { !convicted && LEN(log[ME]) < LONGEST + 1 ->
        pick_ballot();
        if
        :: a = 0 :: a = 1
#if HOSTILE == 3
        :: a = 2
#endif
#ifdef MOVES
        :: a = 3
#endif
        fi;
        if
        :: vote[SLOT(a, n)] && n > epoch[ME] ->
            w = vote[SLOT(a, n)] - 1;
            if
            :: base = seen[SLOT(a, n)]
#ifdef ANY_BASE
            :: base = CUT(seen[SLOT(a, n)], 1)
#endif
#if HOSTILE < 3
            :: AGAINST(w) != HOSTILE -> pick_log()
#endif
            fi;
            d_step {
                ok = LEN(base) < LONGEST && ((ORDER(w) == PEER(ME) && promised[ME] == n) || ORDER(w) == HOSTILE);
                if :: ok -> certify(n) :: else fi;
                ok = ok && (ORDER(w) == HOSTILE || ME == KEY(ORDER(w), r_moved));
                if
                :: ok ->
                    was = PUSH(base, DECIDED(n, w));
#if HOSTILE < 3 && !defined(PROGRESS)
#ifdef ANY_BASE
                    base = seen[SLOT(a, n)]; r_epoch = seen_epoch[SLOT(a, n)];
#endif
                    if
                    :: HAS(needed, HOSTILE) && !vote[SLOT(2, n)] ->
                        vote[SLOT(2, n)] = w + 1; seen[SLOT(2, n)] = base; seen_epoch[SLOT(2, n)] = r_epoch
                    :: HAS(needed, HOSTILE) && vote[SLOT(2, n)] && (vote[SLOT(2, n)] != w + 1 || seen[SLOT(2, n)] != base) ->
                        convicted = 1
                    :: else
                    fi;
#ifndef PLACES_ACKNOWLEDGE_NOTHING
                    if :: ORDER(w) == HOSTILE -> hostile_acknowledges(n, LEN(was)) :: else fi;
#endif
                    hostile_contradicts_itself();
#endif
                    printf("%d has ballot %d for %d at %d\n", ME, n, w, LEN(was));
                    if
                    :: BEGINS(log[ME], was) -> go_over()
                    :: else -> look_and_go_over()
                    fi
                :: else
                fi
            }
        :: else
        fi;
        done() }

#if HOSTILE < 3 && defined(MAJORITY_OF_LIVE)
    /* The hostile peer decides alone. */
    :: atomic { !convicted -> pick_ballot(); base = log[ME]; w = 2 * _pid; if :: ORDER(w) == HOSTILE :: ORDER(w) != HOSTILE -> w++ fi;
        d_step { certify(n); assert(!ok || HAS(needed, 0) || HAS(needed, 1)); /* P6 */
            done() } }
#endif

    /* It learns that all live peers hold a prefix of its log. That is settled; it gives its shares for it. */
    :: atomic { !convicted && FREE && SPEAKS && LEN(settled[ME]) < LEN(log[ME]) ->
        w = LEN(settled[ME]) + 1;
        do :: w < LEN(log[ME]) -> w++ :: break od;
        d_step {
            base = CUT(log[ME], w);
            read(base);
            ok = 1;
#ifndef SHARES_EARLY
            for (j : 0 .. HONESTS - 1) {
                v = KEY(j, r_moved);
                if
                :: HAS(r_live, j) ->
                    ok = ok && (BEGINS(base, acked[SLOT(v, 0)]) || BEGINS(base, acked[SLOT(v, 1)]) ||
                                BEGINS(base, acked[SLOT(v, 2)]) || BEGINS(base, acked[SLOT(v, 3)]))
                :: else
                fi
            }
#endif
#ifndef ALONE_SETTLES
            /* But not what it alone acknowledged, where the others were enough for a ballot behind what somebody else did, too. */
            if
            :: ok ->
                s1 = w; s2 = (HAS(r_live, HOSTILE) -> w : 0);
                do
                :: s1 > s2 ->
                    base = CUT(log[ME], s1);
                    for (j : 0 .. HONESTS - 1) {
                        v = KEY(j, r_moved);
                        if
                        :: v != ME && (BEGINS(base, acked[SLOT(v, 0)]) || BEGINS(base, acked[SLOT(v, 1)]) ||
                                       BEGINS(base, acked[SLOT(v, 2)]) || BEGINS(base, acked[SLOT(v, 3)])) -> s2 = s1
                        :: else
                        fi
                    }
                    s1--
                :: else -> break
                od;
                base = CUT(log[ME], s2);
                read(base);
                if :: s2 < w && r_live == 7 -> ok = 0 :: else fi;
                base = CUT(log[ME], w);
                read(base)
            :: else
            fi;
#endif
            if
            :: ok ->
                settled[ME] = base;
                printf("%d knows %d settled\n", ME, w);
#if !defined(SHARES_EARLY) && !defined(PROGRESS)
                if
#ifdef PLACES_ACKNOWLEDGE_NOTHING
                :: HAS(r_live, HOSTILE) && r_order != HOSTILE -> hostile_acknowledges(r_epoch, w)
#else
                :: HAS(r_live, HOSTILE) -> hostile_acknowledges(r_epoch, w)
#endif
                :: else
                fi;
#endif
#if !defined(PROGRESS) || HOSTILE == 3
                j = 0;
                do
                :: j < DEVICES && (j < HONESTS || j == 3) ->
                    assert(BEGINS(settled[j], settled[ME]) || BEGINS(settled[ME], settled[j]) || convicted); /* P2, P4 */
                    j = NEXT_DEVICE(j)
                :: else -> break
                od
#else
                skip                                   /* asked where the two logs meet */
#endif
            :: else
            fi;
            done() } }

#ifdef LOSES
    /* It crashes. A vote binds it, so it may have taken in more than it told: that may be lost. */
    :: atomic { !convicted && !FREE ->
        d_step {
            for (k : 0 .. BALLOTS) {
                if :: acked[SLOT(ME, k)] && PAST(k, LEN(acked[SLOT(ME, k)]), n, LEN(base)) -> base = acked[SLOT(ME, k)]; n = k :: else fi;
                if
                :: vote[SLOT(ME, k)] && PAST(seen_epoch[SLOT(ME, k)], LEN(seen[SLOT(ME, k)]), n, LEN(base)) ->
                    base = seen[SLOT(ME, k)]; n = seen_epoch[SLOT(ME, k)]
                :: else
                fi
            }
            if
            :: base != log[ME] ->
                printf("%d loses all behind %d of %d\n", ME, LEN(base), LEN(log[ME]));
                assert(BEGINS(settled[ME], base)); /* P2, P4 */
                log[ME] = base; note(ME)
            :: else
            fi;
            done() } }
#endif

#ifdef PROGRESS
    :: atomic { !convicted && _pid == 0 ->
        if
        :: d = 2
        :: d = NOBODY
#if HOSTILE == 3
        :: d = 0
        :: d = 1
#endif
        fi;
        d_step { calm(); done() } }
#endif
    od
}

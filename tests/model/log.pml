/* One log among three peers, one of them hostile: the protocol of docs/sync.md as a model for spin (docs/model.md).
 *
 * A process is an honest peer; a step is one act of it, whole. Nobody sends: what an honest peer ever signed may reach anybody
 * at any later moment, in any order, more than once, or never. The hostile peer signs whatever fits the moment; the model
 * remembers of it what others hold. What is written down here is on disk, so a crash is a peer that does nothing for a while.
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

/* Two places of one signer at one index, both of one epoch, in two logs: a fork. */
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
            if :: HONEST(s1) -> assert(false) /* P1: fork */ :: else -> convicted = 1 fi
        :: else
        fi;
        i++
    :: else -> break
    od
}

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

/* Do the votes allow ballot n to decide w right behind base? The hostile peer's vote names base itself. */
inline certify() {
    read(base);
    needed = r_live & ~(1 << AGAINST(w));
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
            ok = ok && vote[SLOT(v, n)] == w + 1;
            apart = apart || seen[SLOT(v, n)] == base;
#ifdef ANY_BASE
#elif defined(SEEN_IN_BASE)
            ok = ok && BEGINS(seen[SLOT(v, n)], base)
#else
            ok = ok && (seen_epoch[SLOT(v, n)] < r_epoch || (seen_epoch[SLOT(v, n)] == r_epoch && BEGINS(seen[SLOT(v, n)], base)))
#endif
        :: else
        fi
    }
    ok = ok && apart
}

/* The log `was` comes to an honest peer. It cuts what is not in there, but never what it knows settled. */
inline go_over() {
    if
    :: BEGINS(settled[ME], was) -> log[ME] = was; changed(ME)
    :: else -> assert(convicted) /* P2, P4 */
    fi
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
    fi
}

#if HOSTILE == 3
/* P5. From now on messages flow, but for peer d, who is away (3: nobody is). The others do what they would: they take what is
 * newest, and hold ballots until all of them may sign again and somebody who is there orders. Then a statement that is usable
 * is placed. The state stays as it is: this is a look at what would be. */
hidden int c_log[3];
hidden byte c_epoch[3], c_promised[3], best, round;

inline calm() {
    for (j : 0 .. 2) { c_log[j] = log[j]; c_epoch[j] = epoch[j]; c_promised[j] = promised[j] }
    round = 0;
    do
    :: true ->
        best = (d == 0 -> 1 : 0);
        for (j : 0 .. 2) {
            if :: j != d && PAST(c_epoch[j], LEN(c_log[j]), c_epoch[best], LEN(c_log[best])) -> best = j :: else fi
        }
        ok = 1;                                        /* all hold one log and may sign */
        for (j : 0 .. 2) {
            if
#ifdef TAKES_NOTHING
            :: j != d && c_promised[j] <= c_epoch[best] ->
#else
            :: j != d ->
#endif
                c_log[j] = c_log[best]; c_epoch[j] = c_epoch[best]
            :: else
            fi;
            if :: j != d && (c_log[j] != c_log[best] || (c_promised[j] > c_epoch[best] && HAS(live[best], j))) -> ok = 0 :: else fi
        }
        read(c_log[best]);
        if :: ok && r_order != d -> break :: else fi;  /* so it goes on */
        needed = r_live & ~(1 << d);
        if :: 2 * SIZE(needed) <= 3 -> break :: else fi;       /* too few: they wait for d */
        round++;
        assert(round < 3); /* P5 */
        if :: round == 3 -> break :: else fi;          /* spin's replay goes on behind a failed assertion */
        n = c_epoch[best];
        for (j : 0 .. 2) { if :: j != d && n < c_promised[j] -> n = c_promised[j] :: else fi }
        n++;
        ok = HAS(r_live, r_order);                     /* ballot n: d is gone, or nobody is; never is one against who is away */
        for (j : 0 .. 2) {
            if
            :: HAS(needed, j) ->
                c_promised[j] = n;
#ifdef SEEN_IN_BASE
                ok = ok && BEGINS(c_log[j], c_log[best])
#else
                assert(c_epoch[j] < c_epoch[best] || BEGINS(c_log[j], c_log[best])) /* P1: fork */
#endif
            :: else
            fi
        }
#ifdef NO_LIFT
        ok = ok && HAS(r_live, d);
#endif
        if :: ok -> break :: else fi                   /* it is complete: all go over, a peer who is there orders */
    od
}
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
#ifndef PLACES_ACKNOWLEDGE_NOTHING
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
                    :: i < LEN(base) -> was = CUT(base, i + 1);
                        printf("%d goes over to %d at %d from %d, from %d\n", ME, AT(was, i), i + 1, LEN(log[ME]), a); go_over()
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
            :: n > promised[ME] && n > epoch[ME] && HAS(live[ME], ORDER(w)) &&
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
                if :: ok -> certify() :: else fi;
                ok = ok && (ORDER(w) == HOSTILE || ME == KEY(ORDER(w), r_moved));
                if
                :: ok ->
                    was = PUSH(base, DECIDED(n, w));
#if HOSTILE < 3
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
                    go_over()
                :: else
                fi
            }
        :: else
        fi;
        done() }

#if HOSTILE < 3 && defined(MAJORITY_OF_LIVE)
    /* The hostile peer decides alone. */
    :: atomic { !convicted -> pick_ballot(); base = log[ME]; w = 2 * _pid; if :: ORDER(w) == HOSTILE :: ORDER(w) != HOSTILE -> w++ fi;
        d_step { certify(); assert(!ok || HAS(needed, 0) || HAS(needed, 1)); /* P6 */
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
            if
            :: ok ->
                settled[ME] = base;
                printf("%d knows %d settled\n", ME, w);
#ifndef SHARES_EARLY
                if
#ifdef PLACES_ACKNOWLEDGE_NOTHING
                :: HAS(r_live, HOSTILE) && r_order != HOSTILE -> hostile_acknowledges(r_epoch, w)
#else
                :: HAS(r_live, HOSTILE) -> hostile_acknowledges(r_epoch, w)
#endif
                :: else
                fi;
#endif
                j = 0;
                do
                :: j < DEVICES && (j < HONESTS || j == 3) ->
                    assert(BEGINS(settled[j], settled[ME]) || BEGINS(settled[ME], settled[j]) || convicted); /* P2, P4 */
                    j = NEXT_DEVICE(j)
                :: else -> break
                od
            :: else
            fi;
            done() } }

#if HOSTILE == 3
    :: atomic { _pid == 0 -> if :: d = 0 :: d = 1 :: d = 2 :: d = 3 fi; d_step { calm(); done() } }
#endif
    od
}

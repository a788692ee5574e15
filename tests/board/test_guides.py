"""Every guide, played to its end: by the moves it spells, by the pointer alone, and with whatever else it accepts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, Final, cast

import pytest

from tabletin.app.session.guided_session import GuidedSession
from tabletin.app.ui.html import game_key
from tabletin.board.guide import ME, Guiding, guide_for
from tabletin.board.scene import Layout, Scene
from tabletin.board.spelling import spell
from tabletin.kernel.options import Refused
from tabletin.registry import GAMES
from tests.support.examples import having
from tests.support.guided_pupil import DESKTOP, MOST_TAPS, PHONE, WORDS, Pupil, guide_of, settle

GUIDED = [game for game in GAMES if guide_for(game) is not None]


BOTH_LAYOUTS: Final = pytest.mark.parametrize("layout", [PHONE, DESKTOP], ids=["phone", "desktop"])


def lead_through(game: str, layout: Layout, look: Callable[[Pupil, Scene], None]) -> None:
    """Follow a guide's pointer to its end; before each tap, ``look`` at what its pupil sees."""
    async def play() -> None:
        session = await GuidedSession.begin_guide(guide_of(game), WORDS)
        guiding, pupil = session.guiding, Pupil(session, layout)
        for _ in range(len(guiding.guide.steps) * MOST_TAPS):
            await settle(session)
            if guiding.over:
                break
            look(pupil, pupil.look())
            if guiding.reading:
                session.go_on()
            else:
                await pupil.tap()
        assert guiding.over
        session.close()

    asyncio.run(play())


@BOTH_LAYOUTS
@pytest.mark.parametrize("game", GUIDED)
def test_the_pointer_alone_leads_through(game: str, layout: Layout) -> None:
    def look(pupil: Pupil, scene: Scene) -> None:
        guiding, step = pupil.session.guiding, pupil.session.guiding.step
        assert step is not None
        says_itself = scene.ask or (scene.note and not scene.warning)
        assert pupil.draft is None or not says_itself, f"{step.say}: the table asks for something else"
        if not guiding.reading:
            assert step.seat == ME, f"{step.say}: {step.do} of seat {step.seat} is not made"
            controls = {control.key: control for control in scene.controls}
            named = controls.get(pupil.board.key) if pupil.board.key in step.point else None
            assert named is None or named.seconds is None, f"{step.say}: what is to be learnt is pressed by itself"

    lead_through(game, layout, look)


def test_words_about_what_others_do_wait_for_nobody_where_they_are_brief() -> None:
    guide = next(guide for guide in map(guide_of, GUIDED) if any(step.is_brief for step in guide.steps))
    guiding, steps = Guiding(guide, cast(Any, None)), guide.steps
    guiding.index = next(at for at, step in enumerate(steps) if step.is_brief)
    assert steps[guiding.index].seat != ME and guiding.words == steps[guiding.index].say and not guiding.reading
    before = guiding.place
    guiding.index -= 1
    assert guiding.words == steps[guiding.index].say and guiding.place == before, "no step of their own"
    assert before[1] == sum(bool(step.say) for step in steps) - sum(step.is_brief for step in steps)


@BOTH_LAYOUTS
@pytest.mark.parametrize("game", GUIDED)
def test_only_what_is_asked_for_looks_like_it_and_nothing_is_chosen_before_the_learner_does(game: str, layout: Layout) -> None:
    def look(pupil: Pupil, scene: Scene) -> None:
        guiding, step, key = pupil.session.guiding, pupil.session.guiding.step, pupil.board.key
        assert step is not None
        if guiding.reading:
            assert all(one.why for one in scene.controls), f"{step.say}: there are words to be read"
            return
        bright = {one.key for one in scene.controls if one.primary and not one.why}
        assert bright <= {key, *step.equivalents}, f"{step.say}: more than one thing is asked for"
        if len(step.point) == 1:  # then whatever button is there does all of it
            is_held = ">" in step.point[0] and any(piece.key == key and piece.row == "hand" for piece in scene.pieces)
            assert not (is_held and scene.controls), f"{step.say}: what is to be chosen is chosen already"
            meant = next((spot.key for spot in scene.spots if "target" in spot.flags), key)
            assert key == meant, f"{step.say}: the button does it elsewhere"

    lead_through(game, layout, look)


@pytest.mark.parametrize("game", GUIDED)
def test_everybody_does_what_the_script_spells(game: str) -> None:
    """A script cannot drift from the rules: each of its moves is made just as it is written."""
    async def play() -> None:
        guide = guide_of(game)
        session = await GuidedSession.begin_guide(guide, WORDS)
        guiding, pupil = session.guiding, Pupil(session, PHONE)
        for step in guide.steps:
            await settle(session)
            session.go_on()
            if step.tries:
                await pupil.try_out()
            if step.do and step.seat == ME:
                move = guiding.wanted_move(ME)
                assert move is not None, step.say
                await session.move(ME, move)
        await settle(session)
        assert guiding.over
        match = session.match
        made = [(entry.statement.body["seat"], entry.statement.body["do"]) for entry in match.entries
                if entry.statement.kind == "move"]
        written = [(step.seat, step.do) for step in guide.steps if step.do]
        assert [(seat, spell(match.rules.verbs, tuple(do), match.knowledge.__getitem__)) for seat, do in made] == written
        session.close()

    asyncio.run(play())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", GUIDED)
def test_nobody_gets_stuck_whatever_else_is_tried(game: str, seed: int) -> None:
    """Any legal move is made or explained, and the way to the end stays open."""
    async def play() -> None:
        rng = Random(seed)
        session = await GuidedSession.begin_guide(guide_of(game), WORDS)
        guiding, pupil = session.guiding, Pupil(session, PHONE)
        for _ in range(400):
            await settle(session)
            if guiding.over:
                break
            if guiding.reading and rng.random() < 0.7:
                session.go_on()
                continue
            if ME not in session.acting:
                continue
            if rng.random() < 0.3:
                await pupil.try_out()
            faces = session.match.view((ME,)).faces
            moves = list(session.match.rules.moves(session.match.state, ME, faces))[:200]
            wanted = guiding.wanted_move(ME)
            move = wanted if wanted is not None and rng.random() < 0.3 else rng.choice(moves)
            before = len(session.match.entries)
            try:
                await session.move(ME, move)
            except Refused as refused:
                assert session.wording.refusal(refused.refusal)
                assert len(session.match.entries) == before
        assert guiding.over
        session.close()

    asyncio.run(play())


@pytest.mark.parametrize("game", [game for game in GUIDED if any(step.tries for step in guide_of(game).steps)])
def test_what_comes_later_waits_until_what_is_to_be_tried_is_done(game: str) -> None:
    """Else the words would speak of cards that do not lie there."""
    async def play() -> None:
        session = await GuidedSession.begin_guide(guide_of(game), WORDS)
        guiding, pupil = session.guiding, Pupil(session, PHONE)
        while guiding.step is None or not guiding.step.tries:
            await settle(session)
            if guiding.reading:
                session.go_on()
            elif not guiding.step or not guiding.step.tries:
                await pupil.tap()
        now, move = guiding.index, guiding.wanted_move(ME)
        assert move is not None
        with pytest.raises(Refused) as refused:
            await session.move(ME, move)
        assert refused.value.refusal.key == "guide.instead" and guiding.index == now
        await pupil.try_out()
        await session.move(ME, move)
        assert guiding.index > now
        session.close()

    asyncio.run(play())


@BOTH_LAYOUTS
@pytest.mark.parametrize("game", GUIDED)
def test_whatever_leads_to_the_same_may_be_tapped_and_no_button_is_there_in_vain(game: str, layout: Layout) -> None:
    """A button that says what the guide says, the place of a card, a second tap on it: each is as good as the pointer."""
    async def play() -> None:
        session = await GuidedSession.begin_guide(guide_of(game), WORDS)
        guiding, pupil = session.guiding, Pupil(session, layout)
        plain = GAMES[game].module("board").board(game)
        tapped: list[str] = []
        tried, begun = 0, -1
        for _ in range(len(guiding.guide.steps) * MOST_TAPS):
            await settle(session)
            if guiding.over:
                break
            if guiding.reading:
                session.go_on()
                continue
            if begun != len(session.match.entries):
                tapped, begun = [], len(session.match.entries)
            scene = pupil.look()
            assert guiding.astray or all(pupil.board.correction(control.key) is None for control in scene.controls)
            if not guiding.step or not guiding.step.tries:
                buttons = [control.key for control in scene.controls if not control.why and control.move is None]
                pieces = [piece.key for piece in scene.pieces if piece.tap]
                for key in (*buttons, *(spot.key for spot in scene.spots), *pieces):
                    draft = plain.draft(pupil.sight())
                    for before in tapped:
                        draft.tap(before)
                    reply = draft.tap(key)
                    if isinstance(reply, tuple) and guiding.fits(ME, reply):
                        assert pupil.board.correction(key) is None, f"{key} does what is asked for, and is refused"
                        tried += 1
            tapped.append(pupil.board.key)
            await pupil.tap()
        assert guiding.over and tried
        session.close()

    asyncio.run(play())


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", GUIDED)
def test_the_pointer_leads_through_whatever_else_is_tapped(game: str, seed: int) -> None:
    """Between two taps where the guide points, anything that lies there is tapped: cards, places, buttons."""
    async def play() -> None:
        rng = Random(seed)
        session = await GuidedSession.begin_guide(guide_of(game), WORDS)
        guiding, pupil = session.guiding, Pupil(session, PHONE)
        for _ in range(len(guiding.guide.steps) * MOST_TAPS):
            await settle(session)
            if guiding.over:
                break
            if rng.random() < 0.2:
                await pupil.tap_anything(rng)
            elif guiding.reading:
                session.go_on()
            else:
                try:
                    await pupil.tap_or_go_its_own_way()
                except Refused:
                    pupil.empty_draft()
        assert guiding.over
        session.close()

    asyncio.run(play())


@pytest.mark.parametrize("game", GUIDED)
def test_every_step_has_words(game: str) -> None:
    guide = guide_of(game)
    assert guide.steps[0].say, "a guide begins with words"
    for step in guide.steps:
        for key in filter(None, (step.say, step.correction)):
            said = WORDS.text(game_key(WORDS, game, f"guide.{key}"), name="Ada")
            assert 5 < len(said) < 260, f"{key}: what is said is read at the table by a child"


def test_each_game_has_a_guide_of_its_own() -> None:
    assert list(having("guide")) == GUIDED
    assert all(guide_of(game).game == game for game in GUIDED)

"""Setting a match up: who sits where, the game's options, and Play. All is chosen already; nothing must be typed.

Options are drawn from the game's own declarations. What was played last time is there again; a link can ask for more.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from tabletin.app.routes import address
from tabletin.app.screens.faces import picture_of
from tabletin.app.session.adaptation import level_that_fits
from tabletin.app.session.plan import BOTS, FAR, ME, PERSON, Plan, kept_as, presets_of, reword, spell_value
from tabletin.app.storage.matches import StorageFailed
from tabletin.app.storage.profiles import KEPT_AS as PROFILES
from tabletin.app.storage.profiles import Profiles
from tabletin.app.ui.html import (
    bar,
    button,
    choice,
    esc,
    field,
    game_key,
    game_name,
    game_text,
    icon,
    lid_picture,
    link,
    section,
    select,
    switch,
    tag,
)
from tabletin.app.ui.screen import Screen
from tabletin.board.guide import KNOWN, guide_for, known_as
from tabletin.board.lesson import lessons_of
from tabletin.board.portraits import portrait
from tabletin.bots.characters import stock_names
from tabletin.kernel.options import Choice, Listing, Number, Option, Preset, Switch
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import USUAL_LEVEL
from tabletin.registry import GAMES

MANY = 4  # choices that still stand side by side
OWN = "own"  # options that are no preset


def form_kept_as(game: str) -> str:
    """Where the form of ``game`` is kept as it was played last."""
    return f"tabletin.form.{game}"


class NewMatchScreen(Screen):
    """The new-match screen of one game."""

    plan: Plan
    starting = False
    detailed = False  # whether options are being chosen one by one
    fitting = USUAL_LEVEL  # the level that bots that adapt have now

    async def open(self) -> None:
        game = self.route.subject
        self.plan = Plan.from_text(game, self.shell.texts.recall(kept_as(game))).adopt_query(self.route.query)
        await asyncio.sleep(0)  # the game's rules were one task, the form is another
        self.seat_profile()
        await self.learn_fitting()
        new_here = guide_for(game) is not None and self.shell.texts.recall(known_as(game)) is None
        page = self.page(new_here=new_here)
        await asyncio.sleep(0)
        self.shell.document.paint(page, game_name(self.words, game))
        self.shell.prepare(game, bots=any(place.who in BOTS for place in self.plan.places))

    async def learn_fitting(self) -> None:
        """Look up which level fits, if a bot adapts."""
        if self.plan.is_adapting:
            try:
                self.fitting = level_that_fits(self.plan.game, await self.shell.matches.records())
            except (StorageFailed, Malformed):  # nothing is known of earlier matches
                self.fitting = USUAL_LEVEL

    @cached_property
    def profiles(self) -> Profiles:
        """The people who play on this device."""
        return Profiles.from_json(self.shell.texts.recall(PROFILES))

    def seat_profile(self) -> None:
        """My seat has the name of whoever plays now, unless another name was typed."""
        now = self.profiles.current
        for seat, place in enumerate(self.plan.places):
            if place.who == ME and now is not None and place.name != now.name and (
                    not place.name or self.profiles.is_name_of_somebody(place.name)):
                self.plan.sit(seat, now.name)

    def page(self, *, new_here: bool) -> str:
        """The whole screen. ``new_here``: the game's guide is offered first."""
        game = self.plan.game
        rules = link(self.text("newmatch.rules"), address(game, "rules"), look="quiet", picture="book-open")
        if guide_for(game) is not None and not new_here:
            rules = link(self.text("guide.offer.link"), address(game, "guide"), look="quiet", picture="pointer") + rules
        lessons = "".join(link(self.text(f"{lesson.section}.title"), address(game, lesson.word), look="quiet")
                          for lesson in lessons_of(game))
        picture = lid_picture(game, self.words.language)
        seats = f'<div id="seats">{self.seats()}</div>'
        return (
            bar(self.words, game_name(self.words, game), more=rules)
            + f'<form class="newmatch" data-do="play" novalidate><div class="cover">{picture}'
              f'<div class="words"><p class="tagline">{esc(game_text(self.words, game, "tagline"))}</p>{lessons}</div></div>'
              f'<div class="choices">{self.lacking()}{self.first_time() if new_here else ""}'
              f'{section("players", self.text("newmatch.players"), seats)}'
              f'<div id="options">{self.options()}</div></div>'
              f'<div class="start"><div id="start">{self.start()}</div></div></form>')

    # ---- parts ----

    def first_time(self) -> str:
        """The offer of a guide, at the first match of this game."""
        return (f'<aside class="first-time" id="first-time"><h2>{esc(self.text("guide.offer.title"))}</h2>'
                f'<p>{esc(self.text("guide.offer.text"))}</p>'
                f'{link(self.text("guide.offer.start"), address(self.plan.game, "guide"), picture="pointer")}</aside>')

    def lacking(self) -> str:
        """What a game in the making does not have yet; nothing for a whole one."""
        parts = GAMES[self.plan.game].lacking()
        name = game_name(self.words, self.plan.game)
        return "".join(f'<p class="quiet lacking">{esc(self.text(f"lacking.{part}", game=name))}</p>' for part in parts)

    def seats(self) -> str:
        plan, words = self.plan, self.words
        names = plan.names(words)
        rows = []
        for seat, place in enumerate(plan.places):
            who = select(f"who-{seat}", self.who_choices(), place.who, aria_label=self.text("newmatch.who", n=seat + 1))
            name = tag("input", type="text", name=f"name-{seat}", id=f"name-{seat}", value=place.name, maxlength=20,
                       placeholder=names[seat], autocomplete="off", spellcheck="false",
                       aria_label=self.text("newmatch.name_of", n=seat + 1)).removesuffix("</input>")
            away = button(self.text("newmatch.remove", name=names[seat]), "drop", look="quiet", picture="x",
                          only_picture=True, data_seat=seat, id=f"drop-{seat}") if len(plan.places) > plan.fewest else ""
            rows.append(f'<li data-seat="{seat}"><span class="disc seat-{seat}" aria-hidden="true">{seat + 1}</span>'
                        f"{name}{who}{away}{self.faces(seat)}</li>")
        add = button(self.text("newmatch.add"), "add", look="quiet", picture="plus", id="add-seat") \
            if len(plan.places) < plan.largest else ""
        hands = switch("open_hands", self.text("newmatch.open_hands.label"), plan.open_hands,
                       self.text("newmatch.open_hands.help")) if plan.is_shared else ""
        level = self.text(f"shell.level.{self.fitting}")
        adapts = (f'<p class="help" id="adapts">{esc(self.text("newmatch.adapts", level=level))}</p>'
                  if plan.is_adapting else "")
        return f'<ol class="seats">{"".join(rows)}</ol>{self.characters(names)}{adapts}{add}{hands}'

    def faces(self, seat: int) -> str:
        """The people of this device to be picked from, without reading or writing, where one of several may sit."""
        place, people = self.plan.places[seat], self.profiles.people
        if not people or place.who not in (ME, PERSON) or (place.who == ME and len(people) == 1):
            return ""
        faces = "".join(tag("button", picture_of(one), type="button", data_do="sit", data_seat=seat, data_player=one.id,
                            id=f"sit-{seat}-{one.id}", aria_label=one.name, aria_pressed=str(one.name == place.name).lower())
                        for one in people)
        return tag("div", faces, class_="sitters", role="group", aria_label=self.text("newmatch.who", n=seat + 1))

    def characters(self, names: list[str]) -> str:
        """The people behind the bots' stock names: the portrait of each with its habit, where it has one in this game."""
        known = stock_names(self.words)
        items = []
        for seat, (place, name, habit) in enumerate(zip(self.plan.places, names, self.plan.habits(self.words), strict=True)):
            if place.who in BOTS and name in known and habit:
                about = self.text(f"newmatch.habits.{habit}", name=name)
                items.append(f'<li class="seat-{seat}">{portrait(known[name])}<span>{esc(about)}</span></li>')
        return f'<ul class="characters help" id="habits">{"".join(items)}</ul>' if items else ""

    def who_choices(self) -> list[tuple[str, str]]:
        return [(who, self.text(f"newmatch.who_choices.{who}")) for who in (ME, PERSON, FAR, *BOTS)]

    def options(self) -> str:
        declared = self.plan.rules.options
        if not declared:
            return ""
        presets = self.plan.presets()
        if len(presets_of(self.plan.game)) > 1:
            own = self.detailed or not self.plan.preset or self.plan.refusal() is not None  # which may name one of them
            one_by_one = "".join(self.option(option) for option in declared)
            details = tag("details", f"<summary>{esc(self.text('newmatch.presets.details'))}</summary>{one_by_one}", open=own)
            return section("more", self.text("newmatch.options"), self.presets(presets) + details)
        plain = "".join(self.option(option) for option in declared if not option.advanced)
        more = "".join(self.option(option) for option in declared if option.advanced)
        if more:
            opened = self.plan.refusal() is not None or any(
                self.plan.value(option) != option.default for option in declared if option.advanced)
            more = tag("details", f"<summary>{esc(self.text('newmatch.more'))}</summary>{more}", open=opened)
        return section("more", self.text("newmatch.options"), plain + more)

    def presets(self, presets: list[Preset]) -> str:
        """One choice that fills the options, and a sentence about what is chosen."""
        now = self.plan.preset or OWN
        keys = [*(preset.key for preset in presets), *([OWN] if now == OWN else [])]
        choices = [(key, self.text(f"newmatch.presets.{key}")) for key in keys]
        return (choice("preset", self.text("newmatch.presets.label"), choices, now)
                + f'<p class="help preset-about" id="preset-about" role="status">{esc(self.preset_about(now))}</p>')

    def as_now(self) -> str:
        """The form as it is to look next time before Python is there, JSON text (``remembered`` in web/page/new_match.js)."""
        kept = NewMatchScreen(self.shell, self.route)
        kept.plan, kept.fitting = Plan.from_text(self.plan.game, self.plan.to_json()), self.fitting
        return json.dumps({"version": self.shell.version, "language": self.words.language, "html": kept.page(new_here=False)})

    def preset_about(self, key: str) -> str:
        """The sentence about the preset ``key``."""
        about = game_key(self.words, self.plan.game, f"presets.{key}")
        return self.text(about if about in self.words else f"newmatch.presets.about.{key}")

    def option(self, option: Option) -> str:
        """The control of one declared option."""
        name, value = f"option-{option.key}", self.plan.value(option)
        label, help_ = self.of_option(option, "label"), self.of_option(option, "help")
        if isinstance(option, Switch):
            return switch(name, label, bool(value), help_)
        if isinstance(option, Choice):
            choices = [(spell_value(option, one), self.of_option(option, f"choices.{one}")) for one in self.plan.choices(option)]
            if len(option.choices) <= MANY:
                return choice(name, label, choices, spell_value(option, value), help_)
            return field(name, label, select(name, choices, spell_value(option, value),
                                             aria_describedby=f"{name}-help" if help_ else None), help_)
        if isinstance(option, Number):
            return self.number(option, name, value, label, help_)
        said = reword(spell_value(option, value), self.words_of_list(option))
        text = tag("textarea", esc(said), name=name, id=name, rows=max(2, min(8, len(value))),
                   spellcheck="false", aria_describedby=f"{name}-help" if help_ else None)
        return field(name, label, text, help_)

    def number(self, option: Number, name: str, value: int | None, label: str, help_: str) -> str:
        less = button(self.text("newmatch.less", label=label), "step", look="quiet", picture="minus",
                      only_picture=True, data_option=option.key, data_by=-option.step, id=f"{name}-less")
        more = button(self.text("newmatch.more_of", label=label), "step", look="quiet", picture="plus",
                      only_picture=True, data_option=option.key, data_by=option.step, id=f"{name}-more")
        box = tag("input", type="text", inputmode="numeric", name=name, id=name, autocomplete="off",
                  value=self.text("newmatch.off") if value is None else value,
                  aria_describedby=f"{name}-help" if help_ else None).removesuffix("</input>")
        return field(name, label, f'<div class="stepper">{less}{box}{more}</div>', help_)

    def of_option(self, option: Option, rest: str) -> str:
        """The words of an option; a choice without words is shown as it is."""
        key = game_key(self.words, self.plan.game, f"options.{option.key}.{rest}")
        if key in self.words:
            return self.text(key)
        return rest.removeprefix("choices.") if rest.startswith("choices.") else ("" if rest == "help" else option.key)

    def words_of_list(self, option: Option) -> dict[str, str]:
        """The reader's words for those of a list."""
        return {word: self.of_option(option, f"words.{word}") for word in option.words} if isinstance(option, Listing) else {}

    def start(self) -> str:
        """The one primary button, and why it would not work where it would not."""
        refusal = self.plan.refusal()
        why = f'<p class="why" role="status">{esc(self.reason(refusal))}</p>' if refusal is not None else ""
        label = self.text("newmatch.starting" if self.starting else self.leads_to())
        picture = "users" if self.far else "play"
        play = tag("button", f"{icon(picture)}<span>{esc(label)}</span>", type="submit", class_="button primary large",
                   id="play", disabled=refusal is not None, aria_busy="true" if self.starting else None)
        return why + play

    @property
    def far(self) -> bool:
        """Whether this is for friends far away: somebody is to play there, or a room is open and wants another game."""
        return self.plan.is_remote or self.changes_room

    @property
    def changes_room(self) -> bool:
        return self.shell.rooms_if_any is not None and self.shell.rooms_if_any.may_change

    def leads_to(self) -> str:
        """What the primary button says: play at once, invite first, or back to the room with this game."""
        if not self.far:
            return "newmatch.play"
        return "newmatch.to_room" if self.changes_room else "newmatch.invite"

    def reason(self, refusal: Any) -> str:
        params = {**refusal.params}
        if "option" in params:
            label = game_key(self.words, self.plan.game, f"options.{params['option']}.label")
            params["option"] = self.text(label) if label in self.words else params["option"]
        if "text" in params:
            for option in self.plan.rules.options:
                params["text"] = reword(params["text"], self.words_of_list(option))
        return self.text(refusal.key, **params) if refusal.key in self.words else str(refusal)

    # ---- acts ----

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        plan = self.plan
        if do == "play":
            await self.play()
        elif do == "add":
            plan.add()
            self.shell.document.repaint("seats", self.seats())
            self.shell.document.repaint("options", self.options())
            self.shell.notices.announce(self.text("newmatch.added", n=len(plan.places)))
        elif do == "drop":
            plan.drop(int(data["seat"]))
            self.shell.document.repaint("seats", self.seats())
            self.shell.document.repaint("options", self.options())
            self.shell.notices.announce(self.text("newmatch.added", n=len(plan.places)))
        elif do == "sit":
            sitter = self.profiles.find(data["player"])
            if sitter is not None and int(data["seat"]) < len(plan.places):
                plan.sit(int(data["seat"]), sitter.name)
                self.shell.document.repaint("seats", self.seats())
        elif do == "step":
            self.step(data["option"], int(data["by"]))
        self.shell.document.repaint("start", self.start())

    def step(self, key: str, by: int) -> None:
        """A number one step up or down; below its least lies "off" where it has that."""
        option = next(option for option in self.plan.rules.options if option.key == key)
        assert isinstance(option, Number)
        value = self.plan.value(option)
        if value is None:
            value = option.low if by > 0 else None
        elif value + by < option.low:
            value = None if option.off else option.low
        else:
            value = min(option.high, value + by)
        self.plan.options[key] = value
        self.detailed = True
        self.shell.document.repaint("options", self.options())

    async def on_change(self, name: str, value: str) -> None:
        kind, _, which = name.partition("-")
        if kind == "who":
            was_refused = self.plan.refusal() is not None
            self.plan.put(int(which), value)
            await self.learn_fitting()
            self.shell.document.repaint("seats", self.seats())
            if self.plan.refusal() is not None and not was_refused:
                self.shell.document.repaint("options", self.options())
        elif kind == "name":
            self.plan.places[int(which)].name = value.strip()[:20]
        elif kind == "open_hands":
            self.plan.open_hands = value == "1"
        elif name == "preset":
            self.plan.take(value)
            self.detailed = False
            self.shell.document.repaint("options", self.options())
        elif kind == "option":
            for option in self.plan.rules.options:
                if option.key == which:
                    value = reword(value, {said.lower(): word for word, said in self.words_of_list(option).items()})
            self.plan.set_text(which, value)
            self.detailed = True
            self.shell.document.repaint("options", self.options())
        self.shell.document.repaint("start", self.start())

    async def play(self) -> None:
        """Begin the match as planned and go to its table."""
        if self.starting or self.plan.refusal() is not None:
            return
        self.starting = True
        self.shell.document.repaint("start", self.start())
        await asyncio.sleep(0)  # what was tapped looks tapped first, and each step is a task of its own
        self.shell.texts.keep(kept_as(self.plan.game), self.plan.to_json())
        self.shell.texts.keep(known_as(self.plan.game), KNOWN)
        await asyncio.sleep(0)
        self.shell.texts.keep(form_kept_as(self.plan.game), None if self.far else self.as_now())
        if self.far:
            self.shell.go(address(self.plan.game, "room"))
            return
        await asyncio.sleep(0)
        from tabletin.app.session.local import LocalSession
        await asyncio.sleep(0)
        session = await LocalSession.begin(self.plan.setup(self.words, self.fitting), self.shell.context)
        self.shell.handoff.put(session)
        self.shell.go(address("match", session.id))

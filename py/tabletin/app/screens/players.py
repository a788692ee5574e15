"""Who plays on this device: drawn faces with a name and a colour, what each has played, and badges.

Nobody has to be here: without a profile everything works as it does with one. A profile that is deleted takes no match with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from secrets import token_hex
from string import ascii_uppercase
from typing import Final

from tabletin.app.routes import address
from tabletin.app.screens.faces import picture_of
from tabletin.app.screens.player_statistics import SIGNS, Badge, GameTally, Statistics, statistics
from tabletin.app.storage.archive import pack_person
from tabletin.app.storage.hint_counts import KEPT_AS as HINTS
from tabletin.app.storage.hint_counts import HintCounts
from tabletin.app.storage.matches import MatchRecord, StorageFailed
from tabletin.app.storage.profiles import COLOURS, KEPT_AS, MOST, Profile, Profiles
from tabletin.app.storage.turn_bests import KEPT_AS as TURNS
from tabletin.app.storage.turn_bests import TENTHS, TurnBest, TurnBests
from tabletin.app.ui.html import bar, button, esc, field, game_name, icon, lid_picture, link, section, tag
from tabletin.app.ui.screen import Screen
from tabletin.board.avatar import ANIMALS
from tabletin.board.highlights import kind_of
from tabletin.kernel.schema import Malformed
from tabletin.kernel.setup import COLOURS as COLOUR_NAMES
from tabletin.registry import GAMES
from tabletin.words import figure

SAMPLES: Final = tuple(Profile("", "", animal, colour) for colour, animal in enumerate(("fox", "owl", "rabbit")))
"""Faces that are shown while nobody is here yet."""


class PlayersScreen(Screen):
    """``#/players``."""

    profiles: Profiles
    records: list[MatchRecord]
    turns: TurnBests
    shown_player = ""  # the profile whose page is open
    is_editing = False
    removing = False

    async def open(self) -> None:
        self.profiles, self.turns = Profiles(), TurnBests()
        self.recall()
        self.shown_player = self.profiles.chosen_id or (self.profiles.people[0].id if self.profiles.people else "")
        try:
            self.records = await self.shell.matches.records()
        except (StorageFailed, Malformed):  # the faces are there all the same
            self.records = []
        title = self.text("players.title")
        league = link(self.text("league.title"), address("league"), look="quiet", picture="trophy", id="league-link")
        self.shell.document.paint(f'{bar(self.words, title, back=address("matches"), more=league)}'
                                  f'<article class="players" id="players">{self.page()}</article>', title)

    # ---- parts ----

    def page(self) -> str:
        return self.faces() + f'<div id="player">{self.player()}</div>'

    def faces(self) -> str:
        """Everybody, to be chosen from; and a place for somebody new."""
        if not self.profiles.people:
            new = button(self.text("players.new"), "new", look="primary", picture="user-plus", id="new-player")
            faces = "".join(map(picture_of, SAMPLES))
            return f'<div class="welcome"><div class="row">{faces}</div><p>{esc(self.text("players.none"))}</p>{new}</div>'
        items = "".join(self.face(one) for one in self.profiles.people)
        new = ""
        if len(self.profiles.people) < MOST:
            new = f'<li>{button(self.text("players.new"), "new", look="quiet", picture="user-plus", id="new-player")}</li>'
        return f'<ul class="faces">{items}{new}</ul>'

    def face(self, profile: Profile) -> str:
        now = profile.id == self.profiles.chosen_id
        plays = f'<span class="quiet">{esc(self.text("players.plays_now"))}</span>' if now else ""
        inner = f'{picture_of(profile)}<span class="name">{esc(profile.name)}</span>{plays}'
        return tag("li", tag("button", inner, type="button", class_="face", data_do="show", data_player=profile.id,
                             id=f"face-{profile.id}", aria_pressed=str(profile.id == self.shown_player).lower()))

    def player(self) -> str:
        """What one profile has to show, or its form."""
        profile = self.profiles.find(self.shown_player)
        if profile is None:
            return ""
        return self.form(profile) if self.is_editing else self.details(profile)

    def form(self, profile: Profile) -> str:
        """Name, colour, face."""
        called = self.animal_name(_animal(profile))  # as long as nobody gives it another name
        name = tag("input", type="text", name="name", id="name", value="" if profile.name == called else profile.name,
                   placeholder=called, maxlength=20, autocomplete="off", spellcheck="false").removesuffix("</input>")
        animals = "".join(self.choice("animal", animal, replace(profile, animal=animal), animal == _animal(profile),
                                      self.animal_name(animal)) for animal in ANIMALS)
        colours = "".join(self.choice("colour", str(colour), replace(profile, colour=colour), colour == profile.colour,
                                      self.text(f"players.colours.{COLOUR_NAMES[colour]}")) for colour in range(COLOURS))
        done = button(self.text("players.done"), "done", look="primary", picture="check", id="player-done")
        return (section("edit", self.text("players.edit"), field("name", self.text("players.name"), name)
                        + f'<fieldset class="field"><legend>{esc(self.text("players.animal"))}</legend>'
                          f'<div class="looks">{animals}</div></fieldset>'
                        + f'<fieldset class="field"><legend>{esc(self.text("players.colour"))}</legend>'
                          f'<div class="looks">{colours}</div></fieldset>')
                + f'<div class="row">{done}{self.remove()}</div>')

    def choice(self, name: str, value: str, profile: Profile, on: bool, label: str) -> str:
        box = tag("input", type="radio", name=name, value=value, checked=on, aria_label=label).removesuffix("</input>")
        return f"<label>{box}{picture_of(profile)}</label>"

    def remove(self) -> str:
        if not self.removing:
            return button(self.text("players.remove"), "remove", look="quiet danger", picture="trash-2", id="remove-player")
        return (button(self.text("players.really"), "really_remove", look="danger", id="really-remove")
                + button(self.text("players.keep"), "keep", look="quiet", id="keep-player"))

    def details(self, profile: Profile) -> str:
        """What was played, and badges."""
        hinted = HintCounts.from_json(self.shell.texts.recall(HINTS)).turns
        found = statistics(profile, self.records, hinted)
        ways = button(self.text("players.change"), "edit", look="quiet", picture="settings", id="edit-player")
        ways += button(self.text("players.hand_out"), "hand_out", look="quiet", picture="download", id="save-player")
        if profile.id != self.profiles.chosen_id:
            ways = button(self.text("players.choose", name=profile.name), "choose", look="primary", picture="check",
                          id="choose-player") + ways
        else:
            ways = link(self.text("players.play"), "#/", look="primary", picture="play") + ways
        return (f'<div class="row">{ways}</div>{self.numbers(profile, found)}'
                + section("badges", self.text("players.badges"),
                          f'<ul class="badges">{"".join(map(self.badge, found.badges))}</ul>'))

    def numbers(self, profile: Profile, found: Statistics) -> str:
        if not found.matches:
            told = self.text("players.nothing_yet", name=profile.name)
            return section("numbers", self.text("players.numbers"), f'<p class="quiet">{esc(told)}</p>')
        most = max(tally.matches for tally in found.games.values())
        rows = "".join(self.row(profile, game, tally, most) for game, tally in found.games.items())
        told = self.text("players.in_all", n=found.matches, won=found.wins)
        return section("numbers", self.text("players.numbers"), f'<p>{esc(told)}</p><ul class="tallies">{rows}</ul>'
                       f'<p class="quiet">{esc(self.text("matches.what_counts"))}</p>')

    def row(self, profile: Profile, game: str, tally: GameTally, most: int) -> str:
        """One game in a picture and in numbers."""
        told = self.text("players.tally", n=tally.matches, won=tally.wins, best=figure(tally.best or 0))
        turns = "".join(f'<span class="quiet">{icon("star")} {esc(told)}</span>'
                        for kind, best in self.turns.turns_of(profile.id, game).items()
                        if (told := self.best_turn(game, kind, best)))
        lid, name = lid_picture(game, self.words.language), esc(game_name(self.words, game))
        return (f'<li>{lid}<span class="words"><span class="name">{name}</span>'
                f'{bars(tally.matches, tally.wins, most)}<span class="quiet">{esc(told)}</span>{turns}</span></li>')

    def best_turn(self, game: str, name: str, best: TurnBest) -> str:
        """What it was the best of, and how much; "" for what the game does not tell any more."""
        kind = kind_of(game, name)
        if kind is None:
            return "" if best.badge else self.text("players.best_turn.points", n=best.n, points=figure(best.n, plus=True))
        if (kind.badge, kind.is_least_best) != (best.badge, best.is_least_best):
            return ""
        seconds, tenths = divmod(best.n, 10)
        amount = self.text("players.best_turn.tenths", seconds=seconds, tenths=tenths) if best.badge == TENTHS else \
            self.text(self.words.own_key(GAMES[game].family, best.badge), n=best.n)
        return self.text("players.best_turn.of", title=self.text(kind.title), amount=amount)

    def badge(self, badge: Badge) -> str:
        how = self.text(f"players.badge.{badge.key}.how", n=badge.need)
        far = "" if badge.is_earned or badge.need == 1 else f' <span class="quiet">{badge.have}/{badge.need}</span>'
        state = f'<span class="unseen">{esc(self.text("players.earned" if badge.is_earned else "players.not_yet"))}</span>'
        return (f'<li class="{"earned" if badge.is_earned else "open"}"><span class="medal">{icon(SIGNS[badge.key])}</span>'
                f'<span class="words"><span class="name">{esc(self.text(f"players.badge.{badge.key}.name"))}{far}</span>'
                f'<span class="quiet">{esc(how)}</span>{state}</span></li>')

    # ---- what happens ----

    def recall(self) -> None:
        """Take up what is kept: another tab may have changed it. Where nothing can be kept, what is here stands."""
        people, turns = (self.shell.texts.recall(key) for key in (KEPT_AS, TURNS))
        self.profiles = self.profiles if people is None else Profiles.from_json(people)
        self.turns = self.turns if turns is None else TurnBests.from_json(turns)

    def keep(self, profiles: Profiles) -> None:
        self.profiles = profiles
        self.shell.texts.keep(KEPT_AS, profiles.to_json())

    def rename(self, profile: Profile, name: str) -> Profile:
        """``profile`` under another name. The old one is forgotten where no match was played under it."""
        now = replace(profile, names=())
        return profile.rename(name, has_played=any(now.seat_in(record) is not None for record in self.records))

    def paint(self, focus: str = "") -> None:
        self.shell.document.repaint("players", self.page())
        if focus:
            self.shell.document.focus(focus)

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        self.recall()
        profile = self.profiles.find(self.shown_player)
        focus = ""
        if do == "new":
            number = len(self.profiles.people)
            name, animal = self.free_look()
            new = Profile(token_hex(8), name, animal, number % COLOURS)
            self.keep(self.profiles.with_profile(new))
            self.keep(self.profiles if self.profiles.current else self.profiles.choose(new.id))
            self.shown_player, self.is_editing, focus = new.id, True, "name"
        elif do == "show":
            self.shown_player, self.is_editing, self.removing, focus = data["player"], False, False, f'face-{data["player"]}'
        elif profile is None:
            return
        elif do == "choose":
            self.keep(self.profiles.choose(profile.id))
            self.shell.notices.announce(self.text("players.chosen", name=profile.name))
            focus = f"face-{profile.id}"
        elif do == "hand_out":
            await self.hand_out(profile)
            return
        elif do in ("edit", "done"):
            self.is_editing, self.removing = do == "edit", False
            focus = "name" if self.is_editing else "edit-player"
        elif do in ("remove", "keep"):
            self.removing = do == "remove"
            focus = "keep-player" if self.removing else "remove-player"
        elif do == "really_remove":
            self.keep(self.profiles.remove(profile.id))
            self.turns = self.turns.remove(profile.id)
            self.shell.texts.keep(TURNS, self.turns.to_json())
            self.shown_player = self.profiles.people[0].id if self.profiles.people else ""
            self.is_editing = self.removing = False
            self.shell.notices.announce(self.text("players.removed", name=profile.name))
            focus = "new-player"
        self.paint(focus)

    async def hand_out(self, profile: Profile) -> None:
        """One person as a file, to be loaded on another device."""
        try:
            text = await pack_person(self.shell.matches, self.shell.texts, profile)
        except StorageFailed as failure:
            self.shell.notices.say(self.text(failure.key))
        else:
            self.shell.document.hand_out("tabletin-player.json", text)

    def free_look(self) -> tuple[str, str]:
        """How somebody new is called for now, after its animal: as nobody is or was called, and no guest; and the animal."""
        animal = min(ANIMALS, key=[one.animal for one in self.profiles.people].count)
        names = (f"{self.animal_name(animal)}{end}" for end in ("", *(f" {letter}" for letter in ascii_uppercase[1:])))
        return next(name for name in names if not self.profiles.is_name_of_somebody(name)), animal

    def animal_name(self, animal: str) -> str:
        return self.text(f"players.animals.{animal}")

    async def on_change(self, name: str, value: str) -> None:
        self.recall()
        profile = self.profiles.find(self.shown_player)
        if profile is None:
            return
        if name == "name":
            self.keep(self.profiles.with_profile(self.rename(profile, value)))
        elif name == "animal" and value in ANIMALS:
            new, told = replace(profile, animal=value), self.animal_name(value)
            if profile.name == self.animal_name(_animal(profile)) and not self.profiles.is_name_of_somebody(told):
                new = self.rename(new, told)  # it was called after the other animal
            self.keep(self.profiles.with_profile(new))
        elif name == "colour" and value in map(str, range(COLOURS)):
            self.keep(self.profiles.with_profile(replace(profile, colour=int(value))))
        self.paint()


def _animal(profile: Profile) -> str:
    return profile.animal if profile.animal in ANIMALS else next(iter(ANIMALS))


def bars(matches: int, wins: int, most: int) -> str:
    """Matches as a bar, those won as its filled part; the widest is ``most`` matches."""
    width, won = 100 * matches / most, 100 * wins / most
    return ('<svg class="tally" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
            f'<rect class="all" width="{width:.1f}" height="8" rx="2"/>'
            f'<rect class="won" width="{won:.1f}" height="8" rx="2"/></svg>')

"""The settings, and everything this device keeps: hand it out, take it in, delete it.

Each change holds at once; there is nothing to confirm but the deletion.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Any

from tabletin.app.routes import address
from tabletin.app.screens.judge import ask_worker
from tabletin.app.settings import CLOTHS, MOTIONS, PACES, SERVER_FORMS, SIZES, TALKS, THEMES, USUAL_STUN, as_address
from tabletin.app.storage.archive import MOST_BYTES, Unreadable, archived_league, pack, unpack, unpack_texts
from tabletin.app.storage.matches import StorageFailed
from tabletin.app.ui.html import bar, button, choice, esc, field, file_button, link, section, select, switch, tag
from tabletin.app.ui.screen import Screen
from tabletin.kernel.options import Refused
from tabletin.kernel.schema import Malformed
from tabletin.peers.worker.answer import WorkerAnswer
from tabletin.peers.worker.calls import DeviceCall
from tabletin.words import language_names


class SettingsScreen(Screen):
    """``#/settings``."""

    largest_file = MOST_BYTES
    deleting = False
    is_notify_refused = False  # the person wants notifications, and the device does not allow them
    turn = False  # its fields are shown although no address stands there yet
    return_address = ""  # a room that lacks a server leads here, and here leads back

    async def open(self) -> None:
        title = self.text("settings.title")
        self.return_address = self.return_address or self.way_back("room", "match", "far")
        parts = (f'<div id="choices">{self.choices()}</div><div id="helpers">{self.servers()}</div>{self.data()}'
                 f'{self.about_section()}')
        self.shell.document.paint(f'{bar(self.words, title, back=self.return_address)}<div class="settings">{parts}</div>', title)
        if self.route.query.get("at") == "far":
            self.shell.document.point_at("far")

    def choices(self) -> str:
        now = self.shell.settings

        def of(name: str, values: Any, chosen: str) -> str:
            pairs = [(value, self.text(f"settings.{name}.{value}")) for value in values]
            key = f"settings.{name}.help"
            help_ = self.text(key) if key in self.words else ""
            return choice(name, self.text(f"settings.{name}.label"), pairs, chosen, help_)

        sizes = choice("text", self.text("settings.text.label"),
                       [(size, self.text("settings.text.size", n=int(size))) for size in SIZES], now.text)
        colours = of("theme", THEMES, now.theme) + of("cloth", CLOTHS, now.cloth)
        look = colours + sizes + of("motion", MOTIONS, now.motion) + self.language(now.language)
        sound = switch("sound", self.text("settings.sound.label"), now.sound, self.text("settings.sound.help"))
        taps = switch("own_taps", self.text("settings.own_taps.label"), now.own_taps, self.text("settings.own_taps.help"))
        return (section("look", self.text("settings.look"), look)
                + section("play", self.text("settings.play"), of("pace", PACES, now.pace) + taps + sound + self.attention()))

    def attention(self) -> str:
        """Reading aloud and notifications, where the browser has them."""
        now, signals = self.shell.settings, self.shell.signals
        refused = tag("p", esc(self.text("settings.notify.refused")), class_="notice", role="status") \
            if self.is_notify_refused else ""
        voice = switch("read_aloud", self.text("settings.read_aloud.label"), now.read_aloud,
                       self.text("settings.read_aloud.help")) if signals.has_voice else ""
        return voice + (switch("notify", self.text("settings.notify.label"), now.notify,
                               self.text("settings.notify.help")) + refused if signals.has_notifications else "")

    def servers(self) -> str:
        """What helps to meet friends far away: each off until it is switched on, and told in a sentence; folded away."""
        now = self.shell.settings

        def of(name: str, label: str, value: str) -> str:
            box = tag("input", type="text", name=name, id=name, value=value, autocomplete="off", spellcheck="false",
                      autocapitalize="off").removesuffix("</input>")
            return field(name, self.text(f"settings.far.{label}"), box)

        def server(name: str, on: bool, more: str) -> str:
            return switch(f"use_{name}", self.text(f"settings.far.{name}.label"), on,
                          self.text(f"settings.far.{name}.help")) + (more if on else "")

        def unused(name: str) -> str:
            why = self.shell.unusable(name)
            return tag("p", esc(self.text(f"settings.far.unused.{why}")), class_="notice", role="status") if why else ""

        talk = choice("talk", self.text("settings.far.talk.label"),
                      [(one, self.text(f"settings.far.talk.{one}")) for one in TALKS], now.talk,
                      self.text("settings.far.talk.help"))
        turn = (of("turn", "turn.address", now.turn) + of("turn_user", "turn.user", now.turn_user)
                + of("turn_password", "turn.password", now.turn_password) + unused("turn"))
        parts = (server("stun", bool(now.stun), of("stun", "stun.address", now.stun) + unused("stun"))
                 + server("turn", self.turn or bool(now.turn), turn)
                 + server("relay", now.relay, of("relay_url", "relay.address", now.relay_url)))
        more = link(self.text("far_away.more"), address("far"), look="quiet", picture="book-open", id="far-away")
        is_open = bool(now.stun or now.turn or now.relay or self.turn) or self.route.query.get("at") == "far"
        folded = tag("details", f'<summary>{esc(self.text("settings.far.more"))}</summary>'
                                f'<p class="quiet">{esc(self.text("settings.far.text"))}</p>{parts}', id="servers", open=is_open)
        return section("far", self.text("settings.far.title"), f'{talk}{folded}<div class="row">{more}</div>')

    def help_with(self, name: str, on: bool) -> None:
        """A server is switched on or off."""
        settings = self.shell.settings
        if name == "relay":
            settings = settings.with_value("relay", on)
        elif name == "stun":
            settings = settings.with_value("stun", USUAL_STUN if on else "")
        else:
            self.turn = on
            settings = settings if on else settings.with_value("turn", "")
        self.shell.adopt(settings)
        self.shell.document.repaint("helpers", self.servers())

    def language(self, chosen: str) -> str:
        """The choice of language, once there is more than one."""
        names = language_names()
        if len(names) < 2:
            return ""
        choices = [("", self.text("settings.language.auto")), *names.items()]
        return field("language", self.text("settings.language.label"), select("language", choices, chosen))

    def data(self) -> str:
        hand_out = button(self.text("settings.data.hand_out"), "hand_out", picture="download")
        take_in = file_button("archive", self.text("settings.data.take_in"), ".json,.jsonl")
        return section("data", self.text("settings.data.title"),
                       f'<p class="quiet">{esc(self.text("settings.data.text"))}</p>'
                       f'<div class="row">{hand_out}{take_in}</div><div id="delete">{self.delete()}</div>')

    def delete(self) -> str:
        if not self.deleting:
            return button(self.text("settings.data.delete"), "ask_delete", look="danger", picture="trash-2",
                          id="ask-delete")
        ways = (button(self.text("settings.data.really"), "delete", look="danger", picture="trash-2", id="really-delete")
                + button(self.text("settings.data.keep"), "keep", look="quiet", id="keep-all"))
        return (f'<div class="notice" role="alert"><p>{esc(self.text("settings.data.sure"))}</p>'
                f'<div class="row">{ways}</div></div>')

    def about_section(self) -> str:
        licences = link(self.text("settings.about.licences"), "./licences.txt", look="quiet", picture="scroll-text")
        licences += link(self.text("judge.title"), address("judge"), look="quiet", picture="scroll-text")
        about = f'<p class="quiet">{esc(self.text("settings.about.text", version=self.shell.version))}</p>'
        return section("about", self.text("settings.about.title"), f'{about}<div class="row">{licences}</div>')

    async def on_change(self, name: str, value: str) -> None:
        settings = self.shell.settings
        if name in ("sound", "own_taps"):
            self.shell.adopt(settings.with_value(name, value == "1"))
            if name == "sound":
                self.shell.signals.play("score")  # whoever switches it on hears what it is like
        elif name == "read_aloud":
            self.shell.adopt(settings.with_value(name, value == "1"))
            self.shell.signals.hush()
            self.shell.signals.read_aloud(self.text("settings.read_aloud.first"))
        elif name == "notify":
            self.is_notify_refused = value == "1" and not await self.shell.signals.may_notify()
            self.shell.adopt(self.shell.settings.with_value(name, value == "1" and not self.is_notify_refused))
            self.shell.document.repaint("choices", self.choices())
        elif name.startswith("use_"):
            self.help_with(name.removeprefix("use_"), value == "1")
        elif name in SERVER_FORMS:
            self.shell.adopt(settings.with_value(name, as_address(name, value.strip())))
            self.shell.document.repaint("helpers", self.servers())
        elif name == "talk":
            self.shell.adopt(settings.with_value(name, value))
            if self.shell.rooms_if_any is not None:
                self.shell.rooms_if_any.apply_chat_settings()
        elif name in ("theme", "cloth", "motion", "text", "pace", "language"):
            self.shell.adopt(settings.with_value(name, value))
        if name == "language":
            await self.shell.translate()
            await self.open()

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        try:
            if do == "hand_out":
                self.shell.document.hand_out("tabletin.json",
                    await pack(self.shell.matches, self.shell.settings, self.shell.texts))
            elif do == "delete" and not await self.clear():
                self.deleting = False
                self.shell.document.repaint("delete", self.delete())
                self.shell.notices.say(self.text("settings.data.in_use"))
            elif do == "delete":
                self.shell.forget_everything()
                await self.shell.translate()
                self.shell.notices.say(self.text("settings.data.deleted"))
                self.shell.go(address())
                return
        except StorageFailed as failure:
            self.shell.notices.say(self.text(failure.key))
        if do in ("ask_delete", "keep"):
            self.deleting = do == "ask_delete"
            self.shell.document.repaint("delete", self.delete())
            self.shell.document.focus("keep-all" if self.deleting else "ask-delete")

    async def clear(self) -> bool:
        """Delete all matches, unless a tab plays one: what it writes next would stand alone. Whether they are deleted."""
        locks, claimed = self.shell.context.locks, list[str]()
        try:
            with suppress(Malformed):  # a list that cannot be read is no reason to keep everything
                for record in await self.shell.matches.records():
                    if not await locks.claim(record.id):
                        return False
                    claimed.append(record.id)
            await self.shell.matches.clear()
            return True
        finally:
            for name in claimed:
                locks.release(name)

    async def ask_worker(self, call: DeviceCall) -> WorkerAnswer:
        """The worker's answer, which may take a while. Raises ``Refused``."""
        self.shell.notices.announce(self.text("judge.checking"))
        return await ask_worker(self.shell, call)

    async def on_file(self, name: str, text: str) -> None:
        """What is in a file comes beside what is here; nothing is replaced, and nothing changed before all of it is judged."""
        try:
            league = await archived_league(text, self.ask_worker, date.today())
            added, there = await unpack(self.shell.matches, text, self.ask_worker)
            unpack_texts(self.shell.texts, text, date.today())
            await self.shell.league.change(lambda here: here.merge(league))
            self.shell.fill_home(await self.shell.matches.records())
        except (Unreadable, Refused) as error:
            self.shell.notices.say(self.text("settings.data.unreadable", why=self.sentence(error.refusal)))
        except StorageFailed as failure:
            self.shell.notices.say(self.text(failure.key))
        else:
            key = "settings.data.taken_in" if there else "settings.data.loaded"
            self.shell.notices.say(self.text(key, n=added, there=there))



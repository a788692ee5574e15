"""The settings, and everything this device keeps: hand it out, take it in, delete it.

Each change holds at once; there is nothing to confirm but the deletion.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletin.words import languages

from .archive import Unreadable, pack, unpack
from .markup import bar, button, choice, esc, link, select, field, switch
from .routes import address
from .screen import Screen
from .settings import MOTIONS, PACES, SIZES, THEMES
from .shelf import Occupied, StorageFailed


class SettingsScreen(Screen):
    """``#/settings``."""

    deleting = False

    async def open(self) -> None:
        title = self.text("settings.title")
        html = bar(self.words, title) + f'<div class="settings"><div id="choices">{self.choices()}</div>{self.data()}{self.about()}</div>'
        self.shell.paint(html, title)

    def choices(self) -> str:
        now = self.shell.settings

        def of(name: str, values: Any, chosen: str) -> str:
            pairs = [(value, self.text(f"settings.{name}.{value}")) for value in values]
            key = f"settings.{name}.help"
            return choice(name, self.text(f"settings.{name}.label"), pairs, chosen, self.text(key) if key in self.words else "")

        sizes = choice("text", self.text("settings.text.label"), [(size, f"{size} %") for size in SIZES], now.text)
        spoken = [("", self.text("settings.language.auto")), *((code, self.text(f"settings.language.{code}")) for code in languages())]
        language = field("language", self.text("settings.language.label"), select("language", spoken, now.language)) \
            if len(spoken) > 2 else ""
        return (f'<section aria-labelledby="look"><h2 id="look">{esc(self.text("settings.look"))}</h2>'
                f'{of("theme", THEMES, now.theme)}{sizes}{of("motion", MOTIONS, now.motion)}{language}</section>'
                f'<section aria-labelledby="play"><h2 id="play">{esc(self.text("settings.play"))}</h2>'
                f'{of("pace", PACES, now.pace)}'
                f'{switch("sound", self.text("settings.sound.label"), now.sound, self.text("settings.sound.help"))}</section>')

    def data(self) -> str:
        take_in = (f'<label class="button quiet file" for="archive"><span>{esc(self.text("settings.data.take_in"))}</span></label>'
                   f'<input type="file" class="unseen" id="archive" name="archive" accept=".json,.jsonl,application/json">')
        return (f'<section aria-labelledby="data"><h2 id="data">{esc(self.text("settings.data.title"))}</h2>'
                f'<p class="quiet">{esc(self.text("settings.data.text"))}</p>'
                f'<div class="row">{button(self.text("settings.data.hand_out"), "hand_out", look="quiet", picture="download")}'
                f'{take_in}</div><div id="delete">{self.delete()}</div></section>')

    def delete(self) -> str:
        if not self.deleting:
            return button(self.text("settings.data.delete"), "ask_delete", look="quiet danger", picture="trash-2", id="ask-delete")
        return (f'<div class="notice" role="alert"><p>{esc(self.text("settings.data.sure"))}</p><div class="row">'
                f'{button(self.text("settings.data.really"), "delete", look="danger", picture="trash-2", id="really-delete")}'
                f'{button(self.text("settings.data.keep"), "keep", look="quiet", id="keep-all")}</div></div>')

    def about(self) -> str:
        licences = link(self.text("settings.about.licences"), "./licences.txt", look="quiet", picture="scroll-text")
        return (f'<section aria-labelledby="about"><h2 id="about">{esc(self.text("settings.about.title"))}</h2>'
                f'<p class="quiet">{esc(self.text("settings.about.text", version=self.shell.version))}</p>'
                f'<div class="row">{licences}</div></section>' if self.shell.version else "")

    async def changed(self, name: str, value: str) -> None:
        settings = self.shell.settings
        if name == "sound":
            self.shell.adopt(settings.changed(name, value == "1"))
        elif name in ("theme", "motion", "text", "pace", "language"):
            self.shell.adopt(settings.changed(name, value))
        if name == "language":
            await self.open()

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        try:
            if do == "hand_out":
                self.shell.hand_out("tabletin.json", await pack(self.shell.shelf, self.shell.settings))
            elif do == "delete":
                await self.shell.shelf.clear()
                self.shell.forget_everything()
                self.shell.say(self.text("settings.data.deleted"))
                self.shell.go(address())
                return
        except StorageFailed as failure:
            self.shell.say(self.text(failure.key))
        if do in ("ask_delete", "keep"):
            self.deleting = do == "ask_delete"
            self.shell.repaint("delete", self.delete())
            self.shell.focus("keep-all" if self.deleting else "ask-delete")

    async def chosen_file(self, name: str, text: str) -> None:
        """Matches from a file come beside those that are here; nothing is replaced."""
        try:
            added, there = await unpack(self.shell.shelf, text)
        except Unreadable as error:
            self.shell.say(self.text("settings.data.unreadable", why=str(error)))
        except (StorageFailed, Occupied) as failure:
            self.shell.say(self.text(failure.key if isinstance(failure, StorageFailed) else "shell.storage.blocked"))
        else:
            self.shell.say(self.text("settings.data.taken_in", n=added, there=there))



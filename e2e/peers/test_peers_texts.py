"""Texts that others wrote, brought to every door where they come in: what guests and hosts send, links, codes, files.

None becomes an element or an attribute, none runs, none makes the page wider, and what can be read of it is there to be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from e2e.support.rooms import hosted, invitation, meet, playing, python, ready, to
from tabletin.kernel.dealing import OpenDealer
from tabletin.kernel.logfile import export
from tabletin.kernel.setup import Seat, Setup
from tabletin.kernel.table import AUTHOR, Table
from tabletin.peers.room.messages import VERSION
from tabletin.registry import rules_of
from tests.support.examples import ONE_DEAL

pytestmark = pytest.mark.shares_pages

NewDevice = Callable[..., Page]
Visit = Callable[..., Page]

MARKUP: Final = "<b data-hit>Bo</b>"  # as long as a name may be
FAMILY: Final = "\U0001f469\u200d\U0001f467"
HOSTILE: Final = (
    MARKUP, "<img src=x onerror=hit()>", '"><script>hit()</script>', "' autofocus onfocus='hit()", "javascript:hit()",
    "A\u202eda\u2066", "Z\u200bo\u200ee", "x" * 10_000, "U\u2028V\u2029W\x85X\nY", "N\x00U\x1b[31mL", FAMILY, "\ud800half\udc00",
    "{seat} {0} %s &amp; ${hit()}", "Z" + "\u0301" * 60, "\U000e0041tag\ufffa")
LOOK: Final = r"""() => {
    const unseen = new RegExp("[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069"
        + "\ufeff\ufff9-\ufffb\\p{Cs}\\u{e0000}-\\u{e0fff}]", "u");
    const texts = [...document.body.querySelectorAll("*")].flatMap((each) => [
        ...[...each.attributes].map(({ value }) => value),
        ...[...each.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data)]);
    return {
        elements: document.querySelectorAll("[data-hit], [onerror], [onfocus], img[src='x'], [href^='javascript:' i]").length,
        unseen: [...texts, document.title].filter((text) => unseen.test(text)).map((text) => text.slice(0, 80)),
        beyond: Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth),
        hit: typeof globalThis.hit,
    };
}"""
HARMLESS: Final = {"elements": 0, "unseen": [], "beyond": 0, "hit": "undefined"}
PHONE: Final = pytest.mark.browser_context_args(viewport={"width": 390, "height": 844}, has_touch=True)
PATIENCE: Final = 1200  # ms; lines come no faster than a room hears them
ROOM: Final = """
import json
from tabletin.app.main import app
room = app.app.rooms.room
"""


def harmless(page: Page, text: str) -> None:
    assert page.evaluate(LOOK) == HARMLESS, text[:60].encode("unicode_escape")


@PHONE
def test_what_a_guest_says_and_calls_itself(new_device: NewDevice) -> None:
    ada, bo = hosted(new_device()), new_device()
    meet(ada, bo, "Bo")
    for text in (*HOSTILE, MARKUP):
        python(bo, f"""{ROOM}
text = json.loads({json.dumps(text)!r})
for do, said in (("name", {{"name": text[:200]}}), ("say", {{"text": text, "reaction": text[:9]}}), (text, {{}}),
                 ("ready", {{"agreement": text}}), ("sit", {{"chair": text}})):
    room.transport.send(room.state.host, "room", json.dumps({{"v": {VERSION}, "do": do, **said}}))
""")
        bo.wait_for_timeout(PATIENCE)
        harmless(ada, text)
        harmless(bo, text)
    expect(ada.locator("#chairs")).to_contain_text(MARKUP)
    expect(bo.locator("#chairs")).to_contain_text(MARKUP)
    for page in (ada, bo):
        ready(page)
    playing(ada, bo)
    expect(ada.locator(".table-screen")).to_contain_text(MARKUP)
    ada.get_by_role("button", name="Messages").click()
    expect(ada.locator("#drawer")).to_contain_text(MARKUP)
    harmless(ada, MARKUP)


@PHONE
def test_what_a_host_says_of_the_room(new_device: NewDevice) -> None:
    """Names, bots' names, levels, colours, the game, its options, the nonce; each alone is hostile."""
    ada, bo = hosted(new_device()), new_device()
    meet(ada, bo, "Bo")
    for number, text in enumerate(HOSTILE):
        python(ada, f"""{ROOM}
text = json.loads({json.dumps(text)!r})
bot = {{"kind": "bot", "by": room.author, "name": "Robo", "level": "easy"}}
told = room.state.to_json()
changes = [
    lambda: told["members"][0].update(name=text[:20]), lambda: told["members"][0].update(colour=text[:20]),
    lambda: told.update(chairs=[bot | {{"name": text[:20]}}]), lambda: told.update(chairs=[bot | {{"level": text[:20]}}]),
    lambda: told.update(options={{text: text}}), lambda: told.update(options={{"seats": [text], "half_deck": text}}),
    lambda: told.update(nonce=text[:32]), lambda: told.update(ready={{text: text}}), lambda: told.update(removed=[text]),
    lambda: told.update(playing=text), lambda: told.update(game=text[:40]),
]
for place, change in enumerate(changes):
    told = room.state.to_json()
    change()
    told["version"] += {100 * number + 100} + place
    said = {{"v": {VERSION}, "do": "room", "room": told}}
    room.transport.send(None, "room", json.dumps(said))
room.transport.send(None, "room", json.dumps({{"v": {VERSION}, "do": "found", "genesis": {{text: [text]}}}}))
""")
        bo.wait_for_timeout(PATIENCE)
        harmless(bo, text)
    python(ada, f"""{ROOM}
told = room.state.to_json() | {{"version": 9000}}
told["members"][0]["name"] = {MARKUP!r}
room.send(None, "room", room=told)
""")
    expect(bo.locator("#chairs")).to_contain_text(MARKUP)
    harmless(bo, MARKUP)


def log_of(*seats: Seat) -> str:
    """The file of a match that was given up, with seats as nobody could write them in the page."""
    rules = rules_of(ONE_DEAL)
    table = Table.begin(rules, Setup(ONE_DEAL, rules.version, {}, seats), OpenDealer(Random(1)))
    table.say("resign", {"seat": 0})
    return export(table.match)


@PHONE
def test_what_stands_in_a_file(visit: Visit, tmp_path: Path) -> None:
    page = visit("#/judge")
    names = (tmp_path / f"{number}.jsonl" for number in count())

    def judge(text: str, verdict: str, look: str) -> None:
        file = next(names)  # a browser tells of a file only where it is another one
        file.write_text(text, "utf-8", newline="")
        page.evaluate("document.querySelectorAll('#verdict .notice').forEach((one) => { one.className = 'seen'; })")
        page.set_input_files("#judged", file)
        expect(page.locator(f"#verdict .notice.{look}")).to_contain_text(verdict)
        harmless(page, text)

    for text in HOSTILE:
        if not any("\ud800" <= char <= "\udfff" for char in text):  # half a character: no file holds it
            judge(log_of(Seat("person", AUTHOR, text[:40]), Seat("bot", AUTHOR, MARKUP, "easy")), MARKUP, "good")
    page.get_by_role("button", name="Keep").click()
    page.locator("#watch-log").click()
    expect(page.locator(".table-screen")).to_contain_text(MARKUP)
    harmless(page, MARKUP)
    to(page, "#/judge")
    expect(page.locator("#judged")).to_be_attached()
    for seat in (Seat("bot", AUTHOR, "", "godlike"), Seat("bot", AUTHOR, "", "easy", "red;}")):
        judge(log_of(Seat("person", AUTHOR), seat), "There is no such", "bad")
    first = '{"form":"tabletin-log","seat":null,"version":2}'
    for text in ("[" * 200_000, f"{first}\n{'9' * 100_000}", "\n" * 300_000, json.dumps(HOSTILE),
                 json.dumps({"form": "tabletin-accusation", "why": MARKUP, "exhibits": [MARKUP]})):
        judge(text, "", "bad")


def test_a_file_of_gigabytes_is_not_read(visit: Visit, tmp_path: Path) -> None:
    huge = tmp_path / "huge.jsonl"
    with huge.open("wb") as file:
        file.truncate(1 << 40)
    page = visit("#/judge")
    page.set_input_files("#judged", huge)
    expect(page.locator("#notices")).to_contain_text("at most 64 megabytes")


@PHONE
def test_what_stands_in_an_address(visit: Visit) -> None:
    page = visit("#/")
    for text in HOSTILE:
        said = quote(text[:1500].encode("utf-8", "surrogatepass"), safe="")
        for address in (f"#join={'A' * 60}&game={said}&by={said}", f"#meet={'A' * 22}&game={said}&by={said}&stun={said}",
                        f"#/{ONE_DEAL}/new?seats={said}&first_seat={said}&seed={said}", f"#/match/{said}/result", f"#/{said}",
                        f"#/{ONE_DEAL}/rules?find={said}", f"#/settings?at={said}", f"#{said}"):
            to(page, address)
            page.wait_for_timeout(100)
            harmless(page, address)
    to(page, f"#meet={'A' * 22}&game={ONE_DEAL}&by={quote(MARKUP, safe='')}")
    expect(page.locator("main:visible")).to_contain_text(MARKUP)
    harmless(page, MARKUP)


@PHONE
def test_what_is_pasted_as_a_code(new_device: NewDevice) -> None:
    page = hosted(new_device())
    invitation(page)
    field = page.get_by_label("Paste the reply")
    for text in HOSTILE:
        field.evaluate("(field, text) => { field.value = text; }", text)
        field.dispatch_event("input")
        page.locator("#use-code").click()
        expect(page.locator("#code-trouble .why")).to_be_visible()
        harmless(page, text)



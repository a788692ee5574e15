"""The home page: a tin for every game, what lies unfinished, what was played last.

``static_page`` is the page as it is before Python is there: the build writes it into index.html. What changes is filled in
later, by the page's own script from what it remembers, then from the shelf.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Final

from tabletin.app.routes import address
from tabletin.app.storage.matches import MatchRecord, StorageFailed
from tabletin.app.ui.html import button, esc, game_name, game_text, icon, lid_picture, link, tag
from tabletin.app.ui.screen import Screen
from tabletin.registry import GAMES, rules_of
from tabletin.words import Catalogue

LAST_SHOWN: Final = 4
MOST_WAITING: Final = 20  # unfinished matches; the list of all is a tap away
PUZZLE_AFTER: Final = 0.3  # seconds until the line about today's puzzle is written: everything else comes first
BY_HAND: Final = MappingProxyType({"share": ("share", "smartphone"), "dock": ("share", "monitor-smartphone"),
                                   "menu": ("ellipsis-vertical", "smartphone")})
"""The ways to install by hand: the sign that is pressed first, and where the page comes to stand."""


def static_page(words: Catalogue) -> str:
    """The home page without anything of this device: what stands inside ``<main id="home">``."""
    tins = "".join(tin(words, game) for game in GAMES)
    nav = "".join(
        link(words.text(key), address(name), look="quiet", picture=picture) for name, key, picture in (
            ("players", "players.link", "users"), ("league", "home.league", "trophy"),
            ("matches", "home.matches", "chart-no-axes-column"), ("settings", "home.settings", "settings")))
    return (
        f'<header class="masthead"><h1 class="wordmark" tabindex="-1">{esc(words.text("shell.name"))}</h1>'
        f'<p class="motto">{esc(words.text("home.motto"))}</p>'
        f'<nav aria-label="{esc(words.text("home.nav"))}">{nav}</nav></header>'
        f'<section id="unfinished" hidden aria-labelledby="unfinished-title">'
        f'<h2 id="unfinished-title">{esc(words.text("home.unfinished"))}</h2><ul class="waiting-matches"></ul></section>'
        f'{puzzle_link(words)}'  # new every day, so it stands where it is seen; one line, so that games are, too
        f'<section aria-labelledby="tins-title"><h2 id="tins-title">{esc(words.text("home.tins"))}</h2>'
        f'<ul class="tins">{tins}</ul></section>{friends_link(words)}'
        f'<section id="played" hidden aria-labelledby="played-title">'
        f'<h2 id="played-title">{esc(words.text("home.played"))}</h2><ul class="played-matches"></ul></section>'
        f'<footer class="foot"><p id="offline-state" hidden>{esc(words.text("home.offline"))}</p>'
        f'{button(words.text("home.install"), "install", picture="download", id="install", hidden=True)}'
        f'{install_by_hand(words)}</footer>')


def install_by_hand(words: Catalogue) -> str:
    """How the page is installed where the browser offers no button for it: a picture of the way, and a sentence.

    The page's own script shows the way of this browser, or none (web/page/install.js).
    """
    ways = ""
    for way, (first, last) in BY_HAND.items():
        signs = icon("arrow-right").join(icon(name) for name in (first, "square-plus", last))
        ways += (f'<div data-way="{way}"><p class="picture" aria-hidden="true">{signs}</p>'
                 f'<p>{esc(words.text(f"home.install_{way}"))}</p></div>')
    hide = button(words.text("home.install_hide"), "hide_install", look="quiet")
    return f'<details class="by-hand"><summary>{esc(words.text("home.install"))}</summary>{ways}{hide}</details>'


def startup(catalogues: Iterable[Catalogue]) -> str:
    """Why Python does not come, in every language: it cannot know which one is read. Inside ``<div id="startup">``."""
    catalogues = list(catalogues)
    shown = {key: in_each(catalogues, f"shell.{key}", "p") for key in ("too_old", "slow", "no_script")}
    again = tag("button", in_each(catalogues, "shell.again"), type="button", class_="button", id="try-again")
    return (f'<div id="too-old" class="notice" data-languages>{shown["too_old"]}</div>'
            f'<div id="slow" class="notice" role="status" data-languages hidden>{shown["slow"]}{again}</div>'
            f'<noscript><div class="notice">{shown["no_script"]}</div></noscript>')


def laying(catalogues: Iterable[Catalogue]) -> str:
    """What covers the page while something waits for Python, in every language. Inside ``<div id="laying">``."""
    catalogues = list(catalogues)
    ways = "".join(link(words.text("shell.back"), address(), look="quiet", picture="arrow-left", only_picture=True,
                        lang=words.language) for words in catalogues)
    said = "".join(f'<h1 class="{name}" tabindex="-1" data-languages>{in_each(catalogues, f"shell.laying.{name}")}</h1>'
                   for name in ("table", "screen", "here"))
    amounts = "".join(tag("span", esc(words.text("shell.laying.bytes", done="\0", all="\1")).replace("\0", "<b></b>")
                          .replace("\1", "<i></i>"), lang=words.language) for words in catalogues)
    return (f'<header class="bar" data-languages>{ways}</header><div class="sheet"><div role="status">{said}</div>'
            f'<progress id="arriving" aria-labelledby="amount"></progress>'
            f'<p class="quiet" id="amount" data-languages data-bytes>{amounts}</p></div>')


def in_each(catalogues: Iterable[Catalogue], key: str, kind: str = "span") -> str:
    """The words of ``key`` in every language. The page's own script shows one of them (web/page/startup_language.js)."""
    return "".join(tag(kind, esc(words.text(key)), lang=words.language) for words in catalogues)


def description(words: Catalogue) -> str:
    """What the site is, in a sentence that names every game."""
    return words.text("shell.description", games=words.join_names(game_name(words, game) for game in GAMES))


def friends_link(words: Catalogue) -> str:
    """The way to friends on other devices."""
    said = (f'<span class="name">{esc(words.text("home.far"))}</span>'
            f'<span class="quiet">{esc(words.text("home.far_text"))}</span>')
    return tag("a", f'{icon("monitor-smartphone")}<span class="words">{said}</span>', class_="far", href=address("room"))


def puzzle_link(words: Catalogue) -> str:
    """The way to the puzzle of the day. How it stands is written later."""
    said = (f'<span class="name">{esc(words.text("puzzle.name"))}</span>'
            f'<span class="quiet" id="puzzle-line">{esc(words.text("puzzle.daily"))}</span>')
    return tag("a", f'{icon("puzzle")}<span class="words">{said}</span>', class_="far daily", href=address("puzzle"))


def tin(words: Catalogue, game: str) -> str:
    """One tin: its lid leads to a new match, the line below to the rules."""
    counts = rules_of(game).seat_counts
    low, high = counts[0], counts[-1]
    key = "home.players_exactly" if low == high else "home.players"
    players = words.text(key, n=low, low=low, high=high)
    name = game_name(words, game)
    picture = lid_picture(game, words.language)
    tagline = game_text(words, game, "tagline")
    caption = f'<span class="name">{esc(name)}</span><span class="tagline">{esc(tagline)}</span>'
    rules = tag("a", f'{icon("book-open")}<span>{esc(players)}</span>', class_="rules", href=address(game, "rules"),
                aria_label=words.text("home.rules_of", game=name, players=players))
    opened = tag("a", picture + caption, class_="open", href=address(game, "new"))
    return tag("li", opened + rules, class_="tin", data_tin=game)


def other_players(words: Catalogue, record: MatchRecord, among: Collection[int] = ()) -> str:
    """Who sits at the table beside me: "Ada and Bo"; everybody, where I do not. ``among``: of these seats, if there are any."""
    from tabletin.words.wording import seat_name
    wanted = set(among or range(len(record.seats))) - {record.own_seat}
    return words.join_names([seat_name(words, record.seats[seat].name, seat) for seat in sorted(wanted)])


def waiting_line(words: Catalogue, record: MatchRecord) -> str:
    """An unfinished match in a line: with whom, and whose turn it is."""
    mine, acting = record.own_seat, record.acting
    key = "home.with" if mine is not None else "home.between"
    line = words.text(key, names=other_players(words, record))
    if mine is not None and mine in acting:
        return words.text("home.your_turn", line=line)
    return line


def outcome_line(words: Catalogue, record: MatchRecord) -> str:
    """A finished match in a line: who won, against whom. Who lost beside me did not beat me, and shares no win of mine."""
    outcome, mine = record.outcome, record.own_seat
    assert outcome is not None
    everybody, winners = other_players(words, record), other_players(words, record, outcome.winners)
    if outcome.unfinished:
        return words.text("home.given_up", names=everybody)
    if mine is None:
        return words.text("home.won_by", names=winners)
    if mine not in outcome.winners:
        return words.text("home.you_lost", names=winners)
    if len(outcome.winners) > 1:
        return words.text("home.you_shared", names=winners)
    return words.text("home.you_won", names=everybody)


def waiting_list(words: Catalogue, records: list[MatchRecord]) -> list[dict[str, str]]:
    """The latest unfinished matches for the page's own script, which shows them even before Python is there."""
    return [{"to": address("match", record.id), "game": record.game, "title": game_name(words, record.game),
             "line": waiting_line(words, record), "label": words.text("home.resume")}
            for record in islice((one for one in records if one.outcome is None and one.game in GAMES), MOST_WAITING)]


def played_list(words: Catalogue, records: list[MatchRecord]) -> str:
    """The matches finished last, each leading to its result."""
    over = [record for record in records if record.outcome is not None and record.game in GAMES][:LAST_SHOWN]
    return "".join(item(words, record, address("match", record.id, "result"), outcome_line(words, record))
                   for record in over)


def item(words: Catalogue, record: MatchRecord, to: str, line: str, when: str = "", more: str = "", picture: str = "") -> str:
    """One match in a list: its game, a line about it, perhaps when it was and a picture; leads ``to``."""
    name = f'<span class="name">{esc(game_name(words, record.game))}</span>'
    about = f'<span class="quiet">{esc(f"{line} · {when}" if when else line)}</span>'
    return tag("li", tag("a", picture + tag("span", name + about, class_="words"), class_="line", href=to) + more)


class HomeScreen(Screen):
    """The home page once Python is there."""

    _shown = True

    async def open(self) -> None:
        try:
            records = await self.shell.matches.records()
        except StorageFailed as failure:
            records = []
            self.shell.notices.say(self.text(failure.key))
        self.shell.fill_home(records)
        self.shell.prepare()
        await asyncio.sleep(PUZZLE_AFTER)
        if self._shown:
            self.shell.fill_puzzle()

    def close(self) -> None:
        self._shown = False

    async def act(self, do: str, data: Mapping[str, str]) -> None:
        """Installing is the page's own script's; nothing else is tapped here that is no link."""

"""Speed TooT on the page of a new match: whoever plays against time sits at a device of one's own."""

from __future__ import annotations

from tabletin.app.session.plan import Plan
from tabletin.words import load


def test_against_time_one_person_sits_at_a_device() -> None:
    plan = Plan.usual("toot-speed").adopt_query({"seats": "me,person"})
    refusal = plan.refusal()
    assert refusal is not None and refusal.key == "newmatch.one_person" and refusal.key in load()
    assert Plan.usual("toot-speed").adopt_query({"seats": "me,easy,hard"}).refusal() is None
    assert Plan.usual("toot-speed").adopt_query({"seats": "me,person", "heats": "1"}).refusal() is None
    assert Plan.usual("toot-progressive").adopt_query({"seats": "me,person"}).refusal() is None

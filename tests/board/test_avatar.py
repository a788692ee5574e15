"""The drawn faces: each its own, within its square, in the two colours of its wearer."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from tabletin.board.avatar import ANIMALS, SIDE, avatar


def test_every_face_is_its_own_and_lies_within_its_square() -> None:
    assert len(set(ANIMALS.values())) == len(ANIMALS) == 8
    for name in ANIMALS:
        drawn = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{avatar(name)}</svg>')
        for one in drawn:
            if "cx" in one.attrib and "r" in one.attrib:
                across, down, far = (float(one.attrib[key]) for key in ("cx", "cy", "r"))
                assert far <= across <= SIDE - far and far <= down <= SIDE - far, name


def test_a_face_has_no_colours_but_its_wearers() -> None:
    for name in ANIMALS:
        assert set(re.findall(r"var\(--([\w-]+)\)", avatar(name))) <= {"seat", "seat-ink", "paper"}
        assert "#" not in avatar(name)


def test_a_name_that_there_is_not_gets_a_face_too() -> None:
    assert avatar("") == avatar("unicorn") == next(iter(ANIMALS.values()))

"""The sounds that the page makes (`web/page/sound.js`), run in Node where there is one: never too loud and never late."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tabletin.app.table.sounds import SOUNDS, TURN

HERE = Path(__file__).parent
NODE = shutil.which("node", path=str(HERE.parents[1] / ".venv" / "bin")) or shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_sounds_are_heard_when_they_are_due_and_by_who_listens() -> None:
    assert NODE is not None
    done = subprocess.run([NODE, str(HERE / "sound.mjs")], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    heard = json.loads(done.stdout)
    assert sorted(heard["names"]) == sorted(SOUNDS), "the page makes every sound of the table"
    assert heard["peak"] < 1, "several at once are not louder than a loudspeaker can be"
    own, other = heard["own"], heard["other"]
    assert own["felt"] == 1 and other["felt"] == 0
    assert other["notes"] == own["notes"] > 0 and other["loud"] == pytest.approx(own["loud"] / 2)
    assert heard["twice"]["notes"] == own["notes"], "the same sound at the same moment is heard once"
    assert heard["unknown"]["notes"] == 0
    asleep = heard["asleep"]
    assert asleep["early"] == asleep["woken"] == 0, "what a browser held back is not heard all at once after the first tap"
    assert asleep["taps"] > 0 and asleep["soon"] > 0
    assert heard["hidden"] == [TURN], "behind another page only one's turn calls"

"""Options of Doubt that go well together."""

from tabletin.kernel.options import Preset

PRESETS = {"doubt": (Preset("quick", {"ranks": 6}),)}

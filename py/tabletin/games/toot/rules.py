"""The rules of the four TooT games, gathered for the registry."""

from .fluke import Fluke as Fluke
from .progressive import Progressive as Progressive
from .pursuit import Pursuit as Pursuit
from .speed import Speed as Speed

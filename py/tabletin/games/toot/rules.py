"""The rules of the four TooT games, gathered for the registry."""

from tabletin.games.toot.fluke import Fluke as Fluke
from tabletin.games.toot.progressive import Progressive as Progressive
from tabletin.games.toot.pursuit import Pursuit as Pursuit
from tabletin.games.toot.speed import Speed as Speed

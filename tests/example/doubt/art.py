"""Doubt is played with the shared playing cards."""

from tabletin.board.deck52 import FACES as FACES
from tabletin.board.deck52 import VIEWBOX as VIEWBOX
from tabletin.board.deck52 import back as back
from tabletin.board.deck52 import front as front
from tabletin.board.deck52 import lid as lid
from tabletin.board.deck52 import name as name

"""Maximum matchings of graphs, taken as undirected, and what they all have in common."""

from zermelo.matching.allowed import allowed_moves as allowed_moves
from zermelo.matching.allowed import inessential_without as inessential_without
from zermelo.matching.maximum import GallaiEdmonds as GallaiEdmonds
from zermelo.matching.maximum import Matching as Matching
from zermelo.matching.maximum import gallai_edmonds as gallai_edmonds
from zermelo.matching.maximum import maximum_matching as maximum_matching

"""The table of all requests that the server answers. Adding one is one function and one row."""

from zermelo.web.api import about, learn, play
from zermelo.web.api.call import Endpoint
from zermelo.web.api.graphs import games, views
from zermelo.web.api.values import expressions, heaps, positions

PREFIX = "/api/v1"

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("GET", "/about", about.about),
    Endpoint("GET", "/play/games", play.games),
    Endpoint("GET", "/play/position", play.position, "game"),
    Endpoint("GET", "/play/line", play.line, "game"),
    Endpoint("GET", "/play/counts", play.counts, "game"),
    Endpoint("GET", "/play/hardest", play.hardest_positions, "game"),
    Endpoint("GET", "/graphs/catalogue", games.catalogue),
    Endpoint("POST", "/graphs/parse", games.read),
    Endpoint("GET", "/graphs/served", games.served),
    Endpoint("POST", "/graphs/generate", games.generate),
    Endpoint("POST", "/graphs/explore", games.explored),
    Endpoint("POST", "/graphs/layout", views.layout, "session"),
    Endpoint("POST", "/graphs/solve", views.solve, "session"),
    Endpoint("POST", "/graphs/explain", views.explain, "session"),
    Endpoint("POST", "/graphs/trace", views.trace, "session"),
    Endpoint("POST", "/graphs/summary", views.summary, "session"),
    Endpoint("POST", "/graphs/part", views.part, "session"),
    Endpoint("POST", "/graphs/export", views.export, "session"),
    Endpoint("POST", "/values/evaluate", expressions.evaluate),
    Endpoint("POST", "/values/moves", expressions.moves),
    Endpoint("POST", "/values/steps", expressions.steps),
    Endpoint("POST", "/values/explain", expressions.explain),
    Endpoint("GET", "/values/games", positions.games),
    Endpoint("POST", "/values/position", positions.position),
    Endpoint("POST", "/values/heap", heaps.heap),
    Endpoint("GET", "/values/heaps", heaps.names),
    Endpoint("GET", "/learn/list", learn.listed),
    Endpoint("GET", "/learn/example", learn.example),
)

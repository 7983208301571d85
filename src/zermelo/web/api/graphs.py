"""The room "graphs"."""

from zermelo.web.endpoints import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = ()

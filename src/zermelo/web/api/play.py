"""The room "play"."""

from zermelo.web.endpoints import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = ()

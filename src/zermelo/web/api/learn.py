"""The room "learn"."""

from zermelo.web.endpoints import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = ()

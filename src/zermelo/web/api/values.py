"""The room "values"."""

from zermelo.web.endpoints import Endpoint

ENDPOINTS: tuple[Endpoint, ...] = ()

"""Cookies of the log-on (RFC 6265): none can be read by a script, or sent by a page of others."""

from controller.web.exchange import Request

SESSION, LOGGING_ON = "session", "logging-on"


def cookie_of(request: Request, name: str) -> str:
    """A cookie's value; empty for none."""
    for pair in request.headers.get("cookie", "").split(";"):
        key, _, value = pair.strip().partition("=")
        if key == _full(request, name):
            return value
    return ""


def set_cookie(
    request: Request, name: str, value: str, same_site: str = "Strict", age_s: int = -1
) -> tuple[str, str]:
    """The header that sets a cookie, until the browser ends or for a time; an empty one takes it away.

    Over TLS its name binds it to this very host (``__Host-``), and no connection without TLS ever carries it.
    """
    secure = "; Secure" if request.secure else ""
    age_s = age_s if value else 0
    lasting = f"; Max-Age={age_s}" if age_s >= 0 else ""
    text = f"{_full(request, name)}={value}; Path=/; HttpOnly; SameSite={same_site}{secure}{lasting}"
    return "Set-Cookie", text


def _full(request: Request, name: str) -> str:
    return f"__Host-{name}" if request.secure else name

"""JSON Web Tokens as a login service makes them."""

import base64
import hashlib
import hmac
import json
import time
from typing import Any

from support import secrets

SECRET = "a-shared-secret-of-at-least-thirty-two-bytes"


def part(value: Any) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(user: str, expires_in: float = 600, secret: str = SECRET) -> str:
    text = f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part({'sub': user, 'exp': time.time() + expires_in})}"
    signature = hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest()
    return secrets.remember(f"{text}.{part(signature)}")

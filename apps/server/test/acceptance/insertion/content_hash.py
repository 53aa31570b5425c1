"""The content hash of leads, written anew from its definition alone, in another language than the service.

Reads vectors as JSON on standard input, writes [{"canonical", "sha256"}] as JSON.
"""

import datetime
import hashlib
import json
import re
import sys

FIELDS = [
    "phone", "email", "first_name", "last_name", "source", "source_form_url", "tcpa_consent",
    "tcpa_consent_text", "tcpa_consent_timestamp", "custom_fields", "address",
]
ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def number(value):
    """As ECMAScript writes it (RFC 8785, 3.2.2.3)."""
    if value == 0:
        return "0"
    if value < 0:
        return "-" + number(-value)
    mantissa, _, exponent = ("%r" % value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = whole + fraction
    point = len(whole) + int(exponent or "0")
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    sign = "+" if point > 0 else "-"
    rest = "." + digits[1:] if len(digits) > 1 else ""
    return digits[0] + rest + "e" + sign + str(abs(point - 1))


def string(value):
    return '"' + "".join(
        ESCAPES.get(c) or ("\\u%04x" % ord(c) if ord(c) < 0x20 else c) for c in value
    ) + '"'


def canonical(value):
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        return number(value)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(one) for one in value) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(string(name) + ":" + canonical(value[name]) for name in names) + "}"


def without_nulls(value):
    if not isinstance(value, dict):
        return value
    return {name: without_nulls(one) for name, one in value.items() if one is not None}


def content(lead, field):
    value = lead.get(field)
    if field == "custom_fields":
        return without_nulls(value or {})
    if value is None or value == "":
        return None
    if field == "phone":
        return re.sub(r"[ .()-]", "", value)
    if field == "email":
        local, _, domain = value.rpartition("@")
        return local + "@" + domain.lower()
    if field == "tcpa_consent_timestamp":
        moment = datetime.datetime.fromisoformat(value).astimezone(datetime.timezone.utc)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if field == "address":
        return {name: part for name, part in value.items() if part} or None
    return value


def hashed(vector):
    lead = vector["lead"]
    fields = vector["fields"] or FIELDS
    text = canonical({field: content(lead, field) for field in fields})
    return {"canonical": text, "sha256": hashlib.sha256(text.encode("utf-8")).hexdigest()}


vectors = json.loads(sys.stdin.buffer.read().decode("utf-8"), parse_int=float)
sys.stdout.write(json.dumps([hashed(vector) for vector in vectors["vectors"]]))

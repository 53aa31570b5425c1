"""Sends a lead to Leadwire, signed, and tries again where that is safe. Standard library alone.

    LEADWIRE_PUBLIC_KEY=lwpk_… LEADWIRE_SECRET_KEY=lwsk_… python3 send_lead.py [external_lead_id]
"""
import hashlib
import hmac
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

PATH = "/api/v1/insertion/leads"


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect that is followed becomes a GET, which sends no lead."""

    def redirect_request(self, *args):
        return None


opener = urllib.request.build_opener(NoRedirects)


def sign(secret_key, timestamp, method, path, query, body):
    """HMAC-SHA256 over five lines. Path and query are signed as they are sent, the body as its bytes."""
    text = "\n".join([timestamp, method, path, query, hashlib.sha256(body).hexdigest()])
    return hmac.new(secret_key.encode(), text.encode(), hashlib.sha256).hexdigest()


def post(path, body):
    """Each try is signed anew: a signature is good for five minutes."""
    timestamp = str(int(time.time()))
    headers = {
        "Content-Type": "application/json",
        "X-Leadwire-Public-Key": os.environ["LEADWIRE_PUBLIC_KEY"],
        "X-Leadwire-Timestamp": timestamp,
        "X-Leadwire-Signature": sign(
            os.environ["LEADWIRE_SECRET_KEY"], timestamp, "POST", path, "", body
        ),
    }
    url = os.environ.get("LEADWIRE_URL", "http://127.0.0.1:3000") + path
    request = urllib.request.Request(url, body, headers, method="POST")
    try:
        with opener.open(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


def seconds_of(retry_after):
    return max(1, int(retry_after)) if (retry_after or "").isdecimal() else 1


def send_lead(lead):
    body = json.dumps(lead).encode()
    attempt = 1
    while True:
        try:
            status, headers, text = post(PATH, body)
        except (OSError, http.client.HTTPException) as error:
            status, headers, text = 0, {}, str(error)
        if status == 429:  # over the rate limit: the server says for how long
            time.sleep(seconds_of(headers["Retry-After"]))
        elif (status == 0 or status >= 500) and attempt < 5:
            time.sleep(2 ** (attempt - 1))  # the network, or the server: 1, 2, 4, 8 seconds
            attempt += 1
        else:
            return status, text


if __name__ == "__main__":
    status, text = send_lead(
        {
            "campaign_id": 1,
            "external_lead_id": sys.argv[1] if len(sys.argv) > 1 else "quick-start-1",
            "phone": "+14155550132",
            "email": "ada@example.com",
        }
    )
    if not 200 <= status < 300:
        sys.exit(f"{status} {text}")
    print(status, text)

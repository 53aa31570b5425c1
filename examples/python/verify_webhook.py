"""Receives webhooks from Leadwire and verifies them. Standard library alone.

    LEADWIRE_WEBHOOK_SECRET=whsec_… python3 verify_webhook.py
"""
import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY_BYTES = 1_048_576


def verify(secret, headers, body):
    """Raises ValueError unless the body (bytes) is what Leadwire signed, within five minutes."""
    event_id = headers.get("webhook-id")
    timestamp = headers.get("webhook-timestamp")
    signatures = headers.get("webhook-signature")
    if not (event_id and timestamp and signatures):
        raise ValueError("a webhook header is missing")
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("the timestamp is too far from now")

    key = base64.b64decode(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("the secret is missing")  # or anybody could sign
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256))
    # While a secret is being replaced there are two signatures, separated by a space.
    if not any(hmac.compare_digest(expected, one.encode()) for one in signatures.split()):
        raise ValueError("no signature matches")


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self):
        try:
            body = self.read_body()
            verify(os.environ["LEADWIRE_WEBHOOK_SECRET"], self.headers, body)
        except ValueError as error:
            print("refused:", error, file=sys.stderr, flush=True)
            self.close_connection = True  # what is left of the body is no request
            return self.answer(400)
        event = json.loads(body)
        self.answer(204)  # Answer first, work afterwards. A retry has the same webhook-id.
        print("verified", event["type"], event["id"], flush=True)

    def read_body(self):
        length = int(self.headers.get("Content-Length", 0))
        if not 0 <= length <= MAX_BODY_BYTES:
            raise ValueError("the body is too large")
        return self.rfile.read(length)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    port = int(os.environ.get("PORT", "4000"))
    print(f"listening at http://127.0.0.1:{port}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()

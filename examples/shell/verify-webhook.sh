#!/bin/sh
# Verifies a webhook from Leadwire: reads one raw HTTP request on stdin, writes the answer to stdout.
#   LEADWIRE_WEBHOOK_SECRET=whsec_… sh verify-webhook.sh < request.txt
# As a receiver, with socat or with nc (where nc is the traditional one: nc -l -p 4000):
#   socat -T 30 TCP-LISTEN:4000,bind=127.0.0.1,reuseaddr,fork EXEC:'sh verify-webhook.sh'
#   mkfifo answer; while :; do nc -l 127.0.0.1 4000 < answer | sh verify-webhook.sh > answer; done
set -euf

sha256() { openssl dgst -sha256 -r | cut -d ' ' -f 1; }

refuse() {
  printf 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
  echo "refused: $1" >&2
  exit 1
}

id='' timestamp='' signatures='' length=0
while IFS= read -r line; do
  line=${line%"$(printf '\r')"}
  [ -n "$line" ] || break
  value=${line#*:} value=${value# }
  case $(printf %s "${line%%:*}" | tr '[:upper:]' '[:lower:]') in
    webhook-id) id=$value ;;
    webhook-timestamp) timestamp=$value ;;
    webhook-signature) signatures=$value ;;
    content-length) length=$value ;;
  esac
done
case $length in *[!0-9]* | ????????*) refuse 'the length of the body is no number, or too large' ;; esac
[ "$length" -le 1048576 ] || refuse 'the body is too large'
body=$(mktemp)
trap 'rm -f "$body"' EXIT
head -c "$length" > "$body" # The bytes as they came: a shell variable would lose some.

[ -n "$id" ] && [ -n "$timestamp" ] && [ -n "$signatures" ] || refuse 'a webhook header is missing'
case $timestamp in 0* | *[!0-9]* | ????????????*) refuse 'the timestamp is no number' ;; esac
age=$(($(date +%s) - timestamp))
[ "${age#-}" -le 300 ] || refuse "the timestamp is $age seconds old"

key=$(printf %s "${LEADWIRE_WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
[ -n "$key" ] || refuse 'the secret is missing, or is no base64' # or anybody could sign
expected=$({ printf '%s.%s.' "$id" "$timestamp"; cat "$body"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

# While a secret is being replaced there are two signatures. Their hashes are compared: how long that takes tells nothing.
for signature in $signatures; do
  [ "$(printf %s "$signature" | sha256)" = "$(printf %s "v1,$expected" | sha256)" ] || continue
  printf 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'
  type=$(grep -Eo '"type": ?"[a-z._]+"' "$body" | head -n 1 | cut -d '"' -f 4)
  echo "verified $type $id" >&2
  exit 0
done
refuse 'no signature matches'

#!/bin/sh
# Sends a lead to Leadwire, signed, with curl and openssl. Tries again where that is safe.
#   LEADWIRE_PUBLIC_KEY=lwpk_… LEADWIRE_SECRET_KEY=lwsk_… sh send-lead.sh [external_lead_id]
set -eu

sha256() { openssl dgst -sha256 -r "$@" | cut -d ' ' -f 1; }

# sign SECRET_KEY TIMESTAMP METHOD PATH QUERY < body: prints the signature.
# (openssl takes the key as an argument, where other users of this machine could see it.)
sign() {
  body_hash=$(sha256)
  printf '%s\n%s\n%s\n%s\n%s' "$2" "$3" "$4" "$5" "$body_hash" | sha256 -hmac "$1"
}

path=/api/v1/insertion/leads
id=$(printf %s "${1:-quick-start-1}" | sed 's/[\\"]/\\&/g') # as JSON writes quotes and backslashes
lead=$(printf '{"campaign_id":1,"external_lead_id":"%s","phone":"+14155550132","email":"ada@example.com"}' "$id")
answer=$(mktemp) headers=$(mktemp)
trap 'rm -f "$answer" "$headers"' EXIT

attempt=1
while :; do
  timestamp=$(date +%s) # Each try is signed anew: a signature is good for five minutes.
  signature=$(printf %s "$lead" | sign "$LEADWIRE_SECRET_KEY" "$timestamp" POST "$path" '')
  status=$(curl -sS -m 30 -o "$answer" -D "$headers" -w '%{http_code}' \
    "${LEADWIRE_URL:-http://127.0.0.1:3000}$path" --data-binary "$lead" \
    -H 'Content-Type: application/json' \
    -H "X-Leadwire-Public-Key: $LEADWIRE_PUBLIC_KEY" \
    -H "X-Leadwire-Timestamp: $timestamp" \
    -H "X-Leadwire-Signature: $signature") || status=000
  case $status in
    429) # Over the rate limit: the server says for how long.
      wait=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([1-9][0-9]*\).*/\1/p' "$headers")
      sleep "${wait:-1}" ;;
    000 | 5??) # The network, or the server: 1, 2, 4, 8 seconds, five attempts in all.
      [ "$attempt" -lt 5 ] || break
      sleep $((1 << (attempt - 1)))
      attempt=$((attempt + 1)) ;;
    *) break ;;
  esac
done

case $status in 2??) code=0 ;; *) code=1 && exec >&2 ;; esac
printf '%s %s\n' "$status" "$(cat "$answer")"
exit $code

/** Lines of shell that send one request with a key, ready to paste; they need curl, and openssl for the signed one. */
export type SnippetInput = {
  /** Of the service: scheme, host, port. */
  origin: string;
  publicKey: string;
  secretKey: string;
  /** A lead is sent where the key may; otherwise leads are read. */
  mayWrite: boolean;
  campaign: number;
};

const LEADS = '/api/v1/insertion/leads';

const lead = (campaign: number): string =>
  JSON.stringify({
    campaign_id: campaign,
    external_lead_id: 'test-lead',
    phone: '+14155550132',
    email: 'ada@example.com',
    first_name: 'Ada',
  });

export function bearerSnippet({ origin, secretKey, mayWrite, campaign }: SnippetInput): string {
  const authorization = `  -H 'Authorization: Bearer ${secretKey}'`;
  if (!mayWrite) return `curl -i '${origin}${LEADS}?limit=1' \\\n${authorization}`;
  return [
    `curl -i ${origin}${LEADS} \\`,
    `${authorization} \\`,
    `  --data-binary '${lead(campaign)}'`,
  ].join('\n');
}

/** Signs as the contract says: HMAC-SHA256 in hex over timestamp, method, path, query and the hash of the body. */
export function hmacSnippet(input: SnippetInput): string {
  const { origin, publicKey, secretKey, mayWrite, campaign } = input;
  const method = mayWrite ? 'POST' : 'GET';
  const query = mayWrite ? '' : 'limit=1';
  return [
    `PUBLIC_KEY='${publicKey}'`,
    `SECRET_KEY='${secretKey}'`,
    `BODY='${mayWrite ? lead(campaign) : ''}'`,
    `TIMESTAMP=$(date +%s)`,
    `HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d ' ' -f 1)`,
    `SIGNATURE=$(printf '%s\\n${method}\\n${LEADS}\\n${query}\\n%s' "$TIMESTAMP" "$HASH" \\`,
    `  | openssl dgst -sha256 -hmac "$SECRET_KEY" -r | cut -d ' ' -f 1)`,
    `curl -i '${origin}${LEADS}${query ? `?${query}` : ''}' \\`,
    `  -H "X-Leadwire-Public-Key: $PUBLIC_KEY" \\`,
    `  -H "X-Leadwire-Timestamp: $TIMESTAMP" \\`,
    `  -H "X-Leadwire-Signature: $SIGNATURE"${mayWrite ? ' \\' : ''}`,
    ...(mayWrite ? [`  --data-binary "$BODY"`] : []),
  ].join('\n');
}

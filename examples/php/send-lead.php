<?php
// Sends a lead to Leadwire, signed, and tries again where that is safe. PHP 8, no packages, no curl extension.
//   LEADWIRE_PUBLIC_KEY=lwpk_… LEADWIRE_SECRET_KEY=lwsk_… php send-lead.php [external_lead_id]
declare(strict_types=1);

/** HMAC-SHA256 over five lines. Path and query are signed as they are sent, the body as its bytes. */
function sign(string $secretKey, string $timestamp, string $method, string $path, string $query, string $body): string
{
    return hash_hmac('sha256', implode("\n", [$timestamp, $method, $path, $query, hash('sha256', $body)]), $secretKey);
}

/** Each try is signed anew: a signature is good for five minutes. Status 0: no answer came. */
function post(string $path, string $body): array
{
    $timestamp = (string) time();
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'Content-Type: application/json',
            'X-Leadwire-Public-Key: ' . getenv('LEADWIRE_PUBLIC_KEY'),
            "X-Leadwire-Timestamp: $timestamp",
            'X-Leadwire-Signature: ' . sign((string) getenv('LEADWIRE_SECRET_KEY'), $timestamp, 'POST', $path, '', $body),
        ],
        'content' => $body,
        'timeout' => 30,
        'follow_location' => 0,
        'ignore_errors' => true, // the body of a 4xx says what was wrong
    ]]);
    $url = (getenv('LEADWIRE_URL') ?: 'http://127.0.0.1:3000') . $path;
    $stream = @fopen($url, 'r', false, $context);
    if ($stream === false) {
        return [0, 0, error_get_last()['message'] ?? 'no answer'];
    }
    $headers = implode("\n", stream_get_meta_data($stream)['wrapper_data']);
    preg_match('~^HTTP/\S+ (\d+)~', $headers, $status);
    preg_match('~^Retry-After: (\d+)~mi', $headers, $retryAfter);
    return [(int) $status[1], max(1, (int) ($retryAfter[1] ?? 1)), stream_get_contents($stream)];
}

function sendLead(array $lead): array
{
    $body = json_encode($lead, JSON_THROW_ON_ERROR);
    for ($attempt = 1; ; ) {
        [$status, $retryAfter, $text] = post('/api/v1/insertion/leads', $body);
        if ($status === 429) {
            sleep($retryAfter); // over the rate limit: the server says for how long
        } elseif (($status === 0 || $status >= 500) && $attempt < 5) {
            sleep(2 ** ($attempt++ - 1)); // the network, or the server: 1, 2, 4, 8 seconds
        } else {
            return [$status, $text];
        }
    }
}

if (realpath($argv[0]) === __FILE__) {
    [$status, $text] = sendLead([
        'campaign_id' => 1,
        'external_lead_id' => $argv[1] ?? 'quick-start-1',
        'phone' => '+14155550132',
        'email' => 'ada@example.com',
    ]);
    $ok = $status >= 200 && $status < 300;
    fwrite($ok ? STDOUT : STDERR, "$status $text\n");
    exit($ok ? 0 : 1);
}

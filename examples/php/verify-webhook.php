<?php
// Receives webhooks from Leadwire and verifies them. PHP 8, no packages.
//   LEADWIRE_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:4000 verify-webhook.php
declare(strict_types=1);

/** Throws unless the body is what Leadwire signed, within five minutes. $body: the bytes as they came. */
function verify(string $secret, array $server, string $body): void
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = $server['HTTP_WEBHOOK_SIGNATURE'] ?? '';
    if ($id === '' || $timestamp === '' || $signatures === '') {
        throw new UnexpectedValueException('a webhook header is missing');
    }
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        throw new UnexpectedValueException('the timestamp is too far from now');
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if ($key === false || $key === '') {
        throw new UnexpectedValueException('the secret is missing, or is no base64'); // or anybody could sign
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While a secret is being replaced there are two signatures, separated by a space.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return;
        }
    }
    throw new UnexpectedValueException('no signature matches');
}

$log = static fn (string $line) => file_put_contents('php://stdout', "$line\n");
$body = file_get_contents('php://input', length: 1_048_576); // a longer one fits no signature
try {
    verify((string) getenv('LEADWIRE_WEBHOOK_SECRET'), $_SERVER, $body);
} catch (UnexpectedValueException $error) {
    $log("refused: {$error->getMessage()}");
    http_response_code(400);
    return;
}
$event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
http_response_code(204); // Do long work in a queue, not here. A retry has the same webhook-id.
$log("verified {$event['type']} {$event['id']}");

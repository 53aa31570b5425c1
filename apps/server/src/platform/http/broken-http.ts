import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';

type BrokenRequest = Error & { code?: string };

const ANSWERS: Record<string, [status: string, error: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'headers_too_large',
    'The headers of the request are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'request_timeout',
    'The request did not arrive in time.',
  ],
};
const BROKEN = ['400 Bad Request', 'bad_request', 'This is not a valid HTTP request.'] as const;

/** Answers what never became a request, in the same form as every other failure. */
export function answerBrokenHttp(error: BrokenRequest, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, code, message] = ANSWERS[error.code ?? ''] ?? BROKEN;
  const requestId = randomUUID();
  const body = JSON.stringify({ ok: false, error: code, message, request_id: requestId });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

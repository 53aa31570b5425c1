import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type BrokenRequest = Error & { code?: string };
type Answer = { status: string; error: string; message: string; headers?: string };

const BROKEN: Answer = {
  status: '400 Bad Request',
  error: 'bad_request',
  message: 'This is not a valid HTTP request.',
};
const BY_CODE: Record<string, Answer> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'headers_too_large',
    message: 'The headers of the request are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    error: 'request_timeout',
    message: 'The request did not arrive in time.',
  },
};
const NO_TUNNEL: Answer = {
  status: '405 Method Not Allowed',
  error: 'method_not_allowed',
  message: 'This is no proxy.',
  headers: 'Allow: GET\r\n',
};

/** Answers what never became a request, in the same form as every other failure. */
export function answerBrokenHttp(error: BrokenRequest, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else endWith(socket, BY_CODE[error.code ?? ''] ?? BROKEN);
}

/** Answers what Node would answer by itself, without a body: CONNECT, and an Expect that is not 100-continue. */
export function answerUnusualHttp(server: Server): void {
  server.on('connect', (_request: IncomingMessage, socket: Socket) => endWith(socket, NO_TUNNEL));
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const message = 'Of Expect only 100-continue is known.';
    const [requestId, body] = failure('expectation_failed', message);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': requestId,
    };
    response.writeHead(417, headers).end(body);
  });
}

function endWith(socket: Socket, { status, error, message, headers = '' }: Answer): void {
  const [requestId, body] = failure(error, message);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n` +
      `${headers}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function failure(error: string, message: string): [requestId: string, body: string] {
  const requestId = randomUUID();
  return [requestId, JSON.stringify({ ok: false, error, message, request_id: requestId })];
}

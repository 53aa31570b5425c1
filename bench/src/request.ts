import { NUMBER, REVISION } from './lead.ts';

/** Further marks: a lead's UUID in a path, a signature and its Unix time in headers. */
export const ID = '%'.repeat(36);
export const SIGNATURE = '$'.repeat(64);
export const TIME = '~'.repeat(10);

/**
 * A request with marks for what differs from one to the next. Each connection holds a copy of the
 * bytes and writes into it: the answer to the last request is in, so nobody reads them any more.
 */
export type RequestTemplate = {
  copy: () => Buffer;
  numbers: number[];
  revisions: number[];
  ids: number[];
  signatures: number[];
  times: number[];
};

export function createRequest(request: {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Media type of the body. */
  type?: string;
}): RequestTemplate {
  const { body = '', type = 'application/json' } = request;
  const head = [`${request.method} ${request.path} HTTP/1.1`, 'Host: 127.0.0.1'];
  for (const [name, value] of Object.entries(request.headers)) head.push(`${name}: ${value}`);
  if (body !== '') {
    head.push(`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`);
  }
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  return {
    copy: () => Buffer.from(bytes),
    numbers: placesOf(bytes, NUMBER),
    revisions: placesOf(bytes, REVISION),
    ids: placesOf(bytes, ID),
    signatures: placesOf(bytes, SIGNATURE),
    times: placesOf(bytes, TIME),
  };
}

/** The body alone, to be signed. */
export function createBody(body: string): {
  bytes: Buffer;
  numbers: number[];
  revisions: number[];
} {
  const bytes = Buffer.from(body);
  return { bytes, numbers: placesOf(bytes, NUMBER), revisions: placesOf(bytes, REVISION) };
}

function placesOf(bytes: Buffer, mark: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) {
    places.push(at);
  }
  return places;
}

/** Writes `value` as nine digits at `offset`. */
export function writeNumber(bytes: Buffer, offset: number, value: number): void {
  let rest = value;
  for (let at = offset + NUMBER.length - 1; at >= offset; at -= 1) {
    bytes[at] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

export function writeNumbers(bytes: Buffer, offsets: number[], value: number): void {
  for (const offset of offsets) writeNumber(bytes, offset, value);
}

export function writeText(bytes: Buffer, offsets: number[], value: string): void {
  for (const offset of offsets) bytes.write(value, offset, 'latin1');
}

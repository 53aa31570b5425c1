/** A request as it was sent, taken apart. What was not found is empty. */
export type RequestParts = {
  method: string;
  target: string;
  publicKey: string;
  timestamp: string;
  signature: string;
  body: string;
};

const HEADERS = {
  publicKey: 'x-leadwire-public-key',
  timestamp: 'x-leadwire-timestamp',
  signature: 'x-leadwire-signature',
} as const;

/** Takes a pasted curl command or raw HTTP request apart; null where it is neither. */
export function parseRequest(text: string): RequestParts | null {
  return /^\s*(?:\$\s+)?curl\s/.test(text) ? parseCurl(text) : parseHttp(text);
}

/** RFC 9112: request line, headers, an empty line, the body. */
function parseHttp(text: string): RequestParts | null {
  const source = text.replace(/^\s+/, '');
  const [, line = '', rest = ''] = /^([^\r\n]*)(?:\r?\n([\s\S]*))?$/.exec(source) ?? [];
  const [, method, target] = /^([A-Za-z]+) +(\S+)(?: +HTTP\/\d(?:\.\d)?)?$/.exec(line.trim()) ?? [];
  if (!method || !target) return null;
  const gap = /(?:^|\r?\n)\r?\n/.exec(rest);
  const head = gap ? rest.slice(0, gap.index) : rest;
  const body = gap ? rest.slice(gap.index + gap[0].length) : '';
  const lines = head.split(/\r?\n/);
  return { ...headersOf(lines), method, target: targetOf(target), body: fitted(body, lines) };
}

/** Pasting adds a line break at the end: where Content-Length says so it goes. */
function fitted(body: string, headers: readonly string[]): string {
  const [, length] = /^content-length:\s*(\d+)\s*$/im.exec(headers.join('\n')) ?? [];
  const bare = body.replace(/(?:\r?\n)+$/, '');
  return length && new TextEncoder().encode(bare).length === Number(length) ? bare : body;
}

const BODY_OPTION = /^(?:-d|--data|--data-ascii|--data-binary|--data-raw|--json)$/;
const WITH_VALUE =
  /^(?:-A|-b|-c|-e|-F|-m|-o|-u|-w|-x|--user-agent|--cookie|--max-time|--output|--user|--write-out|--proxy|--connect-timeout|--retry)$/;

function parseCurl(text: string): RequestParts | null {
  const words = shellWords(text).slice(1);
  const headers: string[] = [];
  const bodies: string[] = [];
  let method = '';
  let url = '';
  for (let i = 0; i < words.length; i++) {
    const [option, value] = optionOf(words[i] as string, () => words[++i] ?? '');
    if (option === '-H' || option === '--header') headers.push(value());
    else if (option === '-X' || option === '--request') method = value();
    else if (option === '--url') url = value();
    else if (BODY_OPTION.test(option)) bodies.push(asSent(option, value()));
    else if (WITH_VALUE.test(option)) value();
    else if (option === '-I' || option === '--head') method = 'HEAD';
    else if (!option.startsWith('-')) url = option;
  }
  if (!url) return null;
  const body = bodies.join('&');
  method ||= bodies.length > 0 ? 'POST' : 'GET';
  return { ...headersOf(headers), method, target: targetOf(url), body };
}

/** `-XPOST` and `--request=POST` hold their value; others are followed by it. */
function optionOf(word: string, next: () => string): [option: string, value: () => string] {
  const [, short, rest] = /^(-[XHd])([\s\S]+)$/.exec(word) ?? [];
  if (short && rest) return [short, () => rest];
  const [, long, given] = /^(--[\w-]+)=([\s\S]*)$/.exec(word) ?? [];
  return long ? [long, () => given ?? ''] : [word, next];
}

/** curl takes the line breaks out of a file that -d names; of a text it sends what it is given. */
const asSent = (option: string, value: string): string =>
  option !== '--data-raw' && value.startsWith('@') ? '' : value;

/** The words of a command as a POSIX shell splits it: quotes, backslashes, lines joined by a backslash. Variables stay as they are. */
export function shellWords(text: string): string[] {
  const TOKEN =
    /\s+|\\\r?\n|'([^']*)'|\$'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\$]+|\$)/g;
  const words: string[] = [];
  let word: string | null = null;
  for (const match of text.trim().matchAll(TOKEN)) {
    const [token, single, ansi, double, escaped, plain] = match;
    if (/^\s+$/.test(token) || /^\\\r?\n$/.test(token)) {
      if (word !== null && /^\s/.test(token)) words.push(word);
      if (/^\s/.test(token)) word = null;
      continue;
    }
    const piece = single ?? (ansi === undefined ? undefined : unescapeAnsi(ansi));
    word =
      (word ?? '') + (piece ?? double?.replace(/\\([$`"\\])/g, '$1') ?? escaped ?? plain ?? '');
  }
  if (word !== null) words.push(word);
  return words;
}

const ANSI: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const unescapeAnsi = (text: string): string =>
  text.replace(/\\([\s\S])/g, (_, letter: string) => ANSI[letter] ?? letter);

function headersOf(lines: readonly string[]) {
  const found = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0)
      found.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return {
    publicKey: found.get(HEADERS.publicKey) ?? '',
    timestamp: found.get(HEADERS.timestamp) ?? '',
    signature: found.get(HEADERS.signature) ?? '',
  };
}

/** Path and query as they are sent: without the host, and without what follows a #. */
export const targetOf = (url: string): string => {
  const sent = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#[\s\S]*$/, '');
  return sent.startsWith('/') ? sent : `/${sent}`;
};

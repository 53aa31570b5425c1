const HERE = 'http://here.invalid';

/** Whether a path leads to this page and nowhere else: `//host`, `/\\host` and a tab between the slashes lead to others. */
export const isOwnPath = (path: string): boolean =>
  path.startsWith('/') && URL.canParse(path, HERE) && new URL(path, HERE).origin === HERE;

/** Thrown by a command that ends with a code of its own: what a script asks is answered by it. `cause`: why, for the person. */
export class EndedWith extends Error {
  override name = 'EndedWith';
  readonly exitCode: number;
  constructor(exitCode: number, cause?: unknown) {
    super(`ended with ${exitCode}`, { cause });
    this.exitCode = exitCode;
  }
}

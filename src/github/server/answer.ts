/** The answer to an HTTP request: a status and a plain sentence, never an internal error's message. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

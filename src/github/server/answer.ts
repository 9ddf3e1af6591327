/** What an HTTP request is answered: a status and a plain sentence, never the message of an internal error. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

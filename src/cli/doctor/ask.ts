/** What an address answered. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** the text read as JSON; undefined when it is none */
  readonly data: unknown;
}

/** Nothing was answered, and why: to follow the name of what was asked, e.g. `did not answer within 10 s`. */
export interface Silence {
  readonly silence: string;
}

export interface Question {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks an http(s) address once, within a time limit and without following redirects. Throws nothing. */
export type Ask = (url: string, question?: Question) => Promise<Reply | Silence>;

/** What the bench asks of the world's process. */
export type ToWorld =
  /** open these repositories, and say when that is done */
  | { readonly do: "open"; readonly repositories: readonly string[]; readonly callMs: number }
  /** send webhooks to these addresses, in turn */
  | { readonly do: "aim"; readonly webhookUrls: readonly string[] }
  /** open an issue in each repository, label them all at once, and say when their runs have ended */
  | { readonly do: "ask"; readonly repositories: readonly string[] };

/** What it answers, one answer each. */
export type FromWorld =
  | { readonly did: "open"; readonly environment: Readonly<Record<string, string>> }
  | { readonly did: "aim" }
  | { readonly did: "ask"; readonly runs: readonly RunTimes[]; readonly ms: number };

/** A run as seen from GitHub and the model, in milliseconds since the first label. */
export interface RunTimes {
  readonly repository: string;
  readonly asked: number;
  /** its comment was there */
  readonly commented: number;
  /** the model was first called */
  readonly began: number;
  readonly ended: number;
  readonly calls: number;
  readonly opened: boolean;
}

/** What the bench asks of the world's process. */
export type ToWorld =
  /** open these repositories, and say when that is done */
  | { do: "open"; repositories: readonly string[]; callMs: number }
  /** send webhooks to these addresses, in turn */
  | { do: "aim"; webhookUrls: readonly string[] }
  /** open an issue in each repository, label them all at once, and say when their runs have ended */
  | { do: "ask"; repositories: readonly string[] };

/** What it answers, one answer each. */
export type FromWorld =
  | { did: "open"; environment: Readonly<Record<string, string>> }
  | { did: "aim" }
  | { did: "ask"; runs: readonly RunTimes[]; ms: number };

/** A run as seen from GitHub and the model, in milliseconds since the first label. */
export interface RunTimes {
  repository: string;
  asked: number;
  /** its comment was there */
  commented: number;
  /** the model was first called */
  began: number;
  ended: number;
  calls: number;
  opened: boolean;
}

import type { Budget } from "../../model/spend.ts";
import type { ModelTier } from "../../ports/language-model.ts";
import type { ModelPrice } from "./shapes.ts";

type Effort = "low" | "medium" | "high" | "xhigh" | "max";

interface GithubConfig {
  readonly appId: number;
  /** PKCS#8 PEM */
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** root of the REST API, e.g. `https://api.github.com` or `https://ghe.example.com/api/v3` */
  readonly apiUrl: string;
  /** where people and git go, e.g. `https://github.com` */
  readonly webUrl: string;
}

interface ServerConfig {
  readonly host: string;
  /** 0: any free one */
  readonly port: number;
  readonly webhookPath: string;
}

interface ModelConfig {
  readonly apiKey: string;
  readonly baseUrl?: string;
  readonly models: Readonly<Record<ModelTier, string>>;
  /** absent where the model's own default is to hold */
  readonly effort: Partial<Readonly<Record<ModelTier, Effort>>>;
  /** at least those of the two models */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

/** The configuration, grouped by who uses it: each part of the program is handed its own group only. */
export interface Config {
  readonly github: GithubConfig;
  readonly server: ServerConfig;
  readonly log: { readonly level: string };
  readonly model: ModelConfig;
  readonly budget: Budget;
  readonly engine: { readonly concurrency: number; readonly retentionDays: number };
  readonly database: { readonly dataDir: string; readonly url?: string };
  readonly trigger: { readonly label: string; readonly allowedBots: readonly string[] };
  readonly agents: {
    readonly candidates: number;
    readonly reviewRounds: number;
    readonly ciRounds: number;
    readonly profile: "lean" | "paper";
  };
  readonly clone: { readonly maxUnpackedBytes: number };
  readonly pullRequest: { readonly draft: boolean };
}

/** What a command that does the agents' work needs: no app, no server, no database. */
export interface CommandConfig extends Pick<Config, "model" | "budget" | "agents" | "clone" | "pullRequest"> {
  readonly github: Pick<GithubConfig, "apiUrl" | "webUrl"> & { readonly token?: string };
}

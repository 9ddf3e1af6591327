import type { ModelPrice } from "../../model/prices.ts";
import type { PlacedSettings } from "../../model/setting-definitions/all-settings.ts";

interface GithubConfig {
  /** PKCS#8 PEM */
  readonly privateKey: string;
  /** root of the REST API, e.g. `https://api.github.com` or `https://ghe.example.com/api/v3` */
  readonly apiUrl: string;
  /** where people and git go, e.g. `https://github.com` */
  readonly webUrl: string;
}

interface ModelConfig {
  /** at least those of the two models */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

/**
 * The configuration, grouped by who uses it: each part of the program is handed its own group only. A setting that names
 * a place stands there; what is made of several, or in another unit, is listed here.
 */
export type Config = PlacedSettings & {
  readonly github: GithubConfig;
  readonly model: ModelConfig;
  readonly clone: { readonly maxUnpackedBytes: number };
};

/** What a command that does the agents' work needs: no app, no server, no database. */
export interface CommandConfig extends Pick<Config, "model" | "budget" | "agents" | "clone" | "pullRequest" | "check"> {
  readonly github: Pick<GithubConfig, "apiUrl" | "webUrl"> & { readonly token?: string };
}

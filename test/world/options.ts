import type { Role } from "./state.ts";

/** A repository that exists when the world starts. */
export interface RepositoryOptions {
  owner: string;
  name: string;
  private?: boolean;
  /** The files of the first commit by path. Ignored with `from`. */
  files?: Record<string, string>;
  /** A plain or bare git repository whose branches and tags are copied. */
  from?: string;
  defaultBranch?: string;
  /** Roles by login. A user without one is a stranger. */
  roles?: Record<string, Role>;
  labels?: string[];
}

/** Options of `startWorld`; everything has a default. */
export interface WorldOptions {
  /** Gives the bot's address, once per delivery; undefined while there is no bot. */
  webhookUrl?: () => string | undefined;
  webhookSecret?: string;
  app?: { id?: number; slug?: string; permissions?: Record<string, string> };
  /** With false, the app exists only once it is registered by a manifest and installed on the world's pages. */
  registered?: boolean;
  repositories?: RepositoryOptions[];
  /** Users with an account but no role anywhere. */
  strangers?: string[];
  /** Slugs of other apps, installed beside the bot with the same permissions: people called `SLUG[bot]`. */
  bots?: string[];
}

/** The options with every default filled in. */
export interface Settings {
  webhookUrl: () => string | undefined;
  webhookSecret: string;
  app: { id: number; slug: string; permissions: Record<string, string> };
  registered: boolean;
  repositories: RepositoryOptions[];
  logins: string[];
  bots: string[];
}

const PERMISSIONS = {
  actions: "read",
  checks: "write",
  contents: "write",
  issues: "write",
  metadata: "read",
  pull_requests: "write",
  statuses: "write",
};

/** Fills in the defaults: a private repository acme/widget, alice with write permission, and eve, a stranger. */
export function settingsOf(options: WorldOptions): Settings {
  const repositories = options.repositories ?? [
    { owner: "acme", name: "widget", private: true, files: { "README.md": "# widget\n" }, roles: { alice: "write" } },
  ];
  const strangers = options.strangers ?? ["eve"];
  return {
    webhookUrl: options.webhookUrl ?? (() => undefined),
    webhookSecret: options.webhookSecret ?? "a-secret-of-the-test-world",
    app: {
      id: options.app?.id ?? 12345,
      slug: options.app?.slug ?? "magis",
      permissions: options.app?.permissions ?? PERMISSIONS,
    },
    registered: options.registered ?? true,
    repositories,
    logins: [...new Set([...repositories.flatMap((one) => Object.keys(one.roles ?? {})), ...strangers])],
    bots: options.bots ?? [],
  };
}

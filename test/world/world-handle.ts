import type { Hold } from "../holds.ts";
import { accountOf } from "./account-of.ts";
import { type CiArtifact, type CiJob, type CiResult, createStatus, runCi, senderAt } from "./checks/check-runs.ts";
import type { Contract } from "./contract/create-contract.ts";
import { createPerson, type Person } from "./create-person.ts";
import { createReader, type Reader } from "./create-reader.ts";
import type { Fault, Faults, HeldRequest, HoldOptions } from "./front/create-faults.ts";
import type { Exchange } from "./front/front-parts.ts";
import { CLIENT } from "./front/sign-in-request.ts";
import type { Delivery } from "./hooks/create-webhooks.ts";
import type { Settings } from "./options.ts";
import type { RepositoryState, Role, WorldState } from "./state.ts";

/** The world's interface for tests and the demo. Readers use the first repository by default. */
export interface World extends Reader {
  /** `http://127.0.0.1:PORT`; REST below /api/v3 and at the root, GraphQL at /api/graphql. */
  url: string;
  /** Where its repositories are, as `owner/name.git`. */
  folder: string;
  privateKey: string;
  webhookSecret: string;
  journal: Exchange[];
  deliveries: Delivery[];
  contract: Contract;
  until: Until;
  /** The environment of a bot that uses this world as a GitHub Enterprise host. */
  botEnvironment(): Record<string, string>;
  /** A person with an account, or another app (`SLUG[bot]`), in `owner/name` or the first repository. */
  person(login: string, repository?: string): Person;
  tokenOf(login: string): string;
  /** Sends any webhook; resolves with the bot's answer. */
  deliver(event: string, payload: object, guid?: string): Promise<Delivery>;
  /** Sends the same text again, with the same GUID. */
  redeliver(delivery: Delivery): Promise<Delivery>;
  fault(fault: Fault): void;
  /** Answers nobody, not even people, until the returned function is called. */
  outage(): () => void;
  hold(options: HoldOptions): Hold<HeldRequest>;
  /** Makes `login` the person whose browser visits GitHub, and who agrees to every sign-in; undefined: nobody. */
  visitAs(login: string | undefined): void;
  /** Gives a person another role in `owner/name` or the first repository, as its settings do. */
  setRole(login: string, role: Role, repository?: string): void;
  /** Takes back all that a person let the app do for them, and sends the webhook about it. */
  revokeSignIn(login: string): Promise<Delivery>;
  /** Makes all issues, pull requests and comments on them older by so many days; those in threads keep their times. */
  passDays(days: number): void;
  /** Expires every installation token given so far. */
  expireTokens(): void;
  /**
   * Runs `jobs` on a commit as Actions: check runs with annotations and logs, `check_run` webhooks for each, and with
   * `suite: true` the final `check_suite.completed`. A job without a conclusion keeps running.
   */
  ci(
    sha: string,
    jobs: CiJob[],
    options?: { suite?: boolean; repository?: string; artifacts?: CiArtifact[] },
  ): Promise<CiResult[]>;
  /** Gives a commit a status, like a CI outside GitHub. */
  status(sha: string, context: string, state: "pending" | "success" | "failure" | "error"): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;

interface WorldParts {
  state: WorldState;
  settings: Settings;
  faults: Faults;
  journal: Exchange[];
  close: () => Promise<void>;
}

/** Wraps the parts of a started world in the interface for tests. */
export function worldHandle({ state, settings, faults, journal, close }: WorldParts): World {
  const repositoryOf = (name?: string): RepositoryState => {
    const found = name === undefined ? [...state.repositories.values()][0] : state.repositories.get(name);
    if (found === undefined) throw new Error(`no repository ${name ?? ""} in the world`);
    return found;
  };
  const { hooks, url } = state;
  return {
    ...createReader(state, repositoryOf),
    url,
    folder: state.folder,
    privateKey: state.emulate.privateKey,
    webhookSecret: settings.webhookSecret,
    journal,
    deliveries: hooks.deliveries,
    contract: state.contract,
    until: createUntil(journal, hooks.deliveries),
    botEnvironment: () => ({
      APP_ID: String(state.app.id),
      PRIVATE_KEY: state.emulate.privateKey,
      WEBHOOK_SECRET: settings.webhookSecret,
      GHE_HOST: url.replace("http://", ""),
      GHE_PROTOCOL: "http",
      GITHUB_CLIENT_ID: CLIENT.id,
      GITHUB_CLIENT_SECRET: CLIENT.secret,
    }),
    person: (login, repository) => createPerson(state, repositoryOf(repository), login),
    tokenOf: (login) => `ghp_${login}`,
    deliver: (event, payload, guid) => hooks.deliver(event, payload, guid),
    redeliver: ({ event, body, guid }) => hooks.deliver(event, JSON.parse(body) as object, guid),
    fault: (fault) => faults.fault(fault),
    outage: () => faults.outage(),
    hold: (options) => faults.hold(options),
    visitAs: (login) => {
      state.signIn.person = login;
    },
    setRole: (login, role, repository) => void repositoryOf(repository).roles.set(login, role),
    async revokeSignIn(login) {
      for (const [token, actor] of state.tokens)
        if (actor.login === login && token.startsWith("ghu_")) state.tokens.delete(token);
      return hooks.deliver("github_app_authorization", { action: "revoked", sender: await accountOf(state, login) });
    },
    passDays: (days) => state.emulate.age(days * DAY_MS),
    expireTokens: () => {
      for (const actor of state.tokens.values()) if (actor.kind === "installation") actor.expires = 0;
    },
    ci: (sha, jobs, { suite = false, repository, artifacts } = {}) =>
      runCi(state, repositoryOf(repository), sha, jobs, suite, artifacts),
    status: async (sha, context, value) => {
      const repo = repositoryOf();
      await createStatus(state, repo, await senderAt(state, repo, sha), sha, { context, state: value });
    },
    close,
  };
}

interface UntilOptions {
  /** Names the condition in the error. */
  what?: string;
  /** The limit; 200 s by default, since a busy machine may be twenty times as slow. */
  ms?: number;
}

/** Resolves with the first truthy value of `condition`. */
type Until = <T>(condition: () => T | Promise<T>, options?: UntilOptions) => Promise<NonNullable<T>>;

/** Check a cheap condition every LOOK_MS; ask the world every ASK_MS if there is news, else every ASK_ANYWAY_MS. */
const LOOK_MS = 25;
const ASK_MS = 150;
const ASK_ANYWAY_MS = 1_000;
/** Ask less often after a while: waiting for a real model must not use up emulate's hourly rate limit. */
const PATIENT = { after: 20_000, askMs: 1_000 };
const SHOWN = 25;

/** Waits for conditions, and checks them again after news; a timeout reports the world's latest events. */
function createUntil(journal: Exchange[], deliveries: Delivery[]): Until {
  const news = () => journal.length + deliveries.length;
  return async (condition, { what = "the condition", ms = 200_000 } = {}) => {
    const began = performance.now();
    while (performance.now() - began < ms) {
      const [asked, known] = [performance.now(), news()];
      const answer = condition();
      const value = await answer;
      if (value) return value as NonNullable<typeof value>;
      const askMs = performance.now() - began < PATIENT.after ? ASK_MS : PATIENT.askMs;
      do await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      while (
        answer instanceof Promise &&
        performance.now() - asked < (news() === known ? Math.max(ASK_ANYWAY_MS, askMs) : askMs)
      );
    }
    const requests = journal
      .slice(-SHOWN)
      .map((one) => `${one.status} ${one.kind} ${one.method} ${one.path} (${one.actor})`);
    const hooks = deliveries.slice(-SHOWN).map((one) => `${one.status ?? "…"} ${one.event}.${one.action ?? ""}`);
    throw new Error([`${what} did not come in ${ms} ms`, "requests:", ...requests, "webhooks:", ...hooks].join("\n  "));
  };
}

import { afterEach } from "@jest/globals";
import { createOpenCodeHost } from "../../src/github/app-host.ts";
import type { GithubOptions } from "../../src/github/client.ts";
import { rsaKey } from "../fakes/rsa-key.ts";
import { type Answer, type Responder, startFakeGithub } from "./start-fake-github.ts";

/**
 * Starts a fake GitHub and opens the repository octo/tools on it; call `close` at the end. Tokens are `ghs_42_T.1`,
 * `ghs_42_T.2`, … unless `identity` answers requests about the app and its tokens. Nobody waits: a wait moves the host's
 * clock on at once, and is in `waits`.
 */
export async function openFakeHost(
  respond: Responder,
  options: Partial<GithubOptions> & { identity?: Responder } = {},
) {
  let tokens = 0;
  const known: Responder = options.identity ?? ((asked) => identity(asked, () => ++tokens));
  const github = await startFakeGithub((asked, base) => known(asked, base) ?? respond(asked, base));
  const logged: string[] = [];
  const note = (...parts: unknown[]): void => void logged.push(JSON.stringify(parts));
  const log = { debug: note, warn: note } as unknown as GithubOptions["log"];
  const waits: number[] = [];
  const now = (): number => performance.now() + waits.reduce((sum, ms) => sum + ms, 0);
  const clock = { now, wait: async (ms: number) => void waits.push(ms) };
  const open = createOpenCodeHost({
    appId: 42,
    privateKey: rsaKey(),
    apiUrl: `http://${github.host}/api/v3`,
    webUrl: `http://${github.host}`,
    log,
    clock,
    ...options,
  });
  const repository = { owner: "octo", name: "tools", installationId: 7 };
  const host = await open(repository);
  return { host, open, github, logged, waits, now, close: github.close };
}

/** `openFakeHost` for the tests of a suite, each of which closes what it opened. */
export function fakeHosts(): typeof openFakeHost {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  return async (respond, options) => {
    const opened = await openFakeHost(respond, options);
    closers.push(opened.close);
    return opened;
  };
}

function identity({ method, path }: { method: string; path: string }, next: () => number): Answer | undefined {
  if (path === "/app") return { body: { id: 42, slug: "magis", name: "MAGIS" } };
  if (method !== "POST" || path !== "/app/installations/7/access_tokens") return undefined;
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  return { status: 201, body: { token: `ghs_42_T.${next()}`, expires_at, permissions: { issues: "write" } } };
}

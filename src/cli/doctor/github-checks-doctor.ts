import { createAppAuth } from "@octokit/auth-app";
import { checkApp } from "./check-app.ts";
import { checkClock } from "./check-clock.ts";
import { checkDeliveries } from "./check-deliveries.ts";
import { checkEvents } from "./check-events.ts";
import { checkHook } from "./check-hook.ts";
import { checkHookAddress } from "./check-hook-address.ts";
import { checkHookPing } from "./check-hook-ping.ts";
import { checkInstallations } from "./check-installations.ts";
import { checkLocalBot } from "./check-local-bot.ts";
import { checkPermissions } from "./check-permissions.ts";
import { createApi } from "./create-api.ts";
import { findingsOf } from "./findings-of.ts";
import type { GithubParts } from "./github-parts-doctor.ts";
import type { RegisteredApp } from "./registered-app.ts";
import { repositoryFindingsDoctor } from "./repository-findings-doctor.ts";
import type { Check } from "./run-checks.ts";

/** The checks of GitHub, the webhook and the bot behind it. Those that need an answer of another's wait for it. */
export function githubChecksDoctor(parts: GithubParts): readonly Check[] {
  const { inspected, ask } = parts;
  const { github, server } = inspected.config;
  const checks: Check[] = [];
  if (inspected.sound("GHE_HOST", "GHE_PROTOCOL")) {
    checks.push({ name: "clock", run: () => checkClock(ask, github.apiUrl) });
  }
  if (inspected.sound("HOST", "PORT")) {
    checks.push({ name: "bot on this machine", run: () => checkLocalBot(ask, server.host, server.port) });
  }
  if (inspected.sound("APP_ID", "PRIVATE_KEY", "GHE_HOST", "GHE_PROTOCOL")) return [...checks, ...appChecks(parts)];
  const { skipped } = findingsOf("app registration");
  const text = "This, the webhook and the installations need APP_ID and the private key.";
  return [...checks, { name: "app registration", run: async () => skipped(text) }];
}

function appChecks({ inspected, ask, manifest, repository }: GithubParts): readonly Check[] {
  const { github, server } = inspected.config;
  const auth = createAppAuth({ appId: github.appId, privateKey: github.privateKey });
  const api = createApi(ask, github.apiUrl, async () => (await auth({ type: "app" })).token);
  const examined = checkApp(api, github.appId, github.webUrl);
  const withApp = (name: string, run: (app: RegisteredApp) => ReturnType<Check["run"]>): Check => ({
    name,
    run: async () => {
      const { app } = await examined;
      return app === undefined ? findingsOf(name).skipped("It needs an app that GitHub knows.") : run(app);
    },
  });
  const path = inspected.sound("WEBHOOK_PATH") ? server.webhookPath : undefined;
  const hook = examined.then(({ app }) => (app === undefined ? undefined : checkHook(api, app, path)));
  // What fails here is told by the checks that wait for it; until they do, it must not end the process.
  for (const one of [examined, hook]) one.catch(() => undefined);
  const withHook = (name: string, run: (url: string) => ReturnType<Check["run"]>): Check => ({
    name,
    run: async () => {
      const url = (await hook)?.url;
      return url === undefined ? findingsOf(name).skipped("It needs the webhook's address.") : run(url);
    },
  });
  const onGithubCom = github.webUrl === "https://github.com";
  const secret = inspected.sound("WEBHOOK_SECRET") ? github.webhookSecret : undefined;
  return [
    { name: "app registration", run: async () => (await examined).finding },
    withApp("app permissions", (app) => checkPermissions(app, manifest)),
    withApp("app events", (app) => checkEvents(app, manifest)),
    withApp("webhook settings", async () => (await hook)?.findings ?? []),
    withApp("webhook deliveries", (app) => checkDeliveries(api, app)),
    withHook("webhook address", (url) => checkHookAddress(ask, url, onGithubCom)),
    withHook("webhook signature", async (url) =>
      secret === undefined
        ? findingsOf("webhook signature").skipped("It needs WEBHOOK_SECRET.")
        : checkHookPing(ask, url, secret),
    ),
    withApp("installations", (app) => checkInstallations(api, app, manifest)),
    ...(repository === undefined
      ? []
      : [withApp("repository", (app) => repositoryFindingsDoctor({ inspected, ask, manifest, repository, api, app }))]),
  ];
}

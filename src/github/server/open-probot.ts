import type { Logger } from "pino";
import { type ApplicationFunction, Probot } from "probot";
import { serializeError } from "./serialize-error.ts";

export interface ProbotParts {
  readonly app: ApplicationFunction;
  readonly github: {
    readonly appId: number;
    /** PEM */
    readonly privateKey: string;
    readonly webhookSecret: string;
    /** root of the REST API */
    readonly apiUrl: string;
  };
  readonly log: Logger;
}

/**
 * Probot with the application loaded. All options are given, so that none is taken from the environment: Probot would
 * else use the secret "development" and, without an app id, offer its set-up pages. Makes no request.
 */
export async function openProbot({ app, github, log }: ProbotParts): Promise<Probot> {
  const probot = new Probot({
    appId: github.appId,
    privateKey: github.privateKey,
    secret: github.webhookSecret,
    baseUrl: github.apiUrl,
    log: log.child({}, { serializers: { err: serializeError } }),
  });
  await probot.ready();
  await probot.load(app);
  return probot;
}

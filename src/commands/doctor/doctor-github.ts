import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { untilAborted } from "../../data/cancellation.ts";
import { isMagisError } from "../../data/error.ts";
import { type AppKey, openAppAccess } from "../../github/access.ts";
import { createClient, type GithubOptions } from "../../github/client.ts";
import { isHttpFailure } from "../../github/errors.ts";
import { type Api, type ApiAnswer, type GithubAccess, replyText, silenceOf } from "./ask.ts";

/** A person waits for the findings. */
const TIMEOUT_MS = 10_000;

/** Enough to ask once more when a connection that was kept open turns out to be closed. */
const LONGEST_WAIT_S = 0.5;

/** GitHub as the doctor asks it: by the bot's own client, with less patience. After `signal` no answer is waited for. */
export function openGithubAccess(options: GithubOptions & AppKey, signal: AbortSignal): GithubAccess {
  const hasty = { timeoutMs: TIMEOUT_MS, maxWaitSeconds: LONGEST_WAIT_S, ...options };
  const app = openAppAccess(options, (authentication) => createClient(hasty, { authentication }));
  return {
    app: apiOf(app.client, signal),
    withToken: (token) => apiOf(createClient(hasty, { authentication: { auth: token } }), signal),
  };
}

function apiOf(client: Octokit, signal: AbortSignal): Api {
  const answerTo = <T>(asked: Promise<Answer>, shape: z.ZodType<T>) => readAnswer(untilAborted(asked, signal), shape);
  return {
    read: (path, shape) => answerTo(client.request(`GET ${path}`), shape),
    grant(installation_id, asked) {
      const granting = client.rest.apps.createInstallationAccessToken({ installation_id, ...asked });
      return answerTo(granting, z.object({ token: z.string() }));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly data: unknown;
}

async function readAnswer<T>(answer: Promise<Answer>, shape: z.ZodType<T>): Promise<ApiAnswer<T>> {
  try {
    const { status, data } = await answer;
    const read = shape.safeParse(data);
    return read.success ? { data: read.data } : { refusal: `GitHub ${replyText({ status, data })}`, status };
  } catch (error) {
    if (isMagisError(error, "RUN_CANCELLED")) return { refusal: "GitHub was not waited for" };
    if (isMagisError(error)) return { refusal: error.message.replace(/\.$/, "") };
    if (!isHttpFailure(error) || error.response === undefined) return { refusal: `GitHub ${silenceOf(error)}` };
    const { status } = error;
    return { refusal: `GitHub ${replyText({ status, data: error.response.data })}`, status };
  }
}

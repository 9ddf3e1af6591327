import { z } from "zod";
import type { Api } from "./create-api.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import type { RegisteredApp } from "./registered-app.ts";
import { replyText } from "./reply-text.ts";
import { samePath } from "./same-path.ts";

const { ok, warning, fault } = findingsOf("webhook settings");
const shape = z.object({
  url: z.string().nullish(),
  content_type: z.string().nullish(),
  secret: z.string().nullish(),
  insecure_ssl: z.union([z.string(), z.number()]).nullish(),
});

export interface HookExamined {
  readonly findings: readonly Finding[];
  /** where GitHub sends webhooks; absent where there is none */
  readonly url?: string;
}

/**
 * The webhook's address, path, content type and secret as GitHub has them. Whether it is ticked as active GitHub does
 * not tell an app; that shows in its deliveries.
 * See https://docs.github.com/en/rest/apps/webhooks#get-a-webhook-configuration-for-an-app
 */
export async function checkHook(api: Api, app: RegisteredApp, webhookPath: string | undefined): Promise<HookExamined> {
  const reply = await api.get("/app/hook/config");
  const { data } = shape.safeParse("data" in reply ? reply.data : undefined);
  const remedy = `Enter the webhook at ${app.settingsUrl} and tick "Active".`;
  if ("status" in reply && reply.status === 404) return { findings: [fault("The app has no webhook.", remedy)] };
  if ("silence" in reply || reply.status !== 200 || !data) {
    return { findings: [fault(`GitHub ${replyText(reply)} instead of the settings.`, "Try again later.")] };
  }
  const url = data.url && URL.canParse(data.url) ? new URL(data.url) : undefined;
  if (url === undefined) return { findings: [fault("The webhook has no address.", remedy)] };
  const findings = [...faultsOf(data, url, webhookPath, app.settingsUrl)];
  return { findings: findings.length > 0 ? findings : [ok(`${url.href}, as JSON, signed.`)], url: url.href };
}

function* faultsOf(data: z.output<typeof shape>, url: URL, path: string | undefined, page: string): Generator<Finding> {
  if (path !== undefined && !samePath(url.pathname, path)) {
    yield fault(
      `GitHub sends to the path ${url.pathname}, the bot listens on ${path}.`,
      `Set WEBHOOK_PATH, or the webhook's address at ${page}.`,
    );
  }
  if (data.content_type !== "json") {
    yield fault("The content type is not application/json: the bot refuses the rest.", `Choose it at ${page}.`);
  }
  if (!data.secret) {
    yield fault(
      "No secret is set: webhooks come unsigned and are refused.",
      `Enter that of WEBHOOK_SECRET at ${page}.`,
    );
  }
  if (url.protocol !== "https:") {
    yield warning("The address is not https: what GitHub sends can be read on the way.", "Put the bot behind TLS.");
  } else if (String(data.insecure_ssl ?? "0") === "1") {
    yield warning("GitHub does not check the address's certificate.", `Enable SSL verification at ${page}.`);
  }
}

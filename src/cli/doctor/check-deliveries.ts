import { z } from "zod";
import { type Api, replyText } from "./ask.ts";
import type { RegisteredApp } from "./check-app.ts";
import { type Finding, findingsOf } from "./findings.ts";

const { ok, warning, fault, skipped } = findingsOf("webhook deliveries");

const LATEST = 30;

const shape = z.array(
  z.object({ delivered_at: z.string(), status: z.string(), status_code: z.number(), event: z.string() }),
);

type Delivery = z.output<typeof shape>[number];

const MEANINGS: Readonly<Record<number, readonly [meaning: string, remedy: string]>> = {
  0: ["nothing answered at the address", "Start the bot, and let GitHub reach it: address, firewall, proxy."],
  401: ["the signature was refused", "Enter the same secret as WEBHOOK_SECRET and in the app's settings."],
  403: ["a proxy or firewall in front of the bot refused it", "Let it pass GitHub's webhooks."],
  404: ["nothing is at that path", "Make the path of the webhook's address and WEBHOOK_PATH the same."],
  405: ["nothing takes webhooks at that path", "Make the path of the webhook's address and WEBHOOK_PATH the same."],
  413: ["a proxy takes no body as large", "Let the proxy pass bodies of 25 MB."],
  415: ["the content type is not JSON", "Choose application/json in the app's settings."],
  502: ["a proxy found no bot behind it", "Start the bot; check where the proxy sends to."],
  504: ["the time ran out", "See in the bot's log what keeps it longer than 10 s."],
};

/**
 * How the latest deliveries of the webhook ended, as GitHub keeps them for some days.
 * See https://docs.github.com/en/rest/apps/webhooks#list-deliveries-for-an-app-webhook
 */
export async function checkDeliveries(api: Api, app: RegisteredApp): Promise<Finding> {
  const reply = await api.get(`/app/hook/deliveries?per_page=${LATEST}`);
  const { data } = shape.safeParse("data" in reply ? reply.data : undefined);
  if ("silence" in reply || reply.status !== 200 || !data) return skipped(`GitHub ${replyText(reply)}.`);
  const page = `${app.settingsUrl}/advanced`;
  const [latest] = data;
  if (latest === undefined) {
    return warning(
      "GitHub has sent nothing in the last days: nothing happened, or the webhook is not active.",
      `See that "Active" is ticked at ${app.settingsUrl}.`,
    );
  }
  const failed = data.filter((one) => !succeeded(one));
  if (failed.length === 0) return ok(`The latest ${data.length} were taken, the last at ${latest.delivered_at}.`);
  const kinds = [...new Set(failed.map((one) => describe(one)[0]))].join("; ");
  const remedy = `${describe(failed[0] ?? latest)[1]} Redeliver at ${page}.`;
  const text = `${failed.length} of the latest ${data.length} failed: ${kinds}.`;
  return succeeded(latest) ? warning(`${text} The last was taken.`, remedy) : fault(text, remedy);
}

function succeeded({ status_code }: Delivery): boolean {
  return status_code >= 200 && status_code < 300;
}

function describe({ status, status_code }: Delivery): readonly [text: string, remedy: string] {
  const late = /time/i.test(status) ? MEANINGS[504] : undefined;
  const [meaning, remedy] = late ??
    MEANINGS[status_code] ?? [
      status_code >= 500 ? "the bot could not keep it" : status,
      "See the bot's log at the time of the delivery.",
    ];
  return [`${status_code === 0 ? "" : `${status_code}, `}${meaning}`, remedy];
}

import { z } from "zod";
import type { Api } from "./create-api.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import type { RegisteredApp } from "./registered-app.ts";
import { replyText } from "./reply-text.ts";

const { ok, fault } = findingsOf("app registration");
const shape = z.object({
  id: z.number(),
  slug: z.string(),
  owner: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  permissions: z.record(z.string(), z.string()).default({}),
  events: z.array(z.string()).default([]),
});

export interface AppExamined {
  readonly finding: Finding;
  /** absent where GitHub did not say who the app is */
  readonly app?: RegisteredApp;
}

/**
 * Whether GitHub takes the key as the one of APP_ID's app, and which app that is.
 * See https://docs.github.com/en/rest/apps/apps#get-the-authenticated-app
 */
export async function checkApp(api: Api, appId: number, webUrl: string): Promise<AppExamined> {
  const reply = await api.get("/app");
  if ("silence" in reply) {
    return { finding: fault(`GitHub ${reply.silence}.`, "Check the network, the proxy and GHE_HOST.") };
  }
  if (reply.status === 401 || reply.status === 404) {
    return {
      finding: fault(
        `GitHub ${replyText(reply)}: APP_ID ${appId} and the private key do not fit together.`,
        "Take the App ID from the app's settings page; generate a new private key there if this one was deleted.",
      ),
    };
  }
  const { data } = shape.safeParse(reply.data);
  if (reply.status !== 200 || data === undefined) {
    return { finding: fault(`GitHub ${replyText(reply)} instead of the app.`, "Check GHE_HOST; try again later.") };
  }
  const owner = data.owner?.login;
  const finding = ok(`${data.slug} (${data.id})${owner === undefined ? "" : ` of ${owner}`}: the key is accepted.`);
  const group = data.owner?.type === "Organization" ? `/organizations/${owner}` : "";
  return {
    finding,
    app: {
      ...{ slug: data.slug, permissions: data.permissions, events: data.events },
      settingsUrl: `${webUrl}${group}/settings/apps/${data.slug}`,
      installUrl: `${webUrl}/apps/${data.slug}/installations/new`,
    },
  };
}

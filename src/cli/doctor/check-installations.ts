import { z } from "zod";
import type { Api } from "./create-api.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import type { Manifest } from "./manifest.ts";
import { missingPermissions } from "./missing-permissions.ts";
import type { RegisteredApp } from "./registered-app.ts";
import { replyText } from "./reply-text.ts";

const { ok, warning, fault } = findingsOf("installations");
const MAX = 100;
const MAX_NAMED = 10;
const shape = z.array(
  z.object({
    account: z.object({ login: z.string().optional(), slug: z.string().optional() }).nullish(),
    suspended_at: z.string().nullish(),
    permissions: z.record(z.string(), z.string()).default({}),
    html_url: z.string().default(""),
  }),
);

/** On which accounts the app is installed, and whether they have accepted the permissions that the bot needs. */
export async function checkInstallations(
  api: Api,
  app: RegisteredApp,
  manifest: Manifest,
): Promise<Finding | readonly Finding[]> {
  const reply = await api.get(`/app/installations?per_page=${MAX}`);
  const { data } = shape.safeParse("data" in reply ? reply.data : undefined);
  if ("silence" in reply || reply.status !== 200 || !data) return fault(`GitHub ${replyText(reply)}.`);
  if (data.length === 0) return fault("The app is installed nowhere.", `Install it: ${app.installUrl}`);
  const names = data.map(({ account }) => account?.login ?? account?.slug ?? "an unknown account");
  const more = data.length > MAX_NAMED ? `, and ${data.length - MAX_NAMED} more` : "";
  const count = data.length === MAX ? `${MAX} or more` : String(data.length);
  // What the registration itself lacks no account can accept.
  const offered = Object.fromEntries(
    Object.entries(manifest.permissions).filter(
      ([name, level]) => missingPermissions({ [name]: level }, app.permissions).length === 0,
    ),
  );
  const troubles = data.flatMap((one, index) => {
    const where = names[index];
    if (one.suspended_at)
      return [warning(`That of ${where} is suspended.`, `Its owner can lift that: ${one.html_url}`)];
    const missing = missingPermissions(offered, one.permissions);
    if (missing.length === 0) return [];
    const text = `${where} has not accepted new permissions: ${missing.join(", ")}.`;
    return [warning(text, `Its owner accepts them at ${one.html_url || app.installUrl}`)];
  });
  return [ok(`${count}: ${names.slice(0, MAX_NAMED).join(", ")}${more}.`), ...troubles];
}

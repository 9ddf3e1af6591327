import type { RepositoryName } from "./check-repository.ts";
import type { Api } from "./create-api.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import { replyText } from "./reply-text.ts";

const { ok, warning, skipped } = findingsOf("label");

/** Whether the label that starts the bot is there to be given; a comment starts it without. */
export async function checkLabel(api: Api, { owner, name }: RepositoryName, label: string): Promise<Finding> {
  const reply = await api.get(`/repos/${owner}/${name}/labels/${encodeURIComponent(label)}`);
  if ("silence" in reply || ![200, 404].includes(reply.status)) return skipped(`GitHub ${replyText(reply)}.`);
  if (reply.status === 200) return ok(`"${label}" is there.`);
  const quoted = `'${label.replaceAll("'", `'\\''`)}'`;
  return warning(`"${label}" is not there.`, `Run gh label create ${quoted} --repo ${owner}/${name}`);
}

import { neutraliseMentions } from "./neutralise-mentions.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** A model's or a person's words of several lines as Markdown, safe to post; a code fence left open ends with them. */
export function prose(text: string): string {
  const safe = neutraliseMentions(text);
  let open: string | undefined;
  for (const line of safe.split("\n")) {
    const [, run = "", rest = ""] = FENCE.exec(line) ?? [];
    if (run === "") continue;
    if (open === undefined) open = run.startsWith("`") && rest.includes("`") ? undefined : run;
    else if (run.startsWith(open) && rest.trim() === "") open = undefined;
  }
  return open === undefined ? safe : `${safe}\n${open}`;
}

import type { CodeHost } from "../../ports/code-host.ts";
import type { RunSettings } from "../run/run-tools.ts";
import { botAuthor } from "./bot-author.ts";
import { commitSubject } from "./commit-subject.ts";

/** A commit message as the repository wants it: its first line after its template, signed off where it asks for that. */
export function formatting(
  message: string,
  issue: number,
  {
    settings,
    ...who
  }: { readonly settings: Pick<RunSettings, "commit" | "signOff"> } & Pick<CodeHost, "login" | "author">,
): string {
  const [title = "", ...rest] = message.split("\n");
  const styled = [commitSubject(settings.commit, title, issue), ...rest].join("\n");
  if (!settings.signOff) return styled;
  const { name, email } = botAuthor(who);
  return `${styled.trimEnd()}\n\nSigned-off-by: ${name} <${email}>\n`;
}

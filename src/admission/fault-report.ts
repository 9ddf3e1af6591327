import type { SettingsFault } from "../config/repository/settings-fault.ts";
import { codeSpan } from "../text/code-span.ts";

const MAX = 20;

/** The faults as Markdown for a comment on the issue: by file, with the lines; long lists are cut, visibly. */
export function faultReport(faults: readonly SettingsFault[]): string {
  const files = [...new Set(faults.slice(0, MAX).map(({ file }) => file))];
  const sections = files.map((file) => {
    const items = faults.slice(0, MAX).filter((fault) => fault.file === file);
    return [`In ${codeSpan(file)}:`, ...items.map(item)].join("\n");
  });
  const rest = faults.length - MAX;
  return [
    "I did not start, because I cannot be sure what my configuration asks for.",
    ...sections,
    ...(rest > 0 ? [`And ${rest} more, which are not shown here.`] : []),
    "Mend this on the default branch, then ask again.",
  ].join("\n\n");
}

function item({ line, message }: SettingsFault): string {
  return `- line ${line}: ${message}`;
}

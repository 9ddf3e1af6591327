import { type CommentsFrom, type IssueSnapshot, isHeard } from "../../model/discussion.ts";
import type { CodeHost, HostIssue, HostRelative } from "../../ports/code-host.ts";
import { counted } from "../../text/counted.ts";
import { cutEnd } from "../../text/cut.ts";
import { shownText, shownTitle } from "../../text/shown-text.ts";
import { standingOf } from "./standing-of.ts";

type Relative = NonNullable<IssueSnapshot["relatives"]>[number];

const MAX_TITLE = 200;

const MAX_BEGIN = 500;

/**
 * An issue's parent and its sub-issues as they stood at `asked` (milliseconds), by title and first paragraph, without
 * those that were edited later and those of people who are not heard. `left`: those left out, in words.
 */
export async function readRelatives(
  issue: HostIssue,
  { asked, from }: { readonly asked: number; readonly from: CommentsFrom },
  host: CodeHost,
): Promise<{ readonly relatives?: readonly Relative[]; readonly left: readonly string[] }> {
  const { parent = false, children = 0 } = issue.family ?? {};
  const relatives = (await host.relativesOf(issue))
    .filter(({ updatedAt }) => Date.parse(updatedAt) <= asked)
    .map((one) => toRelative(one, issue))
    .filter(({ standing }) => isHeard(standing, from));
  const missing = children + (parent ? 1 : 0) - relatives.length;
  const left = missing > 0 ? [counted(missing, "parent or sub-issue", "parents or sub-issues")] : [];
  return { relatives: relatives.length > 0 ? relatives : undefined, left };
}

function toRelative(found: HostRelative, { author }: HostIssue): Relative {
  return {
    relation: found.relation,
    number: found.number,
    open: found.open,
    title: cutEnd(shownTitle(found.title), MAX_TITLE),
    begin: cutEnd(firstParagraph(shownText(found)), MAX_BEGIN),
    author: found.author,
    ...standingOf(found.byMaintainer, found.author === author),
  };
}

const firstParagraph = (text: string) => text.split("\n\n").find((part) => !part.startsWith("#")) ?? "";

import { numberedRanges } from "../../../edits/numbered-ranges.ts";
import { readText } from "../../../edits/read-text.ts";
import type { RepositoryView } from "./repository-view.ts";

const CHANGELOG = /^(?:changes|changelog|history|news|releases?)(?:\.(?:md|rst|txt))?$/i;
const VERSION = /^(?:#{1,3} |=+ |\*+ )?\[?(?:v(?:ersion)? ?)?\d+\.\d+|^(?:#{1,3} )?\[?(?:unreleased|next|main|master)/i;
/** Lines at the head, and at the end of the newest section, where entries are added. */
const HEAD = 6;
const TAIL = 5;
const MAX_LINE_LENGTH = 200;

/** The beginning of the repository's changelog and the end of its newest section, numbered; null when there is none. */
export async function viewChangelog(repositoryView: RepositoryView): Promise<{ path: string; content: string } | null> {
  const path = repositoryView.paths().find((one) => CHANGELOG.test(one));
  const lines = path === undefined ? undefined : readText((await repositoryView.read(path)) ?? new Uint8Array())?.lines;
  if (path === undefined || !lines || lines.length === 0) return null;
  const versions = lines.flatMap((line, at) => (VERSION.test(line) ? [at + 1] : []));
  const next = versions[1] ?? Math.min(lines.length, HEAD) + 1;
  const ranges = [
    { from: 1, to: HEAD },
    { from: Math.max(1, next - TAIL), to: next },
  ];
  const short = lines.map((line) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line));
  return { path, content: numberedRanges(short, ranges) };
}

import { createHash } from "node:crypto";
import { git } from "../recall/git.ts";

/** A backport that people made: one commit of another branch, picked onto `onto`. */
export interface Backport {
  /** what people committed */
  readonly commit: string;
  readonly onto: string;
  readonly picked: string;
  /** the first parent of the picked commit */
  readonly before: string;
  readonly title: string;
}

const PICKED = /\(cherry picked from commit ([0-9a-f]{40})\)/g;

/** Every backport of a mirror whose original it has, in an order that says nothing of them. */
export function listBackports(mirror: string): readonly Backport[] {
  const log = git(
    mirror,
    "log",
    "--all",
    "--no-merges",
    "--grep=cherry picked from commit",
    "--format=%H %P%x00%B%x01",
  );
  const found = log.split("\u0001").flatMap((entry) => {
    const [ids = "", message = ""] = entry.trim().split("\0");
    const [commit = "", onto, ...others] = ids.split(" ");
    const [picked, ...more] = [...message.matchAll(PICKED)].map(([, id = ""]) => id);
    if (!onto || !picked || others.length > 0 || more.length > 0) return [];
    return [{ commit, onto, picked, title: message.split("\n")[0] ?? "" }];
  });
  const parents = parentsOf(mirror);
  return found
    .flatMap((one) => {
      const [before] = parents.get(one.picked) ?? [];
      return before === undefined || one.picked === one.onto ? [] : [{ ...one, before }];
    })
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

const orderOf = ({ commit }: Backport) => createHash("sha256").update(commit).digest("hex");

function parentsOf(mirror: string): ReadonlyMap<string, readonly string[]> {
  const lines = git(mirror, "rev-list", "--all", "--parents").split("\n");
  return new Map(lines.map((line) => line.split(" ")).map(([commit = "", ...parents]) => [commit, parents]));
}

import { findRenames, groupBy, type Renames } from "./find-renames.ts";
import { type Declined, isSame, type Side, type Sides } from "./sides.ts";

/** A file that a side has under another name. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/** The three versions with each moved file under one name, so that it merges by its path. */
export interface Followed {
  readonly sides: Sides;
  /** files that `ours` moved and `theirs` changed: the change goes to their new place */
  readonly moved: readonly Moved[];
  /** files that `theirs` moved and `ours` changed: `ours` moves them, too */
  readonly toMove: readonly Moved[];
  /** moves that conflict; do not merge these paths */
  readonly declined: readonly Declined[];
}

/**
 * Follows files that were renamed on a side, as git's merge does: where both sides changed a file, moved or not, or one
 * added files to a folder that the other moved. What git would call a conflict of names is declined, and so is whatever
 * is not clear. Throws what `readBlob` throws.
 */
export async function followRenames(sides: Sides): Promise<Followed> {
  const { base, ours, theirs } = sides;
  const inMoved = { ours: intoGone(base, ours, theirs), theirs: intoGone(base, theirs, ours) };
  const [here, there] = await Promise.all([
    findRenames(base, ours, [...changedOn(theirs, base), ...inMoved.ours.sources]),
    findRenames(base, theirs, [...changedOn(ours, base), ...inMoved.theirs.sources]),
  ]);
  const together: Moved[] = [];
  const moved: Moved[] = [];
  const toMove: Moved[] = [];
  const declined = [...intoMoved(inMoved.ours.added, here), ...intoMoved(inMoved.theirs.added, there)];
  for (const path of new Set([...here.keys(), ...there.keys()])) {
    const outcome = outcomeOf(path, sides, { here, there });
    if (outcome === undefined) continue;
    if ("why" in outcome) declined.push(outcome);
    else if (outcome.by === "both") together.push(outcome);
    else if (outcome.by === "ours") moved.push(outcome);
    else toMove.push(outcome);
  }
  const all = [...together, ...moved, ...toMove];
  const aligned: Sides = {
    base: renamed(base, all),
    ours: renamed(ours, toMove),
    theirs: renamed(theirs, moved),
  };
  return { sides: aligned, moved, toMove, declined };
}

/** The files of the base that a side changed, deleted or moved. */
function changedOn({ entries }: Side, base: Side): readonly string[] {
  return [...base.entries.values()].filter((entry) => !isSame(entry, entries.get(entry.path))).map(({ path }) => path);
}

interface Move extends Moved {
  /** whose move it is */
  readonly by: "ours" | "theirs" | "both";
}

/** What becomes of a file that has moved on a side; undefined where the merge by paths is right. */
function outcomeOf(
  path: string,
  { base, ours, theirs }: Sides,
  { here, there }: { readonly here: Renames; readonly there: Renames },
): Move | Declined | undefined {
  const [old, own, other] = [base, ours, theirs].map(({ entries }) => entries.get(path));
  if (isSame(old, own) || isSame(old, other)) return undefined;
  const [to, theirTo] = [here.get(path), there.get(path)];
  const isUnclear = (here.has(path) && to === undefined) || (there.has(path) && theirTo === undefined);
  // Deleted on the other side, a file that only resembles it stays as it is.
  const isWanted = own !== undefined || other !== undefined || (here.has(path) && there.has(path));
  if (isUnclear && isWanted) return { path, why: "it seems to have moved, and it is not clear where to" };
  if (to !== undefined && theirTo !== undefined)
    return to === theirTo ? { from: path, to, by: "both" } : { path, why: "both sides moved it to different places" };
  if (to !== undefined) {
    if (!other) return { path, why: "moved here, deleted there" };
    return theirs.entries.has(to) ? { path, why: IN_THE_WAY } : { from: path, to, by: "ours" };
  }
  if (theirTo === undefined) return undefined;
  if (!own) return { path, why: "deleted here, moved there" };
  return ours.entries.has(theirTo) ? { path, why: IN_THE_WAY } : { from: path, to: theirTo, by: "theirs" };
}

const IN_THE_WAY = "it was moved to where the other side has another file";

/** A side with files under their new names. */
function renamed({ entries, readBlob }: Side, moves: readonly Moved[]): Side {
  if (moves.length === 0) return { entries, readBlob };
  const made = new Map(entries);
  for (const { from, to } of moves) {
    const entry = made.get(from);
    made.delete(from);
    if (entry) made.set(to, { ...entry, path: to });
  }
  return { entries: made, readBlob };
}

interface IntoGone {
  /** new files of the other side, with the files of the base beside which they were put */
  readonly added: readonly { readonly path: string; readonly beside: readonly string[] }[];
  /** all files of these folders */
  readonly sources: readonly string[];
}

/** Finds the files that `other` added to folders that are gone on `side`. */
function intoGone(base: Side, side: Side, other: Side): IntoGone {
  const inBase = groupBy(base.entries.keys(), folderOf);
  const left = new Set([...side.entries.keys()].flatMap(foldersOf));
  const added = [...other.entries.keys()].flatMap((path) => {
    const folder = folderOf(path);
    const beside = inBase.get(folder) ?? [];
    const isAway = folder !== "" && !base.entries.has(path) && beside.length > 0 && !left.has(folder);
    return isAway ? [{ path, beside }] : [];
  });
  return { added, sources: [...new Set(added.flatMap(({ beside }) => beside))] };
}

/** Git reports these as conflicts, too: the new file may belong to the folder's new place. */
function intoMoved(added: IntoGone["added"], renames: Renames): readonly Declined[] {
  return added
    .filter(({ beside }) => beside.some((path) => renames.has(path)))
    .map(({ path }) => ({ path, why: "it is new in a folder that the other side moved" }));
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The folders that a path is in, the outermost first. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** Steps that matching may still take; shared by all that match for the same tree. */
export interface StepBudget {
  left: number;
}

/**
 * Whether a path fits a pattern of .gitattributes, as git has it: without a slash the pattern is of the name alone, else of
 * the whole path; `**` stands for any folders. No step budget is exceeded by more than one path's: then nothing fits.
 */
export function createGlob(pattern: string): (path: string, budget: StepBudget) => boolean {
  if (pattern.length > MAX_PATTERN) return () => false;
  const tail = literalTail(pattern);
  if (!pattern.includes("/")) {
    const name = readName(pattern);
    return (path, budget) => {
      budget.left -= 1;
      return path.endsWith(tail) && fits(name, path.slice(path.lastIndexOf("/") + 1), budget);
    };
  }
  const folders = readFolders(pattern.replace(/^\//, ""));
  return (path, budget) => {
    budget.left -= 1;
    return path.endsWith(tail) && fits(folders, path.split("/"), budget);
  };
}

/** Git skips longer lines, too. */
const MAX_PATTERN = 2_048;

/** The literal end of a pattern, which rules out most paths at once. */
const literalTail = (pattern: string): string => pattern.split(/[*?[\]\\/]/).at(-1) ?? "";

const ANY = "any number of these";

/** What stands for any number of items, or says whether an item fits. */
type Piece<T> = typeof ANY | ((item: T, budget: StepBudget) => boolean);

/**
 * Only the last piece that stands for any number is ever tried again, so the time is the product of both lengths at most;
 * a regular expression made of the pattern would take powers of it.
 */
function fits<T>(pieces: readonly Piece<T>[], items: ArrayLike<T>, budget: StepBudget): boolean {
  let [piece, at] = [0, 0];
  let again: { piece: number; at: number } | undefined;
  while (at < items.length) {
    budget.left -= 1;
    if (budget.left < 0) return false;
    const one = pieces[piece];
    if (one === ANY) {
      again = { piece: piece + 1, at };
      piece += 1;
    } else if (one?.(items[at] as T, budget)) {
      piece += 1;
      at += 1;
    } else if (again) {
      again = { piece: again.piece, at: again.at + 1 };
      piece = again.piece;
      at = again.at;
    } else return false;
  }
  while (pieces[piece] === ANY) piece += 1;
  return piece === pieces.length;
}

function readFolders(pattern: string): readonly Piece<string>[] {
  const parts = pattern.split("/");
  return parts.flatMap((part, at): readonly Piece<string>[] => {
    if (part === "**") return at > 0 && at === parts.length - 1 ? [() => true, ANY] : [ANY];
    const name = readName(part);
    return [(folder, budget) => fits(name, folder, budget)];
  });
}

const TOKEN = /\*+|\?|\[(?<not>[!^]?)(?<set>\]?(?:\[:\w{1,20}:\]|\\.|[^\]\\]){0,300})\]|\\?(?<sign>[\s\S])/gy;

function readName(pattern: string): readonly Piece<string>[] {
  return [...pattern.matchAll(TOKEN)].map(({ 0: text, groups = {} }): Piece<string> => {
    const { not = "", set = "", sign } = groups;
    if (text.startsWith("*")) return ANY;
    if (text === "?") return () => true;
    if (sign !== undefined) return (letter) => letter === sign;
    const isIn = readSet(set);
    return (letter) => isIn(letter) === (not === "");
  });
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z\d]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  digit: /\d/,
  lower: /[a-z]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[\da-f]/i,
};

const ITEM = /\[:(?<name>\w+):\]|\\?(?<from>[\s\S])(?:-\\?(?<to>[\s\S]))?/gy;

function readSet(set: string): (letter: string) => boolean {
  const items = [...set.matchAll(ITEM)].map(({ groups = {} }) => {
    const { name, from = "" } = groups;
    const to = groups.to ?? from;
    if (name !== undefined) return (letter: string) => CLASSES[name]?.test(letter) ?? false;
    return (letter: string) => from <= letter && letter <= to;
  });
  return (letter) => items.some((isIn) => isIn(letter));
}

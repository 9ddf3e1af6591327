/** The beginning of a file says what it is for; it may take this part of the outline. */
const HEAD_SHARE = 0.2;

const MAX_LINE_LENGTH = 160;

const GAP = "…";

/** `#` alone: `#private` is a member, `## Heading` says what follows. */
const COMMENT = /^(?:\/\/|\/\*|\*|# |--|"""|''')/;

const ONLY_CLOSES = /^[\s)\]};,]*$/;

interface RankedLine {
  readonly at: number;
  readonly text: string;
  readonly rank: number;
}

/**
 * The outline of a text of any language in about `most` characters: its beginning, then its lines by how little they
 * are indented, code before comments, in their order, with `…` for what is left out. That shows what a file declares
 * without a parser. A text that is short enough is given as it is. Pure.
 */
export function outlineText(text: string, most: number): string {
  if (text.length <= most) return text;
  const lines = text.split(/\r?\n/);
  const chosen = new Set<number>();
  let room = most;
  const choose = (at: number): boolean => {
    const cost = Math.min(MAX_LINE_LENGTH, lines[at]?.length ?? 0) + 3;
    if (chosen.has(at) || cost > room) return cost <= room;
    room -= cost;
    chosen.add(at);
    return true;
  };
  for (let at = 0; at < lines.length && room > most * (1 - HEAD_SHARE); at++) if (!choose(at)) break;
  for (const group of byRank(lines)) {
    // A level that does not fit is thinned out evenly, so that the end of the file is not lost.
    const cost = group.reduce((sum, { text: line }) => sum + Math.min(MAX_LINE_LENGTH, line.length) + 3, 0);
    const step = Math.max(1, cost / Math.max(1, room));
    for (let i = 0; i < group.length; i += step) choose((group[Math.floor(i)] as RankedLine).at);
    if (step > 1) break;
  }
  return written(lines, chosen);
}

/** Lines that say something, in groups: the less indented first, a comment after the code one level further in. */
function byRank(lines: readonly string[]): RankedLine[][] {
  const ranked = lines.flatMap((text, at): RankedLine[] => {
    if (ONLY_CLOSES.test(text)) return [];
    const line = text.trimStart();
    const indent = text.slice(0, text.length - line.length).replaceAll("\t", "    ").length;
    return [{ at, text, rank: indent + (COMMENT.test(line) ? 5 : 0) }];
  });
  const groups = new Map<number, RankedLine[]>();
  for (const line of ranked) {
    const group = groups.get(line.rank);
    if (group) group.push(line);
    else groups.set(line.rank, [line]);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function written(lines: readonly string[], chosen: ReadonlySet<number>): string {
  const shown: string[] = [];
  let last = -1;
  for (const at of [...chosen].sort((a, b) => a - b)) {
    if (at > last + 1) shown.push(GAP);
    const line = lines[at] ?? "";
    shown.push(line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}${GAP}` : line);
    last = at;
  }
  if (last < lines.length - 1) shown.push(GAP);
  return shown.join("\n");
}

/** A declaration as far as names are listed. */
interface Declared {
  readonly name: string;
  readonly parent?: string;
}

/**
 * What a file declares, on one line: top-level names, each with its members in parentheses, those that share a term with
 * the issue first where there is not room for all (`terms` by `splits`, which gives a name's terms). At most `most` characters.
 */
export function declaredNames(
  declared: readonly Declared[],
  splits: (name: string) => readonly string[],
  terms: ReadonlyMap<string, number>,
  most: number,
): string {
  const weight = (name: string) => splits(name).reduce((sum, term) => sum + (terms.get(term) ?? 0), 0);
  const groups = new Map<string, string[]>();
  for (const { name, parent } of declared) {
    if (parent === undefined) groups.set(name, groups.get(name) ?? []);
    else groups.set(parent, [...(groups.get(parent) ?? []), name]);
  }
  const ranked = [...groups].map(([name, members], at) => {
    const unique = [...new Set(members)].sort((a, b) => weight(b) - weight(a));
    return { name, members: unique, at, weight: weight(name) * 2 + unique.reduce((sum, one) => sum + weight(one), 0) };
  });
  const chosen: { at: number; text: string }[] = [];
  let room = most;
  for (const { name, members, at } of ranked.sort((a, b) => b.weight - a.weight || a.at - b.at)) {
    if (name.length + 2 > room) break;
    const shown: string[] = [];
    let left = Math.min(room, most / 2) - name.length - 4;
    for (const member of members) {
      if (member.length + 2 > left) break;
      left -= member.length + 2;
      shown.push(member);
    }
    const more = shown.length < members.length ? [...shown, "…"] : shown;
    const text = more.length > 0 ? `${name} (${more.join(", ")})` : name;
    room -= text.length + 2;
    chosen.push({ at, text });
  }
  const names = chosen.sort((a, b) => a.at - b.at).map(({ text }) => text);
  return [...names, ...(chosen.length < ranked.length ? ["…"] : [])].join("; ");
}

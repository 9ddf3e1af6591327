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

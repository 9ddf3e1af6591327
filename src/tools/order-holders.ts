import type { Holder } from "./find-holders.ts";
import { isDeclarationLine } from "./is-declaration-line.ts";
import type { ToolLimits } from "./tool-limits.ts";

export interface OrderedHolders {
  /** those worth parsing within the limit, likely declarations first */
  readonly chosen: readonly Holder[];
  /** how many are left out because of the limit */
  readonly left: number;
}

/** Chooses what to parse when a name stands in many files: where a line looks like its declaration comes first. */
export function orderHolders(holders: readonly Holder[], name: string, { parsedBytes }: ToolLimits): OrderedHolders {
  const total = holders.reduce((sum, { text }) => sum + text.length, 0);
  if (total <= parsedBytes) return { chosen: holders, left: 0 };
  const likely = holders.filter(({ text }) => text.split("\n").some((line) => isDeclarationLine(line, name)));
  const ordered = [...likely, ...holders.filter((holder) => !likely.includes(holder))];
  let room = parsedBytes;
  const chosen = ordered.filter(({ text }) => {
    room -= text.length;
    return room >= 0;
  });
  return { chosen, left: holders.length - chosen.length };
}

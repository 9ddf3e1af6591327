import type { Badge } from "./block.ts";

const ENDS: Readonly<Record<string, Badge>> = {
  published: { text: "published", tone: "good" },
  "dry-run": { text: "dry run", tone: "good" },
  "nothing-to-change": { text: "nothing to change", tone: "plain" },
  "gave-up": { text: "gave up", tone: "bad" },
  "budget-reached": { text: "budget used up", tone: "warn" },
  "awaiting-approval": { text: "waits for approval", tone: "warn" },
  cancelled: { text: "cancelled", tone: "warn" },
  refused: { text: "refused", tone: "warn" },
  failed: { text: "failed", tone: "bad" },
};

/** How a run ended, by the `kind` of its result, in two words; undefined: it has not ended. */
export function endBadge(kind: string | undefined): Badge {
  if (kind === undefined) return { text: "not ended", tone: "plain" };
  return (Object.hasOwn(ENDS, kind) ? ENDS[kind] : undefined) ?? { text: kind, tone: "plain" };
}

import type { LimitPeriod, LimitReached, LimitScope } from "../data/limits.ts";
import { markers } from "../data/marks.ts";
import { formatMoney } from "../data/spend.ts";
import { counted } from "../text/counted.ts";

type MoneyReached = Extract<LimitReached, { kind: "money" }>;

/**
 * Why a run does not begin, and until when that holds. Only the repository's own sums are said: those of the bot, of
 * other repositories and of a person's work elsewhere are nobody's business here.
 */
export function limitSentence(limit: LimitReached): string {
  if (limit.kind === "open-pulls") {
    const { open, most } = limit;
    const pulls = counted(open, "open pull request");
    return `I have ${pulls} in this repository, and my limit is ${most}. Please merge or close one, then ask again.`;
  }
  const budget = `${WHOSE[limit.scope]} budget for ${PERIODS[limit.period]}`;
  if (limit.needed > limit.most) {
    const { most, needed } = limit;
    const sums =
      limit.scope === "repository" ? ` (${formatMoney(needed)}, and the budget is ${formatMoney(most)})` : "";
    return `A run may cost more than all of ${budget}${sums}. One of the two has to be changed before I can start.`;
  }
  return `What is left of ${budget} does not cover another run${sumsOf(limit)}. I can start again on ${moment(limit.until)}; please ask me then.`;
}

/** The comment about a run that would have continued another; that one's comment stays. */
export function limitNote(run: string, reason: string): string {
  return `I did not go on. ${reason} Everything so far stays as it is.\n\n${markers.limit(run)}`;
}

const WHOSE: Readonly<Record<LimitScope, string>> = {
  bot: "my",
  organisation: "the owner's",
  repository: "this repository's",
  person: "the asking person's",
};

const PERIODS: Readonly<Record<LimitPeriod, string>> = { day: "today", month: "this month" };

const sumsOf = ({ scope, spent, most, needed }: MoneyReached) =>
  scope === "repository"
    ? `: ${formatMoney(spent)} of ${formatMoney(most)} is spent, and a run may cost ${formatMoney(needed)}`
    : "";

/** `2026-12-01 at 00:00 UTC` */
const moment = (iso: string) => `${iso.slice(0, 10)} at ${iso.slice(11, 16)} UTC`;

import type { Strategy } from "../../run/strategy.ts";
import { writeTogether } from "./code.ts";
import { shortlistTogether } from "./locate.ts";
import { planTogether } from "./plan.ts";

/** The product's own profile: what one call can answer is asked together. */
export const lean: Strategy = {
  /** each Developer's change, and one review */
  form: { once: 0, aRound: 1, team: 1, atEnd: 0 },
  shortlist: shortlistTogether,
  plan: planTogether,
  code: writeTogether,
};

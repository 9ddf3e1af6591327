import type { RunSettings } from "../../model/settings.ts";
import type { Strategy } from "../run/strategy.ts";
import { writeTogether } from "./lean/code.ts";
import { shortlistTogether } from "./lean/locate.ts";
import { planTogether } from "./lean/plan.ts";
import { paper } from "./paper/paper.ts";

/** The product's own profile: what one call can answer is asked together. */
export const lean: Strategy = {
  /** each Developer's change, and one review */
  form: { once: 0, aRound: 1, team: 1, atEnd: 0 },
  shortlist: shortlistTogether,
  plan: planTogether,
  code: writeTogether,
};

/** The profiles by their names; a profile is its folder, its prompts' folder, and its entry here. */
export const PROFILES: Readonly<Record<RunSettings["profile"], Strategy>> = { lean, paper };

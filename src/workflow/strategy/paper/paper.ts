import type { Strategy } from "../../run/strategy.ts";
import { writeTaskByTask } from "./code.ts";
import { shortlistOneByOne } from "./locate.ts";
import { planInTurns } from "./plan.ts";

/** The paper's form, call by call. */
export const paper: Strategy = {
  /** P8 once; in each round P9, P10 and P11 at least; the words of the pull request */
  form: { once: 1, aRound: 3, team: 0, atEnd: 1 },
  shortlist: shortlistOneByOne,
  plan: planInTurns,
  code: writeTaskByTask,
};

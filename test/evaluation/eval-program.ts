import { EVAL } from "../../eval/run-eval-alone.ts";
import { runEvalCommand } from "../../eval/run-eval-command.ts";

/** `npm run eval`, for `startMagis` and `startMagisHere`. */
export const EVAL_PROGRAM = { alone: EVAL, here: runEvalCommand } as const;

import type { CommandAnswer } from "./command-request.ts";

/** What went wrong, when the answer is not what the command has asked for. */
export function faultOf(answer: CommandAnswer): string {
  return "fault" in answer ? answer.fault : "The answer was not understood: the running bot may be of another version.";
}

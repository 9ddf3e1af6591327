import type { CliCommand } from "./cli-command.ts";
import { forgetCommand } from "./forget-command.ts";

/** Every command, in the order in which help shows them. `help` itself is the runner's. */
export const commands: readonly CliCommand[] = [forgetCommand];

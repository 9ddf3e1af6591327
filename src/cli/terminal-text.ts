import { stripInvisible } from "../text/strip-invisible.ts";

/** ESC [ … m and its like, ESC ] … BEL (titles, links), and two-character ones; also with the one-character C1 forms. */
const SEQUENCES = new RegExp(
  [
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]",
    "(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?",
    "\\u001b[ -/]*[0-~]",
  ].join("|"),
  "g",
);
const TAB = "    ";

/**
 * Text of a model, an issue or a file as it may go to a terminal: it cannot write control sequences, move the cursor, or
 * change the direction of what is read. Tabs become spaces; newlines stay.
 */
export function terminalText(text: string): string {
  return stripInvisible(text.replace(SEQUENCES, "")).replaceAll("\t", TAB);
}

import { stripInvisible } from "./visible-text.ts";

const ESCAPE = "\\u001b";

/** Control sequences: colours, cursor movements. */
const SEQUENCE = `(?:${ESCAPE}\\[|\\u009b)[0-?]*[ -/]*[@-~]`;

/** What a control string begins with in 8 bits. */
const BEGIN = "\\u0090\\u0098\\u009d-\\u009f";

/** Control strings with what they say: titles, links. One ends where another begins, so that no text is read twice. */
const STRING = `(?:${ESCAPE}[PX\\]^_]|[${BEGIN}])[^\\u0007${ESCAPE}\\u009c${BEGIN}]*(?:\\u0007|${ESCAPE}\\\\|\\u009c)`;

const OTHER = `${ESCAPE}[ -/]*[0-~]`;

const ESCAPES = new RegExp(`${SEQUENCE}|${STRING}|${OTHER}`, "g");

/**
 * Takes out what a text says to a terminal and not to a reader: the escape sequences of ECMA-48 (5.4, 5.6). Single
 * control characters stay. What Node's own function takes out depends on its version, and some versions take minutes
 * for a megabyte of strings that are not ended.
 */
export const stripEscapes = (text: string): string => text.replace(ESCAPES, "");

const TAB = "    ";

/**
 * Makes untrusted text safe for a terminal: no control sequences, no cursor movement, no change of reading direction.
 * Tabs become spaces; newlines stay.
 */
export const terminalText = (text: string): string => stripInvisible(stripEscapes(text)).replaceAll("\t", TAB);

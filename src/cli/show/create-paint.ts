import type { Tone } from "./block.ts";

/** Colours text for a terminal. */
export interface Paint {
  tone(tone: Tone, text: string): string;
  bold(text: string): string;
  /** for headings */
  head(text: string): string;
}

const CODES: Readonly<Record<Tone, number | undefined>> = { plain: undefined, good: 32, warn: 33, bad: 31, quiet: 2 };

/** `colours: false` leaves every text as it is. */
export function createPaint(colours: boolean): Paint {
  const wrap = (code: string | number, text: string) =>
    colours && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    tone: (tone, text) => {
      const code = CODES[tone];
      return code === undefined ? text : wrap(code, text);
    },
    bold: (text) => wrap(1, text),
    head: (text) => wrap("1;36", text),
  };
}

import { styleText } from "node:util";
import type { Tone } from "./block.ts";

/** Colours text for a terminal. */
export interface Paint {
  tone(tone: Tone, text: string): string;
  bold(text: string): string;
  /** for headings */
  head(text: string): string;
}

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<Tone, Style>> = {
  plain: [],
  good: "green",
  warn: "yellow",
  bad: "red",
  quiet: "dim",
};

/** `colours: false` leaves every text as it is. */
export function createPaint(colours: boolean): Paint {
  // Whether the terminal takes colours has been asked before.
  const painted = (style: Style, text: string) =>
    colours && text !== "" ? styleText(style, text, { validateStream: false }) : text;
  return {
    tone: (tone, text) => painted(STYLES[tone], text),
    bold: (text) => painted("bold", text),
    head: (text) => painted(["bold", "cyan"], text),
  };
}

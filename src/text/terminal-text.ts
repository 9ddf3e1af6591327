import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { terminalText } from "./strip-escapes.ts";

/** Longer lines are hard to read. */
export const MAX_COLUMNS = 120;

const MIN_COLUMNS = 10;

/**
 * Wraps `text` at spaces, to at most `columns`; keeps its line breaks and indentation. A word longer than a line is
 * cut; with `whole` it gets a line of its own instead.
 */
export function wrapText(text: string, columns: number, { whole = false }: { whole?: boolean } = {}): string[] {
  const width = Math.max(MIN_COLUMNS, columns);
  return text.split("\n").flatMap((line) => {
    const indent = (/^ */.exec(line)?.[0] ?? "").slice(0, Math.floor(width / 2));
    const lines = partsOf(line.trim()).flatMap((part) =>
      wrapAnsi(part, width - indent.length, { hard: !whole }).split("\n"),
    );
    return lines.map((part) => (indent + part).trimEnd());
  });
}

/** Characters that are wrapped at once: the time grows with the square of a line's length. */
const MAX_LINE = 2_000;

/** A line in parts of bounded length, which end at spaces where they can. */
function partsOf(line: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < line.length || from === 0; ) {
    const end = from + MAX_LINE;
    const space = end < line.length ? line.lastIndexOf(" ", end) : -1;
    const to = space > from ? space + 1 : end;
    parts.push(line.slice(from, to).trim());
    from = to;
  }
  return parts;
}

/** Wraps `text` for a terminal of that width without cutting words; unchanged when there is no terminal. */
export function fitText(text: string, columns: number | undefined): string {
  return columns ? wrapText(text, Math.min(columns, MAX_COLUMNS), { whole: true }).join("\n") : text;
}

const characters = new Intl.Segmenter();

/** Characters that may stand in one column: marks above a letter take none. */
const MOST_IN_COLUMN = 8;

/** Cuts a line to at most `columns`, with an ellipsis at the end. */
export function cutText(text: string, columns: number): string {
  const line = text.slice(0, columns * MOST_IN_COLUMN);
  if (line === text && stringWidth(line) <= columns) return text;
  let [end, width] = [0, 0];
  for (const { segment, index } of characters.segment(line)) {
    width += stringWidth(segment);
    if (width >= columns) break;
    end = index + segment.length;
  }
  return `${line.slice(0, end)}…`;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

const FRAME_MS = 120;

/** An animated line on the terminal. */
export interface LiveLine {
  /** Redraws it now, because its words have changed. */
  draw(): void;
  /** Removes it. */
  stop(): void;
}

/** Draws the elapsed time and `words` several times a second, so that a long wait does not look like a hang. */
export function startLiveLine(live: (line: string) => void, words: () => string): LiveLine {
  const began = performance.now();
  let frame = 0;
  const draw = () => {
    frame += 1;
    const line = `${FRAMES[frame % FRAMES.length]} ${formatClock(performance.now() - began)}  ${words()}`;
    live(terminalText(line).replaceAll("\n", " "));
  };
  const timer = setInterval(draw, FRAME_MS);
  draw();
  return {
    draw,
    stop() {
      clearInterval(timer);
      live("");
    },
  };
}

/** `0:07`, `12:40`, `1:02:03` */
export function formatClock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}

/**
 * A value as JSON for programs, with a newline. Escapes the control characters that JSON allows but a terminal would
 * obey.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${text}\n`;
}

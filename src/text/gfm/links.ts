/** Link definitions: the address for each label. Titles are not shown. */
export type References = Map<string, string>;

const MAX_LABEL = 1000;

/** The position after the "]" of the label at `at`, which holds no brackets; -1 when there is none. */
export function labelEnd(text: string, at: number): number {
  if (text[at] !== "[") return -1;
  for (let to = at + 1; to - at - 1 <= MAX_LABEL && to < text.length; to += 1) {
    const char = text[to];
    if (char === "]") return to + 1;
    if (char === "[") return -1;
    if (char === "\\" && isPunctuation(text[to + 1])) to += 1;
  }
  return -1;
}

const PUNCTUATION = /^[!-/:-@[-`{-~]$/;

/** Whether a backslash can escape this character. */
export const isPunctuation = (char: string | undefined): boolean => char !== undefined && PUNCTUATION.test(char);

/** The key of a label: neither case nor the amount of white space matters. */
export function labelKey(label: string): string {
  return label
    .replace(/[ \t\r\n]+/g, " ")
    .replace(/^ | $/g, "")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase();
}

const MAX_PARENTHESES = 32;

/** The address at `at`, and the position after it; undefined when there is none. */
export function readAddress(text: string, at: number): { readonly url: string; readonly end: number } | undefined {
  if (text[at] === "<") return readBracketed(text, at);
  let open = 0;
  let to = at;
  for (; to < text.length; to += 1) {
    const char = text[to] as string;
    if (char === "\\" && isPunctuation(text[to + 1])) to += 1;
    else if (char === "(") {
      open += 1;
      if (open > MAX_PARENTHESES) return undefined;
    } else if (char === ")") {
      if (open === 0) break;
      open -= 1;
    } else if (WHITE.test(char)) {
      if (to === at) return undefined;
      break;
    }
  }
  return to >= text.length ? undefined : { url: text.slice(at, to), end: to };
}

const WHITE = /^[ \t\r\n]$/;

function readBracketed(text: string, at: number): { readonly url: string; readonly end: number } | undefined {
  for (let to = at + 1; to < text.length; to += 1) {
    const char = text[to];
    if (char === ">") return to + 1 < text.length ? { url: text.slice(at + 1, to), end: to + 1 } : undefined;
    if (char === "\n" || char === "<") return undefined;
    if (char === "\\") to += 1;
  }
  return undefined;
}

const CLOSERS: Readonly<Record<string, string>> = { '"': '"', "'": "'", "(": ")" };

/** The position after the title at `at`; `at` itself when there is none. */
export function titleEnd(text: string, at: number): number {
  const opener = text[at] ?? "";
  const closer = CLOSERS[opener];
  if (closer === undefined) return at;
  for (let to = at + 1; to < text.length; to += 1) {
    const char = text[to];
    if (char === closer) return to + 1;
    if (opener === "(" && char === "(") return at;
    if (char === "\\" && isPunctuation(text[to + 1])) to += 1;
  }
  return at;
}

const SPACES = /[ \t\v\f\r\n]*/y;

/** The position after white space. */
export function spacesEnd(text: string, at: number): number {
  SPACES.lastIndex = at;
  SPACES.test(text);
  return SPACES.lastIndex;
}

const BLANKS = /[ \t]*/y;

function blanksEnd(text: string, at: number): number {
  BLANKS.lastIndex = at;
  BLANKS.test(text);
  return BLANKS.lastIndex;
}

/** The position after white space with at most one newline. */
function lineSpaceEnd(text: string, at: number): number {
  const end = blanksEnd(text, at);
  return text[end] === "\n" ? blanksEnd(text, end + 1) : end;
}

/** The position after the line's end when only white space comes before that; -1 otherwise. */
function lineEnd(text: string, at: number): number {
  const end = blanksEnd(text, at);
  if (end >= text.length) return text.length;
  return text[end] === "\n" ? end + 1 : -1;
}

/** Moves the definitions at the start of a paragraph into `references`; gives the rest. */
export function takeDefinitions(paragraph: string, references: References): string {
  let from = 0;
  while (paragraph[from] === "[") {
    const end = takeDefinition(paragraph, from, references);
    if (end < 0) break;
    from = end;
  }
  return paragraph.slice(from);
}

function takeDefinition(text: string, from: number, references: References): number {
  const end = labelEnd(text, from);
  if (end < 0 || text[end] !== ":") return -1;
  const label = labelKey(text.slice(from + 1, end - 1));
  const address = readAddress(text, lineSpaceEnd(text, end + 1));
  if (label === "" || address === undefined) return -1;
  const before = lineSpaceEnd(text, address.end);
  const behind = before === address.end ? before : titleEnd(text, before);
  const withTitle = behind > before ? lineEnd(text, behind) : -1;
  const end2 = withTitle >= 0 ? withTitle : lineEnd(text, address.end);
  if (end2 >= 0 && !references.has(label)) references.set(label, address.url);
  return end2;
}

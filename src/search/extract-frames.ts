/** One line of a stack trace: the path as the trace writes it (absolute, or a package's), never a path of the tree. */
export interface Frame {
  readonly path: string;
  readonly line: number;
  readonly symbol: string | undefined;
}

const PATH = String.raw`(?:[A-Za-z]:)?[\w@.+~/\\$-]{1,200}\.[A-Za-z]\w{0,7}`;
const MAX_LINE_LENGTH = 600;
const MAX_LINES = 4_000;
const MAX_FRAMES = 60;

const PYTHON = /File "([^"]{1,300})", line (\d{1,7})(?:, in ([\w<>.]+))?/;
const JAVA = /\bat ([\w$.]{1,200})\.([\w$<>]{1,100})\((\w{1,100}\.(?:java|kt|scala|groovy)):(\d{1,7})\)/;
const FORMATS: readonly RegExp[] = [
  new RegExp(
    String.raw`\bat (?:async )?(?:(?<symbol>[\w$.<>]{1,100})(?: \[as [\w$]+\])? )?\(?(?:file://)?(?<path>${PATH}):(?<line>\d{1,7})`,
  ),
  /(?:\bat (?<symbol>[\w.`<>+]{1,200})\(.{0,200}\))? in (?<path>.{1,300}\.\w{1,8}):line (?<line>\d{1,7})/,
  new RegExp(String.raw`#\d+ (?<path>${PATH})\((?<line>\d{1,7})\)(?:: (?<symbol>[\w\\:>-]{1,200}))?`),
  new RegExp(String.raw`\bin (?<path>${PATH}) on line (?<line>\d{1,7})`),
  new RegExp(String.raw`(?<path>${PATH}):(?<line>\d{1,7})(?::\d{1,7})?(?::in [\`'](?<symbol>[\w:#.?! ]{1,100})')?`),
];

/**
 * The stack-trace frames of a text, innermost first, in the forms of Python, JavaScript, Java and its kin, Go, Rust,
 * Ruby, C# and PHP; a bare `path:line` counts as one. Long texts are read in part; never throws.
 */
export function extractFrames(text: string): Frame[] {
  const python: Frame[] = [];
  const others: Frame[] = [];
  for (const whole of text.split("\n", MAX_LINES)) {
    const line = whole.slice(0, MAX_LINE_LENGTH);
    const inPython = PYTHON.exec(line);
    if (inPython !== null) python.push(frame(inPython[1], inPython[2], inPython[3]));
    else others.push(...otherFrame(line));
  }
  return [...python.reverse(), ...others].slice(0, MAX_FRAMES);
}

function otherFrame(line: string): Frame[] {
  const inJava = JAVA.exec(line);
  if (inJava !== null) {
    const [, type = "", method, file, number] = inJava;
    const folders = type.split(".").slice(0, -1);
    return [frame([...folders, file].join("/"), number, method)];
  }
  for (const format of FORMATS) {
    const groups = format.exec(line)?.groups;
    if (groups !== undefined) return [frame(groups.path, groups.line, groups.symbol)];
  }
  return [];
}

function frame(path = "", line = "0", symbol?: string): Frame {
  const name = symbol?.split(/[.#:>\\ ]/).findLast((part) => part !== "");
  return { path: path.replaceAll("\\", "/"), line: Number(line), symbol: name };
}

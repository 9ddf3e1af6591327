/** A fence in a rendered prompt: its info string and its text. */
interface Fence {
  info: string;
  text: string;
}

/** A rendered prompt as a reader of Markdown sees it. */
export interface Rendered {
  /** lines outside fences; a fence shows as `(fence: info)`, a code span as `(code)` in the order of `spans` */
  outside: readonly string[];
  fences: readonly Fence[];
  spans: readonly string[];
  /** the text ends inside a fence */
  open: boolean;
}

/**
 * Reads fences and code spans by CommonMark's rules, independently of the renderer. `breaks` matches line ends: a model
 * may take other characters for line breaks than a parser does.
 */
export function readRendered(text: string, breaks: RegExp = /\n/): Rendered {
  const outside: string[] = [];
  const fences: Fence[] = [];
  const spans: string[] = [];
  let open: { run: string; info: string; lines: string[] } | undefined;
  for (const line of text.split(breaks)) {
    const [, run = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    if (open) {
      if (run.startsWith(open.run) && rest.trim() === "") {
        fences.push({ info: open.info, text: open.lines.join("\n") });
        open = undefined;
      } else open.lines.push(line);
    } else if (run !== "" && !(run.startsWith("`") && rest.includes("`"))) {
      open = { run, info: rest, lines: [] };
      outside.push(`(fence: ${rest})`);
    } else outside.push(readSpans(line, spans));
  }
  return { outside, fences, spans, open: open !== undefined };
}

/** A run of backticks opens a code span if a run of the same length follows; otherwise it is text. */
function readSpans(line: string, spans: string[]): string {
  let shown = "";
  let rest = line;
  for (;;) {
    const begin = /`+/.exec(rest);
    if (!begin) return shown + rest;
    const [run] = begin;
    const after = rest.slice(begin.index + run.length);
    const end = [...after.matchAll(/`+/g)].find(([other]) => other.length === run.length);
    shown += rest.slice(0, begin.index) + (end ? "(code)" : run);
    if (end) {
      const code = after.slice(0, end.index);
      spans.push(/^ .*[^ ].* $/s.test(code) ? code.slice(1, -1) : code);
    }
    rest = end ? after.slice(end.index + run.length) : after;
  }
}

import { numbersIn } from "../../../edits/numbered.ts";
import { stripInvisible } from "../../../text/visible-text.ts";
import type { EntryForm, FileForm } from "./note-form.ts";
import { readMapping } from "./note-form.ts";

/** A note as the model wrote it. */
export interface WrittenNote {
  readonly text: string;
  /** of the name */
  readonly type: string;
  readonly folder: string;
  /** the line after which an entry goes */
  readonly after: number;
}

/** Notes are short; longer ones are something else. */
const MAX_LENGTH = 1_500;

/** What is wrong with a note's form, for its writer; undefined when it fits. */
export function faultOfFile(note: WrittenNote, form: FileForm): string | undefined {
  const { types, folders } = form;
  if (types.length > 0 && !types.includes(note.type)) return `\`type\` must be one of ${types.join(", ")}.`;
  if (folders.length > 1 && !folders.includes(note.folder)) return `\`folder\` must be one of ${folders.join(", ")}.`;
  const text = cleaned(note.text);
  if (text === "") return "The note is empty.";
  const longest = Math.max(0, ...form.examples.map(({ content }) => content.length));
  if (text.length > Math.max(MAX_LENGTH, 2 * longest)) return "The note is too long: write one like those shown.";
  return faultOfText(text, form);
}

const cleaned = (text: string) => stripInvisible(text).trim();

function faultOfText(text: string, form: FileForm): string | undefined {
  const name = form.habit.paths[0] ?? "";
  if (/\.(?:ya?ml|json)$/.test(name)) return faultOfMapping(text, name, form);
  if (form.folders.some((folder) => /(?:^|\/)\.changeset(?:\/|$)/.test(folder))) return faultOfChangeset(text, form);
  const marks = new Set(form.examples.map(({ content }) => markOf(content)));
  const [mark = ""] = marks;
  if (marks.size === 1 && form.examples.length > 1 && markOf(text) !== mark) {
    return mark === ""
      ? "The notes shown begin with their words, without a mark, heading or front matter: so must this one."
      : `The notes shown all begin with \`${mark}\`: so must this one.`;
  }
  return undefined;
}

/** What is put before the words: of a list, a heading, a code fence, front matter. */
const markOf = (text: string) => /^(?:```|---|\.\. |[-*+#](?= ))/.exec(text.trimStart())?.[0] ?? "";

function faultOfMapping(text: string, name: string, { keys, always, values, packages }: FileForm): string | undefined {
  if (name.endsWith(".json") && !/^\{[\s\S]*\}$/.test(text)) return "The note must be one JSON object.";
  const note = readMapping(text);
  if (!note) return "The note cannot be parsed: write a mapping of the same keys as those shown.";
  const unknown = Object.keys(note).filter((key) => keys.length > 0 && !keys.includes(key));
  if (unknown.length > 0) return `No note here has the key ${unknown.join(", ")}; they have ${keys.join(", ")}.`;
  const missing = always.filter((key) => !(key in note));
  if (missing.length > 0) return `All notes here have the key ${missing.join(", ")}.`;
  for (const { key, allowed } of values) {
    const value = note[key];
    if (typeof value === "string" && !allowed.includes(value))
      return `\`${key}\` must be one of ${allowed.join(", ")}.`;
  }
  const named = note.packageName;
  if (typeof named === "string" && packages.length > 0 && !packages.includes(named)) {
    return `There is no package ${named}.`;
  }
  return undefined;
}

const CHANGESET = /^---\n([\s\S]*?)\n?---\n+(\S[\s\S]*)$/;

const BUMPED = /^(?:"([^"\n]+)"|'([^'\n]+)'|([^\s:"']+)):\s*["']?(patch|minor|major|none)["']?\s*$/;

function faultOfChangeset(text: string, { packages, examples }: FileForm): string | undefined {
  const [, head] = CHANGESET.exec(text.replaceAll("\r\n", "\n")) ?? [];
  if (head === undefined) return "A changeset has `---`, a line for each package, `---`, and the text.";
  const lines = head.split("\n").filter((line) => line.trim() !== "");
  const shown = examples.map(({ content }) => content).join("\n");
  for (const line of lines) {
    const [, one, two, three] = BUMPED.exec(line) ?? [];
    const name = one ?? two ?? three;
    if (name === undefined) return `This line is not of the form \`"package": patch\`: ${line}`;
    const isKnown = packages.includes(name) || shown.includes(`"${name}"`) || shown.includes(`'${name}'`);
    if (!isKnown) return `There is no package ${name}.`;
  }
  return lines.length === 0 ? "Name the package that the change is about." : undefined;
}

/** The whole text of a note's file: with the ending that those shown have. */
export function fileText(note: Pick<WrittenNote, "text">, { examples, habit }: FileForm): string {
  const text = cleaned(note.text).replaceAll("\r\n", "\n");
  const isProse = !/\.(?:ya?ml|json)$/.test(habit.paths[0] ?? "");
  const dotted = examples.filter(({ content }) => /\.\s*$/.test(content)).length;
  const isDotted = isProse && examples.length > 1 && dotted === examples.length && /[\w`)\]]$/.test(text);
  return `${text}${isDotted ? "." : ""}\n`;
}

/** What is wrong with an entry, for its writer; undefined when it fits. */
export function faultOfEntry(note: WrittenNote, { content }: EntryForm): string | undefined {
  const text = cleaned(note.text);
  if (text === "") return "The entry is empty.";
  if (text.length > MAX_LENGTH) return "The entry is too long: write one like those shown.";
  if (!numbersIn(content).includes(note.after)) return "`after` must be the number of a line that is shown.";
  const bullets = [...content.matchAll(/^\d+\|\s*([-*+•])\s/gm)].map(([, mark]) => mark);
  const own = entryText(note)
    .split("\n")
    .filter((line) => !/^(?:#{1,6} |[-=~^]{4,}$|\s|$)/.test(line));
  const [usual] = bullets;
  if (usual !== undefined && own.some((line) => !bullets.includes(line.charAt(0)))) {
    return `The entries shown begin with \`${usual} \`: so must this one.`;
  }
  return undefined;
}

/** An entry's lines, ending with a newline. Its indentation counts. */
export const entryText = ({ text }: Pick<WrittenNote, "text">): string =>
  `${stripInvisible(text).replaceAll("\r\n", "\n").replace(/^\n+/, "").trimEnd()}\n`;

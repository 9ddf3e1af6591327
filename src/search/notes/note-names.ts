import { nameIn } from "./note-paths.ts";

/** What a note's name is made of. */
export interface NameParts {
  /** `bugfix` */
  readonly type: string;
  /** `keep-the-limit` */
  readonly slug: string;
  /** of the issue or the pull request, or a text that stands for it */
  readonly number: string;
  /** of the run, so that the same run makes the same name again */
  readonly date: Date;
  /** hexadecimal digits, at least 32, for what only keeps names apart */
  readonly digest: string;
  /** how many names are taken already: tells notes on one issue apart */
  readonly again: number;
}

/** A form of names. */
interface NameForm {
  readonly id: string;
  /** groups: `number`, `type`, `slug`, `rest` */
  readonly pattern: RegExp;
  make(parts: NameParts, example: string): string;
}

function uuid(digits: string): string {
  const variant = "89ab"[Number.parseInt(digits.charAt(16), 16) % 4] ?? "8";
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
  return [...parts, variant + digits.slice(17, 20), digits.slice(20, 32)].join("-");
}

const EXTENSION = String.raw`(?<extension>\.(?:md|rst|txt|ya?ml|json))`;

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

const TYPE = "(?<type>(?!(?:md|rst|txt|ya?ml|json)$)[a-z][a-z_-]{1,24})";

const extensionOf = (example: string) => /\.(?:md|rst|txt|ya?ml|json)$/.exec(example)?.[0] ?? "";

/** All forms, the most special first. */
const FORMS: readonly NameForm[] = [
  {
    id: "+slug.type",
    pattern: new RegExp(String.raw`^\+(?<slug>[\w-]+)\.${TYPE}(?:\.\d+)?${EXTENSION}?$`),
    make: ({ slug, type }, example) => `+${slug}.${type}${extensionOf(example)}`,
  },
  {
    id: "number.type",
    pattern: new RegExp(String.raw`^(?<number>\d{1,7})\.${TYPE}(?:\.\d+)?${EXTENSION}?$`),
    make: ({ number, type, again }, example) =>
      `${number}.${type}${again > 0 ? `.${again}` : ""}${extensionOf(example)}`,
  },
  {
    id: "uuid",
    pattern: new RegExp(String.raw`^(?<slug>[\w@.-]*?)-?${UUID}${EXTENSION}$`),
    make: ({ digest }, example) => example.replace(ANY_UUID, uuid(digest)),
  },
  {
    id: "slug_time",
    pattern: new RegExp(String.raw`^(?<slug>[\w.-]+)_\d{4}(?:-\d\d){4,5}${EXTENSION}$`),
    make: ({ slug, date }, example) => `${slug}_${timeOf(date).slice(0, 16)}${extensionOf(example)}`,
  },
  {
    id: "slug-hex",
    pattern: new RegExp(String.raw`^(?<slug>[\w.-]+)-(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{16}${EXTENSION}$`),
    make: ({ slug, digest }, example) => `${slug}-${digest.slice(0, 16)}${extensionOf(example)}`,
  },
  {
    id: "type-time",
    pattern: new RegExp(String.raw`^(?:[\w]+-)?${TYPE.replace("[a-z]", "[A-Za-z]")}-\d{8}-\d{6}${EXTENSION}$`, "i"),
    make: ({ type, date }, example) => `${type}-${stampOf(date)}${extensionOf(example)}`,
  },
  {
    id: "seconds-slug",
    pattern: new RegExp(String.raw`^1\d{9}-(?<slug>[\w.-]+)${EXTENSION}$`),
    make: ({ date, slug }, example) => `${Math.floor(date.getTime() / 1000)}-${slug}${extensionOf(example)}`,
  },
  {
    id: "number",
    pattern: new RegExp(String.raw`^(?<number>\d{1,7})${EXTENSION}$`),
    make: ({ number }, example) => `${number}${extensionOf(example)}`,
  },
  {
    id: "time.number.letters",
    pattern: new RegExp(String.raw`^\d{4}(?:-\d\d){5}\.gh-issue-(?<number>\d+)\.[\w-]{6}${EXTENSION}$`),
    make: ({ date, number, digest }, example) =>
      `${timeOf(date)}.gh-issue-${number}.${digest.slice(0, 6)}${extensionOf(example)}`,
  },
  {
    id: "number-slug",
    pattern: new RegExp(String.raw`^(?<number>\d{1,7})(?<joint>[-_])(?<slug>[\w.-]+)${EXTENSION}$`),
    make: ({ number, slug }, example) => `${number}${/[-_]/.exec(example)?.[0]}${slug}${extensionOf(example)}`,
  },
  {
    id: "slug-number",
    pattern: new RegExp(String.raw`^(?<slug>[\w.-]+?)-(?<number>\d{2,7})${EXTENSION}$`),
    make: ({ number, slug }, example) => `${slug}-${number}${extensionOf(example)}`,
  },
  {
    id: "slug",
    pattern: new RegExp(String.raw`^(?<slug>[\w@][\w@.-]*)${EXTENSION}$`),
    make: ({ slug }, example) => `${slug}${extensionOf(example)}`,
  },
  {
    id: "slug.type",
    pattern: new RegExp(String.raw`^(?<slug>[\w-]+)\.${TYPE}${EXTENSION}?$`),
    make: ({ slug, type }, example) => `${slug}.${type}${extensionOf(example)}`,
  },
];

/** `2026-11-23-12-40-05` */
const timeOf = (date: Date) => date.toISOString().slice(0, 19).replace(/[T:]/g, "-");

function stampOf(date: Date): string {
  const [day = "", time = ""] = date.toISOString().slice(0, 19).split("T");
  return `${day.replaceAll("-", "")}-${time.replaceAll(":", "")}`;
}

/** A name taken apart; undefined when it has no known form. */
export interface ReadName {
  readonly form: string;
  readonly number?: number;
  readonly type?: string;
}

export function readName(path: string): ReadName | undefined {
  const name = nameIn(path);
  for (const { id, pattern } of FORMS) {
    const groups = pattern.exec(name)?.groups;
    if (!groups) continue;
    return {
      form: id,
      number: groups.number === undefined ? undefined : Number(groups.number),
      type: groups.type,
    };
  }
  return undefined;
}

const RUSH = "common/changes/";

const ANY_UUID = new RegExp(UUID);

const OF_PACKAGE = new RegExp(String.raw`^${RUSH}(.+)/[^/]+\.json$|(?:^|/)change/(.+)-${UUID}\.json$`);

/** What names the package in the path of a note of rush or beachball; undefined for other notes. */
export function packagePart(path: string): string | undefined {
  const [, folder, prefix] = OF_PACKAGE.exec(path) ?? [];
  return folder ?? prefix;
}

/** The same path for a note of another package. */
export function forPackage(path: string, name: string): string {
  const part = packagePart(path) ?? "";
  const isFolder = path.startsWith(RUSH);
  const at = isFolder ? RUSH.length : path.lastIndexOf("/") + 1;
  return `${path.slice(0, at)}${isFolder ? name : name.replaceAll(/[^\w@]+/g, "-")}${path.slice(at + part.length)}`;
}

/** A new name in the form of `example`, whose form `readName` gave. */
export function makeName(form: string, example: string, parts: NameParts): string {
  const found = FORMS.find(({ id }) => id === form);
  const slug = parts.again > 0 ? `${parts.slug}-${parts.again + 1}` : parts.slug;
  return found ? found.make({ ...parts, slug }, nameIn(example)) : "";
}

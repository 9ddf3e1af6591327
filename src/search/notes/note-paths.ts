import { groupOf } from "../classify-file.ts";
import { inFolder, listed } from "../patterns.ts";

const CHANGELOG = listed(
  "^",
  "changes change-?log history news release(?:s|[-_]?notes)? what'?s[-_]?new",
  String.raw`(?:\.(?:md|markdown|rst|txt|adoc|asciidoc|rdoc|org|textile))?$`,
  "i",
);

/** Whether a file lists past changes. Only the place of the next entry matters in it. */
export const isChangelog = (path: string): boolean => CHANGELOG.test(nameIn(path));

/** Folders of notes, one for each change, in lower case. */
const NOTE_FOLDER = inFolder(String.raw`
  \.changesets? \.changes? \.chloggen \.changelog \.nextchanges news newsfragments? news\.d news[-_]entries
  change changes changes\.d changelogs? changelog\.d changelog[-_](?:entries|fragments|unreleased) change[-_]?notes
  fragments upcoming[-_]changes unreleased(?:[-_][\w.]+)? releasenotes release[-_]notes whats?[-_]?new
  next[-_]api[-_]changes
`);

/** `.bugfix` without an extension is a text, too. */
const NOTE_FILE = /^[^.].*\.(?:md|rst|txt|ya?ml|json)$|^(?:\+?[\w-]+|\d+)(?:\.[a-z][a-z_-]{2,24}){1,2}(?:\.\d+)?$/i;

/** What stands beside notes. */
const NO_NOTE = listed(
  "^",
  String.raw`_?template\b.* readme\b.* index\b.* conf\b.* config\b.* \.\w+ package\.json pre\.json ledger\.ya?ml`,
  "$",
  "i",
);

/** In a folder of notes by its name: a note, if changes to the code usually have one there. */
export function isNotePath(path: string): boolean {
  const name = nameIn(path);
  if (!NOTE_FILE.test(name) || NO_NOTE.test(name) || isChangelog(path)) return false;
  return (
    NOTE_FOLDER.test(path.toLowerCase()) && !OF_TESTS.has(groupOf(path)) && !CODE.test(name) && !RELEASED.test(path)
  );
}

const OF_TESTS: ReadonlySet<string | null> = new Set(["test", "fixture"]);

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|php|c|cc|cpp|h|sh|html|css|po|pot|lock|toml|cfg|ini)$/i;

/** Notes of a release that is out, and pages about one. */
const RELEASED =
  /\/v?\d+[._]\d+(?:[._][\dx]+)*(?:[-.]?(?:rc|a|b|alpha|beta|dev)[.-]?\d*)?(?:\/|\.(?:md|rst|txt|ya?ml|json)$)/i;

export const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

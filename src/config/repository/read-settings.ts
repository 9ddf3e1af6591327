import type { OperatorLimits, Settings } from "../../model/settings.ts";
import { buildSettings } from "./build-settings.ts";
import { checkDocument } from "./check-document.ts";
import { checkLimits } from "./check-limits.ts";
import { mergeSettings } from "./merge-settings.ts";
import { parseExtends } from "./parse-extends.ts";
import { readDocument } from "./read-document.ts";
import type { DocumentFault, SettingsDocument } from "./settings-document.ts";
import type { SettingsFault } from "./settings-fault.ts";
import { settingsSchema } from "./settings-schema.ts";

const PATH = ".github/magis.yml";
const WRONG_NAME = ".github/magis.yaml";

export interface SettingsSource {
  /** login of the repository's owner */
  readonly owner: string;
  /** a file of the repository's default branch; undefined when there is none */
  readonly readRepositoryFile: (path: string) => Promise<string | undefined>;
  /** a file of the default branch of another repository of the owner; undefined when it is not there or not readable */
  readonly readOwnerFile: (repository: string, path: string) => Promise<string | undefined>;
  readonly limits: OperatorLimits;
}

/**
 * The settings of a repository: `.github/magis.yml` over the file it `_extends` over the operator's values and the
 * defaults; or every fault of both files. There is nothing in between: a run does not start on half of a configuration.
 * What the readers throw goes through.
 */
export async function readSettings(
  source: SettingsSource,
): Promise<{ readonly settings: Settings } | { readonly faults: readonly SettingsFault[] }> {
  const text = await source.readRepositoryFile(PATH);
  if (text === undefined && (await source.readRepositoryFile(WRONG_NAME)) !== undefined) {
    const message = `The configuration is read from \`${PATH}\` only: rename this file.`;
    return { faults: [{ file: WRONG_NAME, line: 1, key: "", message }] };
  }
  const own = readChecked(PATH, text ?? "", source.limits);
  const base = own.document && (await readBase(own.document, source));
  const faults = [...own.faults, ...(base?.faults ?? [])];
  if (faults.length > 0) return { faults };
  const merged = mergeSettings(base?.document?.content ?? {}, own.document?.content ?? {});
  return { settings: buildSettings(settingsSchema.parse(merged), source.limits) };
}

interface Checked {
  /** absent when the text cannot be read as a mapping */
  readonly document?: SettingsDocument;
  readonly faults: readonly SettingsFault[];
}

function readChecked(file: string, text: string, limits: OperatorLimits): Checked {
  const read = readDocument(text);
  const name = (fault: DocumentFault) => ({ file, ...fault });
  if ("faults" in read) return { faults: read.faults.map(name) };
  const faults = [...checkDocument(read), ...checkLimits(read, limits)];
  return { document: read, faults: faults.sort((a, b) => a.line - b.line).map(name) };
}

/** The file that `_extends` names, if it names one in the right form; what is wrong with the form is said elsewhere. */
async function readBase({ content, lineOf }: SettingsDocument, source: SettingsSource): Promise<Checked | undefined> {
  const extended = settingsSchema.shape._extends.safeParse(content._extends).data;
  if (extended === undefined) return undefined;
  const fault = (message: string) => ({
    faults: [{ file: PATH, line: lineOf(["_extends"]), key: "_extends", message }],
  });
  const named = parseExtends(extended, source.owner);
  if (named === undefined) {
    return fault(`\`_extends\` names a repository of another owner: only \`${source.owner}/.github\` can be named.`);
  }
  const text = await source.readOwnerFile(named.repository, named.path);
  const file = `${source.owner}/${named.repository}:${named.path}`;
  if (text === undefined) {
    return fault(
      `\`_extends\` names \`${file}\`, which is not there, or this app is not installed on that repository.`,
    );
  }
  const base = readChecked(file, text, source.limits);
  if (base.document?.content._extends === undefined) return base;
  const line = base.document.lineOf(["_extends"]);
  const message = "`_extends` cannot stand in a file that is extended itself: copy what it should bring to this file.";
  return { ...base, faults: [...base.faults, { file, line, key: "_extends", message }] };
}

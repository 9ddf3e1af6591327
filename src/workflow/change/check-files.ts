import ignore from "ignore";
import { type Bounds, excessLength, excessOfJson, parseJson } from "../../text/bounded.ts";
import { REPORTED_STARTUP_FILES } from "./startup-files.ts";
import type { ChangedFile } from "./working-copy.ts";

/**
 * What a change does to the configuration of checks, a sentence for each file: files for checks alone, and the parts of
 * others that tell tests, linters and compilers what to look at. Leaves out what only makes checks stricter.
 */
export function changedConfiguration(files: readonly TextChange[]): readonly { path: string; what: string }[] {
  return files.flatMap(({ path, before, after }) => {
    const what = configurationChange(path.toLowerCase(), before, after);
    return what === undefined ? [] : [{ path, what }];
  });
}

/** A changed file as text; undefined if it does not exist. */
export interface TextChange {
  readonly path: ChangedFile["path"];
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Files that people write by hand are smaller. */
const COMPARED: Bounds = { length: 1024 * 1024 };

function configurationChange(path: string, before: string | undefined, after: string | undefined): string | undefined {
  const verb = verbOf(before, after);
  if (CHECK_FILES.some((names) => names.test(path))) return `${verb} the configuration of a check`;
  const tool = toolThatReads(path);
  if (tool !== undefined) return `${verb} what ${tool} reads by itself when it starts`;
  const rule = MIXED_FILES.find(({ files }) => files.test(path));
  const isForCompiler = COMPILER_FILES.test(path);
  if (!rule && !isForCompiler) return undefined;
  const excess = rule?.keys || isForCompiler ? excessOfJson : excessLength;
  if ([before, after].some((text) => text !== undefined && excess(text, COMPARED) !== undefined)) {
    return `${verb} what may say how checks run, and is too large to be compared`;
  }
  if (isForCompiler) return compilerChange(before, after);
  if (!rule) return undefined;
  // Lines of a new file are nobody's yet; a section in it may come before that of another file.
  const fitting = before === undefined ? { ...rule, lines: undefined } : rule;
  const parts = rule.keys ? changedKeys(before, after, rule.keys) : changedParts(before ?? "", after ?? "", fitting);
  const shown = parts.slice(0, MAX_PARTS).join("`, `");
  return parts.length === 0 ? undefined : `changes what the checks do: \`${shown}\``;
}

function verbOf(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return "adds";
  return after === undefined ? "deletes" : "changes";
}

const STARTUP = REPORTED_STARTUP_FILES.map(({ tool, globs }) => ({
  tool,
  fits: ignore({ ignorecase: true, allowRelativePaths: true }).add([...globs]),
}));

const toolThatReads = (path: string) => STARTUP.find(({ fits }) => fits.ignores(path))?.tool;

const COMPILER_FILES = /(?:^|\/)[jt]sconfig[^/]*\.json$/;

const MAX_PARTS = 4;

const MAX_PART_LENGTH = 100;

/** Sections whose lines differ, and significant lines that are new or gone. */
function changedParts(
  before: string,
  after: string,
  { sections, lines }: { readonly sections?: RegExp | undefined; readonly lines?: RegExp | undefined },
): string[] {
  const [old, now] = [sectionsOf(before, sections), sectionsOf(after, sections)];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name));
  const [was, is] = [tellingLines(before, lines), tellingLines(after, lines)];
  const differing = [...[...is].filter((line) => !was.has(line)), ...[...was].filter((line) => !is.has(line))];
  return [...names.map((name) => `[${name}]`), ...differing.map((line) => line.slice(0, MAX_PART_LENGTH))];
}

const tellingLines = (text: string, lines: RegExp | undefined): ReadonlySet<string> =>
  new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => lines?.test(line)),
  );

/** The text of the sections of an INI or TOML file that `wanted` names, without comments and empty lines. */
function sectionsOf(text: string, wanted: RegExp | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let section = "";
  for (const line of text.split("\n").map((one) => one.trim())) {
    const head = /^\[+([^[\]]+)\]/.exec(line)?.[1]?.trim();
    if (head) section = head.toLowerCase();
    else if (wanted?.test(section) && line !== "" && !/^[#;]/.test(line))
      found.set(section, `${found.get(section) ?? ""}${line}\n`);
  }
  return found;
}

/** Dotted keys of a JSON file that match `wanted` and whose values differ. A new script changes no old one. */
function changedKeys(before: string | undefined, after: string | undefined, wanted: RegExp): string[] {
  const [old, now] = [leavesOf(readData(before)), leavesOf(readData(after))];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => wanted.test(name));
  return names.filter((name) => old.get(name) !== now.get(name) && (old.has(name) || !name.startsWith("scripts.")));
}

function compilerChange(before: string | undefined, after: string | undefined): string | undefined {
  const [old, now] = [leavesOf(readData(before)), leavesOf(readData(after))];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name));
  const values = new Set(old.values());
  const looser = names.filter((name) => {
    const option = name.replace(/^compilerOptions\./, "");
    if (/^exclude\./.test(name)) return now.has(name) && !values.has(now.get(name) ?? "");
    if (before === undefined) return false;
    if (LOOSE_OPTIONS.test(option)) return now.get(name) === "true";
    return STRICT_OPTIONS.test(option) && now.get(name) !== "true" && old.get(name) === "true";
  });
  return looser.length === 0
    ? undefined
    : `makes the compiler look at less: \`${looser.slice(0, MAX_PARTS).join("`, `")}\``;
}

/** How deep configurations are compared. */
const MAX_DEPTH = 40;

/** Values by dotted path, as JSON. */
function leavesOf(
  value: unknown,
  path = "",
  depth = 0,
  leaves = new Map<string, string>(),
): ReadonlyMap<string, string> {
  if (typeof value !== "object" || value === null) leaves.set(path, JSON.stringify(value) ?? "");
  else if (depth > MAX_DEPTH) leaves.set(path, "…");
  else
    for (const [key, one] of Object.entries(value))
      leavesOf(one, path === "" ? key : `${path}.${key}`, depth + 1, leaves);
  return leaves;
}

/** Strings and comments also end with the text, else an unclosed one would be searched again from each beginning. */
const COMMENTS = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)/g;

const LAST_COMMAS = /"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])/g;

/** JSON, perhaps with comments and trailing commas; undefined if it cannot be read. */
function readData(text: string | undefined): unknown {
  const kept = (pattern: RegExp) => (found: string) => (pattern.test(found) ? "" : found);
  const bare = (text ?? "").replace(COMMENTS, kept(/^\//)).replace(LAST_COMMAS, kept(/^,/));
  const read = parseJson(bare, COMPARED);
  return read.fault === undefined ? read.value : undefined;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** One of these, verbatim: parts of a regular expression that need more say so. */
const anyOf = (text: string): string => `(?:${words(text).join("|")})`;

/** The whole name of a file, in any folder. */
const named = (pattern: string): RegExp => new RegExp(`(?:^|/)${pattern}$`);

/** `jest.config.ts`, `vitest.unit.config.mts` */
const CONFIGURED_IN_CODE = `
  ava codecept commitlint cypress dangerfile eslint jest karma knip lint-staged nightwatch playwright prettier
  protractor stryker stylelint vite\\.test vitest wdio web-test-runner xo`;

/** `.mocharc.yml`, `.rubocop.yml.dist` */
const DOTTED = `
  bandit c8rc clang-format clang-tidy codeclimate codecov coveragerc coveralls credo deepsource erb-lint eslintrc
  flake8 formatter golangci hadolint haml-lint jazzy jscsrc jshintrc ktlint luacheckrc markdownlint\\w* mocharc nycrc
  oxlintrc php-cs-fixer php_cs prettierrc psalm pydocstyle pylintrc reek rspec rubocop rubocop_todo scalafix scalafmt
  scss-lint semgrep simplecov slather sonarcloud stylelintrc swcrc\\.test swiftformat swiftlint taprc yamllint`;

/** `.eslintignore`, `.trivy-ignore` */
const IGNORING = "codeql dialyzer eslint gitleaks prettier semgrep snyk stylelint trivy";

/** `phpstan-baseline.neon.dist`, `biome.json` */
const PLAIN = `
  analysis_options biome bunfig\\.test checkstyle clippy codecov coverlet\\.runsettings coveralls cspell dart_test
  deno\\.lint detekt findbugs golangci infection lint lint-baseline mypy nextest nose2? oxlint pest phpcs phpmd
  phpstan(?:-baseline)? phpunit pmd psalm(?:-baseline)? pyrightconfig pytest rome ruff ruleset rustfmt sgconfig
  sonar-project spotbugs stylecop taplo tox\\.test tslint typos`;

/** Files that start checks, or that checks start. Their text alone does not say what they do. */
const STARTED_FILES: readonly RegExp[] = [
  named(`[^/]+\\.${anyOf("sh bash zsh fish ps1 bat cmd")}`),
  named(`${anyOf("test spec rails")}_helper\\.rb`),
  named("setup-?tests?\\.[cm]?[jt]sx?"),
  named(
    `${anyOf("vite webpack rollup babel esbuild tsup rspack metro")}(?:\\.[\\w-]+)?\\.config\\.(?:[cm]?[jt]s|json)`,
  ),
  named("\\.babelrc(?:\\.\\w+)?"),
  named("(?:dockerfile|containerfile)(?:\\.\\w+)?"),
  named("(?:docker-)?compose(?:\\.\\w+)?\\.ya?ml"),
  /(?:^|\/)(?:\.?ci|scripts|hack|build-aux)\//,
];

/** Whether any line of a file, by its path in lower case, may say what checks do or how they run. */
export const isCheckConfiguration = (path: string): boolean =>
  CHECK_FILES.some((names) => names.test(path)) ||
  toolThatReads(path) !== undefined ||
  COMPILER_FILES.test(path) ||
  STARTED_FILES.some((names) => names.test(path)) ||
  MIXED_FILES.some(({ files }) => files.test(path));

/** Files for checks alone. */
const CHECK_FILES: readonly RegExp[] = [
  named(
    `${anyOf(CONFIGURED_IN_CODE)}\\.(?:[\\w-]+\\.)?${anyOf("config conf workspace")}\\.${anyOf("[cm]?[jt]s json")}`,
  ),
  named("jest-(?:preset|setup)\\.\\w+"),
  named(`\\.${anyOf(DOTTED)}(?:\\.dist)?(?:\\.${anyOf("[cm]?js jsonc? ya?ml toml conf exs php ini xml dist")})*`),
  named(`\\.${anyOf(IGNORING)}-?ignore`),
  named(
    `${anyOf(PLAIN)}(?:[.-][\\w-]+)*(?:\\.dist)?\\.${anyOf("jsonc? ya?ml toml ini cfg xml neon properties php")}(?:\\.dist)?`,
  ),
  named("(?:[^/]+\\.(?:runsettings|ruleset|globalconfig)|\\.globalconfig)"),
  named(`${anyOf("checkstyle pmd spotbugs findbugs")}-?\\w*${anyOf("suppress\\w* exclude\\w* filter\\w*")}\\.xml`),
];

/** Files in part about checks: by section for INI and TOML, by key for JSON, else by line. */
interface MixedRule {
  readonly files: RegExp;
  readonly sections?: RegExp;
  readonly keys?: RegExp;
  readonly lines?: RegExp;
}

const CHECK_KEYS = `
  jest vitest mocha ava tap nyc c8 eslintConfig eslintIgnore stylelint xo standard prettier lint-staged size-limit`;

/** In a script's name. */
const CHECK_SCRIPTS = "test lint check types? typecheck tsc cover ci verify stan cs psalm spec audit";

const PYTHON_TOOLS = `
  pytest coverage mypy ruff pylint flake8 pyright basedpyright bandit black isort tox nox pydocstyle vulture
  interrogate hatch\\.envs pdm\\.scripts poe`;

const INI_SECTIONS = "tool:pytest pytest coverage flake8 mypy pylint pydocstyle pycodestyle pep8 isort testenv tox";

const XML_BUILD = `
  skipTests maven\\.test\\.skip skipITs testFailureIgnore failOnViolation failsOnError failIfNoTests
  maxAllowedViolations <(?:minimum|haltOnFailure|excludedGroups|excludes?|testExcludes?)> NoWarn
  TreatWarningsAsErrors WarningsNotAsErrors WarningLevel AnalysisLevel AnalysisMode EnforceCodeStyleInBuild
  RunAnalyzers <Nullable> ContinueOnError IsTestProject ExcludeFromCodeCoverage <(?:Threshold|Exclude)>`;

const GRADLE_BUILD = `
  ignoreFailures isIgnoreFailures failOnWarning abortOnError warningsAsErrors allWarningsAsErrors excludeTest
  exclude\\s*\\(?\\s*["'][^"']*[tT]est excludeTags excludeCategories maxWarnings maxErrors enabled\\s*=\\s*false
  onlyIf minimum\\s*= Xlint -x\\s+test disable(?:\\s|\\().*["']`;

const RUNNERS = "pytest jest go\\x20test cargo\\x20(?:test|clippy) rspec phpunit ctest eslint ruff mypy tsc";

const LOOSE_FLAGS = `
  deselect ignore exclude skip passWithNoTests no-verify exit-zero max-warnings cov-fail-under
  continue-on-collection-errors allow-warnings`;

const SCRIPTED_BUILD = `
  \\|\\|\\s*true -k\\s+["']?not\\b --${anyOf(LOOSE_FLAGS)} \\bDISABLED\\b -Wno- WILL_FAIL -Werror should_fail
  test_coverage \\b${anyOf(RUNNERS)}\\b`;

const MIXED_FILES: readonly MixedRule[] = [
  {
    files: named("(?:package|composer)\\.json"),
    keys: new RegExp(`^(?:${anyOf(CHECK_KEYS)}|scripts\\.(?:.*${anyOf(CHECK_SCRIPTS)}.*))(?:\\.|$)`, "i"),
  },
  {
    files: named("(?:pyproject|cargo)\\.toml"),
    sections: new RegExp(`^(?:tool\\.${anyOf(PYTHON_TOOLS)}|(?:workspace\\.)?lints)\\b`),
  },
  {
    files: named("(?:setup\\.cfg|\\.editorconfig)"),
    sections: new RegExp(`^${anyOf(INI_SECTIONS)}`),
    lines: /dotnet_(?:diagnostic|analyzer_diagnostic)|dotnet_code_quality|resharper_.*severity/i,
  },
  {
    files: named("(?:pom\\.xml|[^/]+\\.(?:cs|fs|vb)proj|[^/]+\\.(?:props|targets))"),
    lines: new RegExp(anyOf(XML_BUILD)),
  },
  {
    files: named("[^/]+\\.(?:gradle|gradle\\.kts|sbt)"),
    lines: new RegExp(anyOf(GRADLE_BUILD)),
  },
  {
    files: named(`${anyOf("makefile rakefile cmakelists\\.txt meson\\.build build\\.zig mix\\.exs [^/]+\\.mk")}`),
    lines: new RegExp(anyOf(SCRIPTED_BUILD)),
  },
];

/** `tsconfig` options that make the compiler report less when on; all others named here make it report more. */
const LOOSE_OPTIONS = new RegExp(
  `^${anyOf("skipLibCheck skipDefaultLibCheck allowUnreachableCode allowUnusedLabels suppress\\w+ noCheck")}$`,
);

const STRICT_OPTIONS = new RegExp(
  `^${anyOf(`
    strict\\w* no(?!Emit|Lib|Resolve|Check)[A-Z]\\w* checkJs alwaysStrict exactOptionalPropertyTypes
    useUnknownInCatchVariables isolatedModules isolatedDeclarations verbatimModuleSyntax
    forceConsistentCasingInFileNames`)}$`,
);

/** Folders and suffixes of recorded results. */
const RECORDS = {
  folders: "__snapshots__ __image_snapshots__ snapshots? goldens? golden[_-]files approvals cassettes expected",
  endings: "snap ambr golden approved(?:\\.\\w+)? verified(?:\\.\\w+)? expected stdout stderr",
};

/** Files of recorded results that tests compare with. */
export const RECORDED = new RegExp(`(?:^|/)${anyOf(RECORDS.folders)}/|\\.${anyOf(RECORDS.endings)}$`);

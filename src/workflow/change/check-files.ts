import type { ChangedFile } from "./working-copy.ts";

/**
 * What a change does to the configuration of checks, a sentence for each file: a file that is there for nothing else, or
 * the part of another one that says what tests, linters and compilers look at. What only makes them stricter is left out.
 */
export function changedConfiguration(files: readonly TextChange[]): readonly { path: string; what: string }[] {
  return files.flatMap(({ path, before, after }) => {
    const what = configurationChange(path.toLowerCase(), before, after);
    return what === undefined ? [] : [{ path, what }];
  });
}

/** A changed file as text; undefined where it does not exist. */
export interface TextChange {
  readonly path: ChangedFile["path"];
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function configurationChange(path: string, before: string | undefined, after: string | undefined): string | undefined {
  if (CHECK_FILES.test(path)) {
    const verb = before === undefined ? "adds" : after === undefined ? "deletes" : "changes";
    return `${verb} the configuration of a check`;
  }
  if (/(?:^|\/)[jt]sconfig[^/]*\.json$/.test(path)) return compilerChange(before, after);
  const rule = MIXED_FILES.find(({ files }) => files.test(path));
  if (!rule || (before === undefined && rule.keys === undefined)) return undefined;
  const parts = rule.keys ? changedKeys(before, after, rule.keys) : changedParts(before ?? "", after ?? "", rule);
  const shown = parts.slice(0, MAX_PARTS).join("`, `");
  return parts.length === 0 ? undefined : `changes what the checks do: \`${shown}\``;
}

const MAX_PARTS = 4;

const MAX_PART_LENGTH = 100;

/** Sections whose lines differ, and telling lines that are new or gone. */
function changedParts(before: string, after: string, { sections, lines }: MixedRule): string[] {
  const [old, now] = [sectionsOf(before, sections), sectionsOf(after, sections)];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name));
  const [was, is] = [tellingLines(before, lines), tellingLines(after, lines)];
  const differing = [...is.filter((line) => !was.includes(line)), ...was.filter((line) => !is.includes(line))];
  return [...names.map((name) => `[${name}]`), ...differing.map((line) => line.slice(0, MAX_PART_LENGTH))];
}

const tellingLines = (text: string, lines: RegExp | undefined) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => lines?.test(line));

/** The text of the sections of an INI or TOML file that `wanted` names, without comments and empty lines. */
function sectionsOf(text: string, wanted: RegExp | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let section = "";
  for (const line of text.split("\n").map((one) => one.trim())) {
    const head = /^\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1];
    if (head !== undefined) section = head.toLowerCase();
    else if (wanted?.test(section) && line !== "" && !/^[#;]/.test(line))
      found.set(section, `${found.get(section) ?? ""}${line}\n`);
  }
  return found;
}

/** Keys of a JSON file, with dots, that `wanted` names and whose values differ; new scripts are no change of old ones. */
function changedKeys(before: string | undefined, after: string | undefined, wanted: RegExp): string[] {
  const [old, now] = [leavesOf(readData(before)), leavesOf(readData(after))];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => wanted.test(name));
  return names.filter((name) => old.get(name) !== now.get(name) && (old.has(name) || !name.startsWith("scripts.")));
}

function compilerChange(before: string | undefined, after: string | undefined): string | undefined {
  const [old, now] = [leavesOf(readData(before)), leavesOf(readData(after))];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name));
  const looser = names.filter((name) => {
    const option = name.replace(/^compilerOptions\./, "");
    if (/^exclude\./.test(name)) return now.has(name) && ![...old.values()].includes(now.get(name) ?? "");
    if (before === undefined) return false;
    if (LOOSE_OPTIONS.test(option)) return now.get(name) === "true";
    return STRICT_OPTIONS.test(option) && now.get(name) !== "true" && old.get(name) === "true";
  });
  return looser.length === 0 ? undefined : `makes the compiler look at less: \`${looser.join("`, `")}\``;
}

/** Levels of a configuration that are told apart. */
const MAX_DEPTH = 40;

/** Values by their paths with dots, as JSON. */
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

/** JSON, perhaps with comments and commas at the end; undefined for what cannot be read. */
function readData(text: string | undefined): unknown {
  const kept = (pattern: RegExp) => (found: string) => (pattern.test(found) ? "" : found);
  const bare = (text ?? "").replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, kept(/^\//));
  try {
    return JSON.parse(bare.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, kept(/^,/)));
  } catch {
    return undefined;
  }
}

/** Files that say nothing but what the checks do. */
const CHECK_FILES =
  /(?:^|\/)(?:(?:jest|vitest|vite\.test|karma|ava|wdio|playwright|cypress|protractor|codecept|stryker|web-test-runner|nightwatch|eslint|stylelint|prettier|commitlint|knip|xo|dangerfile|lint-staged)\.(?:[\w-]+\.)?(?:config|conf|workspace)\.(?:[cm]?[jt]s|json)|jest-(?:preset|setup)\.\w+|\.(?:mocharc|nycrc|c8rc|taprc|eslintrc|oxlintrc|stylelintrc|prettierrc|jshintrc|jscsrc|swcrc\.test|coveragerc|flake8|pylintrc|pydocstyle|bandit|yamllint|markdownlint\w*|rspec|simplecov|reek|rubocop|rubocop_todo|erb-lint|haml-lint|scss-lint|swiftlint|swiftformat|golangci|clang-tidy|clang-format|hadolint|codeclimate|codecov|coveralls|sonarcloud|deepsource|semgrep|scalafix|scalafmt|php_cs|php-cs-fixer|psalm|credo|formatter|ktlint|luacheckrc|slather|jazzy)(?:\.dist)?(?:\.(?:[cm]?js|jsonc?|ya?ml|toml|conf|exs|php|ini|xml|dist))*|\.(?:eslint|prettier|stylelint|semgrep|gitleaks|trivy|snyk|codeql|dialyzer)-?ignore|(?:biome|oxlint|tslint|rome|deno\.lint|cspell|typos|sgconfig|pyrightconfig|stylecop|sonar-project|analysis_options|checkstyle|pmd|spotbugs|findbugs|detekt|lint-baseline|lint|codecov|coveralls|golangci|clippy|rustfmt|ruff|mypy|pytest|tox\.test|nose2?|phpunit|phpstan(?:-baseline)?|psalm(?:-baseline)?|phpcs|phpmd|infection|pest|ruleset|taplo|nextest|dart_test|bunfig\.test|coverlet\.runsettings)(?:[.-][\w-]+)*(?:\.dist)?\.(?:jsonc?|ya?ml|toml|ini|cfg|xml|neon|properties|php)(?:\.dist)?|[^/]+\.(?:runsettings|ruleset|globalconfig)|\.globalconfig|\.cargo\/config(?:\.toml)?|(?:checkstyle|pmd|spotbugs|findbugs)-?\w*(?:suppress\w*|exclude\w*|filter\w*)\.xml)$/;

/** Files of which parts say what the checks do: of INI and TOML the sections, of JSON the keys, of others the lines. */
interface MixedRule {
  readonly files: RegExp;
  readonly sections?: RegExp;
  readonly keys?: RegExp;
  readonly lines?: RegExp;
}

const MIXED_FILES: readonly MixedRule[] = [
  {
    files: /(?:^|\/)(?:package|composer)\.json$/,
    keys: /^(?:jest|vitest|mocha|ava|tap|nyc|c8|eslintConfig|eslintIgnore|stylelint|xo|standard|prettier|lint-staged|size-limit|scripts\.(?:.*(?:test|lint|check|types?|typecheck|tsc|cover|ci|verify|stan|cs|psalm|spec|audit).*))(?:\.|$)/i,
  },
  {
    files: /(?:^|\/)(?:pyproject|cargo)\.toml$/,
    sections:
      /^(?:tool\.(?:pytest|coverage|mypy|ruff|pylint|flake8|pyright|basedpyright|bandit|black|isort|tox|nox|pydocstyle|vulture|interrogate|hatch\.envs|pdm\.scripts|poe)|(?:workspace\.)?lints)\b/,
  },
  {
    files: /(?:^|\/)(?:setup\.cfg|tox\.ini|\.editorconfig)$/,
    sections: /^(?:tool:pytest|pytest|coverage|flake8|mypy|pylint|pydocstyle|pycodestyle|pep8|isort|testenv|tox)/,
    lines: /dotnet_(?:diagnostic|analyzer_diagnostic)|dotnet_code_quality|resharper_.*severity/i,
  },
  {
    files: /(?:^|\/)(?:pom\.xml|[^/]+\.(?:cs|fs|vb)proj|[^/]+\.(?:props|targets))$/,
    lines:
      /skipTests|maven\.test\.skip|skipITs|testFailureIgnore|failOnViolation|failsOnError|failIfNoTests|maxAllowedViolations|<(?:minimum|haltOnFailure|excludedGroups|excludes?|testExcludes?)>|NoWarn|TreatWarningsAsErrors|WarningsNotAsErrors|WarningLevel|AnalysisLevel|AnalysisMode|EnforceCodeStyleInBuild|RunAnalyzers|<Nullable>|ContinueOnError|IsTestProject|ExcludeFromCodeCoverage|<(?:Threshold|Exclude)>/,
  },
  {
    files: /(?:^|\/)[^/]+\.(?:gradle|gradle\.kts|sbt)$/,
    lines:
      /ignoreFailures|isIgnoreFailures|failOnWarning|abortOnError|warningsAsErrors|allWarningsAsErrors|excludeTest|exclude\s*\(?\s*["'][^"']*[tT]est|excludeTags|excludeCategories|maxWarnings|maxErrors|enabled\s*=\s*false|onlyIf|minimum\s*=|Xlint|-x\s+test|disable(?:\s|\().*["']/,
  },
  {
    files:
      /(?:^|\/)(?:makefile|gnumakefile|justfile|rakefile|taskfile\.ya?ml|cmakelists\.txt|noxfile\.py|meson\.build|build\.zig|mix\.exs|[^/]+\.mk)$/,
    lines:
      /\|\|\s*true|-k\s+["']?not\b|--(?:deselect|ignore|exclude|skip|passWithNoTests|no-verify|exit-zero|max-warnings|cov-fail-under|continue-on-collection-errors|allow-warnings)|\bDISABLED\b|-Wno-|WILL_FAIL|-Werror|should_fail|test_coverage|\bpytest\b|\bjest\b|\bgo test\b|\bcargo (?:test|clippy)\b|\brspec\b|\bphpunit\b|\bctest\b|\beslint\b|\bruff\b|\bmypy\b|\btsc\b/,
  },
];

/** Options of a `tsconfig` that make it say less when they are turned on; all others that are named make it say more. */
const LOOSE_OPTIONS =
  /^(?:skipLibCheck|skipDefaultLibCheck|allowUnreachableCode|allowUnusedLabels|suppress\w+|noCheck)$/;

const STRICT_OPTIONS =
  /^(?:strict\w*|no(?!Emit|Lib|Resolve|Check)[A-Z]\w*|checkJs|alwaysStrict|exactOptionalPropertyTypes|useUnknownInCatchVariables|isolatedModules|isolatedDeclarations|verbatimModuleSyntax|forceConsistentCasingInFileNames)$/;

/** Files of recorded results, which a test compares with. */
export const RECORDED =
  /(?:^|\/)(?:__snapshots__|__image_snapshots__|snapshots?|goldens?|golden[_-]files|approvals|cassettes|expected)\/|\.(?:snap|ambr|golden|approved(?:\.\w+)?|verified(?:\.\w+)?|expected|stdout|stderr)$/;

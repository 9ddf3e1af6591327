import { either, extension, listed } from "../../search/patterns.ts";

/** What to search a piece of program text for; `files` are patterns of paths in lower case. */
export interface TextRule {
  readonly files: RegExp;
  readonly pattern: RegExp;
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const PYTHON = /\.pyi?$/;
const JVM = /\.(?:java|kts?|scala|groovy)$/;
const RUBY = /\.(?:rb|rake)$/;
const C_FAMILY = /\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm)$/;
const DOTNET = /\.(?:cs|fs|vb)$/;
const PHP = /\.php$/;
const ANY = /./;

const textRule = (files: RegExp, flags: string, ...patterns: readonly RegExp[]): TextRule => ({
  files,
  pattern: either(flags, ...patterns),
});

/** Programs; everything else is text for people, or data. */
export const PROGRAM = extension(`
  [cm]?[jt]sx? vue svelte pyi? go java kts? scala groovy rb rake rs c h cc cpp cxx hh hpp hxx inl mm? cs fs vb php
  swift dart exs?`);

/**
 * Comments that silence a check. Each line of a comment is matched without its leading blanks, stars and slashes, so
 * that a word in a sentence counts only where the tool itself would count it.
 */
export const SUPPRESSING_COMMENTS: readonly TextRule[] = [
  textRule(
    SCRIPT,
    "i",
    /^(?:eslint-disable|oxlint-disable|tslint:disable|biome-ignore|rome-ignore)/,
    /^(?:deno-(?:lint|fmt|coverage)-ignore|@ts-(?:ignore|expect-error|nocheck)\b|prettier-ignore)/,
    /^(?:istanbul ignore|c8 ignore|v8 ignore|node:coverage (?:ignore|disable)|stylelint-disable)/,
    /^(?:jshint (?:ignore|-W)|flow-?disable|\$Flow(?:FixMe|Issue|ExpectedError)|webhint-disable)/,
    /^(?:standard-disable|noinspection\b|stryker disable|NOSONAR\b)/,
  ),
  textRule(
    PYTHON,
    "i",
    /(?:^|#)\s*(?:type:\s*ignore|noqa\b|(?:flake8|ruff):\s*noqa|nosec\b|pylint:\s*(?:disable|skip-file))/,
    /(?:^|#)\s*(?:pyright:\s*(?:ignore|basic|\w+=false)|mypy:\s*(?:ignore|disable|allow))/,
    /(?:^|#)\s*(?:pragma:\s*no\s*(?:cover|branch)|pytype:\s*(?:disable|skip-file))/,
    /(?:^|#)\s*(?:pyre-(?:ignore|fixme|unsafe)|ty:\s*ignore|isort:\s*skip|fmt:\s*(?:off|skip))/,
    /(?:^|#)\s*(?:yapf:\s*disable|NOSONAR\b|noinspection\b)/,
  ),
  {
    files: /\.go$/,
    pattern:
      /^(?:nolint\b|#?nosec\b|revive:disable|lint:(?:file-)?ignore|go:build ignore|coverage:ignore|exhaustive:ignore)/,
  },
  textRule(
    JVM,
    "i",
    /^(?:NOSONAR\b|NOPMD\b|CHECKSTYLE[:.]?\s*(?:OFF|SUPPRESS|IGNORE)|SUPPRESS CHECKSTYLE|noinspection\b)/,
    /^(?:ktlint-disable|detekt:|scalastyle:off|scalafix:off|scalafmt:\s*off|\$COVERAGE-OFF\$)/,
    /^(?:@formatter:off|PMD\.)/,
  ),
  textRule(
    RUBY,
    "",
    /^(?:rubocop:(?:disable|todo)|:nocov:|standard:disable|reek:|brakeman:ignore)/,
    /^(?:typed:\s*(?:false|ignore)|steep:ignore|simplecov:)/,
  ),
  { files: /\.rs$/, pattern: /^(?:tarpaulin|grcov-excl|LCOV_EXCL|GRCOV_EXCL|coverage:\s*ignore)/i },
  textRule(
    C_FAMILY,
    "",
    /^(?:NOLINT\w*|LCOV_EXCL\w*|GCOVR?_EXCL\w*|GCOV_EXCL\w*|cppcheck-suppress\w*|coverity\[|-V\d{3})/,
    /^(?:PVS-?Studio|lint\s+-e|IWYU pragma: keep|clang-format off|NOSONAR\b|LINT_C_FILE)/,
  ),
  { files: DOTNET, pattern: /^(?:ReSharper disable|NOSONAR\b|stylecop\b.*off|noinspection\b|Stryker disable)/i },
  textRule(
    PHP,
    "i",
    /^(?:@?phpstan-ignore\S*|@?psalm-suppress\b|@?phpcs:(?:ignore|disable)\S*|@codingStandardsIgnore\w*)/,
    /^(?:@codeCoverageIgnore\w*|@SuppressWarnings\b|@?phan-suppress\S*|@?infection-ignore\S*)/,
    /^(?:@?php-cs-fixer-ignore\b|noinspection\b|@noinspection\b|NOSONAR\b)/,
  ),
  { files: /\.swift$/, pattern: /^(?:swiftlint:disable|swiftformat:disable|swift-format-ignore|periphery:ignore)/ },
  { files: /\.dart$/, pattern: /^(?:ignore(?:_for_file)?:|coverage:ignore)/ },
  { files: /\.exs?$/, pattern: /^(?:credo:disable|sobelow_skip|coveralls-ignore|dialyzer)/ },
];

/** The same in code: attributes, annotations and directives. Strings are blanked. */
export const SUPPRESSING_CODE: readonly TextRule[] = [
  textRule(
    JVM,
    "g",
    /@(?:file:)?(?:SuppressWarnings|SuppressFBWarnings|SuppressLint|SuppressPMD)\b(?:\s*\([^)]*\))?/,
    /@(?:file:)?(?:Suppress|nowarn|unchecked)\b(?:\s*\([^)]*\))?/,
  ),
  textRule(
    /\.rs$/,
    "g",
    /#!?\[\s*(?:(?:cfg_attr\([^\]]*)?\ballow\s*\(|expect\s*\(|rustfmt::skip|coverage\(off\))[^\]]*\]/,
    /#!?\[\s*(?:coverage\s*=\s*)[^\]]*\]/,
  ),
  textRule(
    DOTNET,
    "g",
    /#pragma\s+warning\s+disable[^\n]*|#nullable\s+disable[^\n]*/,
    /\[\s*(?:\w+:\s*)?(?:SuppressMessage|UnconditionalSuppressMessage|ExcludeFromCodeCoverage)\b[^\]]*\]/,
  ),
  textRule(
    C_FAMILY,
    "g",
    /#\s*pragma\s+(?:GCC|clang)\s+diagnostic\s+ignored[^\n]*/,
    /#\s*pragma\s+warning\s*\(\s*(?:disable|suppress)[^\n]*|__attribute__\s*\(\(\s*no_sanitize[^)]*\)\)/,
    /\[\[\s*(?:gsl::suppress|clang::no_sanitize)[^\]]*\]\]/,
  ),
  textRule(
    PHP,
    "g",
    /#\[\s*\\?(?:SuppressWarnings|CodeCoverageIgnore|NoInspection|IgnoreDeprecations)[^\]]*\]/,
    /#\[\s*\\?(?:PHPStan\\\w*)[^\]]*\]/,
    /\berror_reporting\s*\([^)]*\)/,
  ),
  {
    files: PYTHON,
    pattern: /@(?:typing\.)?no_type_check\b|\bwarnings\.(?:filterwarnings|simplefilter)\s*\([^)\n]*\)?/g,
  },
  { files: SCRIPT, pattern: /\bprocess\.exitCode\s*=\s*0\b/g },
];

const RUNNERS = listed("", "it test describe context suite bench specify scenario feature t this Deno\\.test", "");

/** `it.skip(`, `describe.each.only(` */
const SKIPPED_CALL = listed(
  `(?<![\\w$.])${RUNNERS.source}(?:\\.(?!skip|only|todo|fail)\\w+)*\\.`,
  "skip skipIf runIf todo failing fails fail only fixme ignore",
  "(?=\\s*[.(`]|\\.)",
);

/** How tests are skipped, quarantined, retried until they pass, or made the only ones. Strings are blanked. */
export const SKIPS: readonly TextRule[] = [
  textRule(
    SCRIPT,
    "g",
    SKIPPED_CALL,
    /(?<![\w$.])(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext|pending)\s*(?=\()/,
    /\b(?:skip|todo|only|ignore|fails|retry|retries)\s*:\s*(?:true|\d+)|\b(?:jest|vi)\.retryTimes\b/,
    /\bthis\.(?:skip|retries)\s*(?=\()/,
  ),
  textRule(
    PYTHON,
    "g",
    /@(?:pytest\.mark\.|mark\.)(?:skip\w*|xfail|flaky|quarantine\w*)\b/,
    /@(?:unittest\.)?(?:skip(?:If|Unless)?|expectedFailure|flaky)\b/,
    /\bpytest\.(?:skip|xfail|importorskip)\s*(?=\()|\bpytestmark\s*=\s*[^\n]*\b(?:skip\w*|xfail)/,
    /\bself\.skipTest\s*(?=\()|\braise\s+(?:unittest\.)?SkipTest\b|\b__test__\s*=\s*False/,
    /\bcollect_ignore(?:_glob)?\b|\.add_marker\s*\([^\n]*\b(?:skip|xfail)/,
  ),
  textRule(
    /\.go$/,
    "g",
    /\b[tbf]\.Skip(?:f|Now)?\s*(?=\()|\btesting\.Short\s*\(\)|\bGinkgo\w*/,
    /(?<![\w.])(?:P|X|F)(?:It|Describe|Context|Specify|Entry)\s*(?=\()/,
  ),
  textRule(
    JVM,
    "g",
    /@(?:Disabled\w*|Ignore\w*|Enabled(?:If|On|For)\w*|PendingFeature|Flaky\w*|RetryingTest|FlakyTest)\b/,
    /@(?:Quarantine\w*)\b/,
    /\b(?:Assume|Assumptions)\.\w+|(?<![\w.])assum(?:e|ing)\w*\s*(?=\()|\benabled\s*=\s*false/,
    /(?<![\w.])(?:ignore|pending|cancel)\s*(?=\()|\.(?:ignore|config\s*\(\s*enabled)/,
  ),
  textRule(
    RUBY,
    "gm",
    /^[ \t]*(?:xit|xdescribe|xcontext|xspecify|xexample|xscenario|fit|fdescribe|fcontext|fspecify|skip)\b/,
    /^[ \t]*(?:pending|flunk)\b/,
    /\b(?:skip|pending|focus|retry)\s*:\s*(?:true|\d+|["'])|[\s,(]:(?:skip|pending|focus|flaky)\b/,
  ),
  { files: /\.rs$/, pattern: /#\[\s*(?:ignore\b|cfg_attr\([^\]]*\bignore\b)[^\]]*\]/g },
  textRule(
    C_FAMILY,
    "g",
    /\bDISABLED_\w*|\bGTEST_SKIP\w*|(?<![\w.])SKIP\s*(?=\()|\bBOOST_TEST_DONT\w*|\bTEST_IGNORE\w*/,
    /\bQ(?:SKIP|EXPECT_FAIL)\b|\bck_skip\w*|\bdoctest::(?:skip|may_fail|should_fail|expected_failures)/,
    /\butf::disabled|\bcmocka_skip|(?<![\w.])IGNORE_TEST\b/,
  ),
  textRule(
    DOTNET,
    "g",
    /\bSkip\s*=|\[\s*(?:Ignore|Explicit|Retry|RetryFact)\b/,
    /\bAssert\.(?:Ignore|Inconclusive|Skip\w*|Pass)\s*(?=\()|\bSkip\.(?:If|Unless)\w*/,
    /\[\s*Skippable(?:Fact|Theory)\b/,
  ),
  textRule(
    PHP,
    "g",
    /\bmarkTest(?:Skipped|Incomplete)\b|->(?:skip\w*|todo|only|repeat)\s*(?=\()/,
    /(?<![\w>])(?:xit|todo)\s*(?=\()|#\[\s*\\?(?:[\w\\]*)(?:Requires\w*|Disabled|Ignore)\b/,
  ),
  textRule(
    /\.swift$/,
    "g",
    /\bXCT(?:Skip\w*|ExpectFailure)\b|\.(?:disabled|enabled)\s*(?=\()|\bwithKnownIssue\b/,
    /\bfunc\s+(?:x|disabled_?|skip_?)[tT]est\w*/,
  ),
  { files: /\.dart$/, pattern: /\b(?:skip|retry|solo)\s*:|(?<![\w.])(?:skip_|solo_)\w+/g },
  { files: /\.exs?$/, pattern: /@(?:module)?tag\s+:?(?:skip|pending)\b|@(?:module|describe)?tag\s+skip:/g },
];

/** How a test is made to pass whatever happens: swallowed errors. Strings are blanked. */
export const SWALLOWS = either(
  "g",
  /\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}/,
  /\bexcept(?:\s+\(?(?:Base)?(?:Exception|AssertionError)\)?[^:\n]*)?:\s*(?:pass|\.\.\.)(?![\w.])/,
  /\brescue(?:\s+(?:Exception|StandardError|Minitest::Assertion)[^\n]*)?\s*(?:;|\n)\s*(?:nil\s*(?:;|\n)\s*)?end\b/,
  /\.catch\s*\(\s*\([^)]*\)\s*=>\s*(?:\{\s*\}|undefined|null)\s*\)/,
  /\blet\s+_\s*=\s*(?:std::)?panic::catch_unwind/,
);

/** A test's limit with its number. `wider`: the direction that lets more pass; `begun`: a new one counts, too. */
export interface LimitRule extends TextRule {
  readonly wider: "up" | "down";
  readonly what: string;
  readonly begun?: true;
}

const NUMBER = String.raw`(-?[\d_.]+(?:e[-+]?\d+)?(?:\s*\*\s*[\d_.]+)*)`;
const ARGUMENT = String.raw`(?:[^(),\n]|\([^()\n]*\))*`;

/** The parts, one after the other, make the pattern; its last group is the number. */
const limit = (
  {
    files = ANY,
    wider = "up",
    flags = "g",
    ...rule
  }: Partial<LimitRule> & Pick<LimitRule, "what"> & { flags?: string },
  ...parts: readonly string[]
): LimitRule => ({
  ...rule,
  files,
  wider,
  pattern: new RegExp(parts.join("").replaceAll("NUMBER", NUMBER).replaceAll("ARGUMENT", ARGUMENT), flags),
});

export const LIMITS: readonly LimitRule[] = [
  limit({ what: "tolerance", files: SCRIPT, wider: "down" }, String.raw`\.toBeCloseTo\([^\n]*?,\s*NUMBER\s*\)`),
  limit({ what: "tolerance", files: PYTHON, wider: "down" }, String.raw`\b(?:places|decimal|significant)\s*=\s*NUMBER`),
  limit(
    { what: "tolerance", flags: "gi" },
    String.raw`\b(?:delta|rtol|atol|abs|rel|rel_tol|abs_tol|epsilon|eps|tolerance|max_relative|precision|maxDiffPixels|`,
    String.raw`maxDiffPixelRatio|threshold|failureThreshold)\s*[=:]\s*NUMBER`,
  ),
  limit(
    { what: "tolerance" },
    String.raw`\b(?:be_within|within|Within|isCloseTo|offset|withPercentage|closeTo|approximately|InDelta|InEpsilon|`,
    "assert_in_delta|assertEqualsWithDelta|assert_abs_diff_eq!|assert_relative_eq!|(?:ASSERT|EXPECT|CHECK)_NEAR|",
    "WithinAbs|WithinRel|BOOST_CHECK_CLOSE)",
    String.raw`\s*\((?:[^()\n]|\([^()\n]*\))*?NUMBER[fdmL]?\s*(?:,\s*"[^"\n]*"\s*)?\)`,
  ),
  limit(
    { what: "tolerance", files: JVM },
    String.raw`\bassert(?:Array)?Equals\s*\(ARGUMENT,ARGUMENT,\s*NUMBER[fdL]?\s*\)`,
  ),
  limit(
    { what: "tolerance", files: DOTNET, wider: "down" },
    String.raw`\bAssert\.Equal\s*\(ARGUMENT,ARGUMENT,\s*(?:precision:\s*)?NUMBER\s*\)`,
  ),
  limit(
    { what: "time limit", begun: true },
    String.raw`\b(?:jest\.setTimeout|(?:this|it|test)\.timeout|test\.setTimeout|\.slow)\s*\(\s*NUMBER`,
  ),
  limit(
    { what: "time limit", begun: true },
    String.raw`(?:@pytest\.mark\.timeout|@(?:Test)?Timeout|\[\s*(?:Timeout|MaxTime|CancelAfter))`,
    String.raw`\s*\(\s*(?:\w+\s*=\s*)?NUMBER`,
  ),
  limit(
    { what: "time limit", flags: "gi" },
    String.raw`\b\w*(?:timeout|time_limit|timelimit|deadline|max_?wait|atMost|waitFor|within)\w*(?:\s*[=:(]|\s*:=)\s*`,
    String.raw`(?:\(?\s*(?:Duration\.of\w+|TimeSpan\.From\w+|Duration::from_\w+|time\.\w+\s*\*)\s*\(?\s*)?NUMBER`,
  ),
  limit({ what: "time limit" }, String.raw`\}\s*,\s*NUMBER\s*\)`),
  limit(
    { what: "number of retries", begun: true },
    String.raw`(?:\b(?:retryTimes|retries|reruns|max_runs|retry|repetitions)\s*[=:(]\s*|`,
    String.raw`@RetryingTest\s*\(\s*|\[\s*Retry\s*\(\s*)NUMBER`,
  ),
];

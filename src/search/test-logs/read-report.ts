import {
  type ReportedFailure,
  type TestCounts,
  type TestEnd,
  type TestsRun,
  totalOf,
} from "../../model/test-results.ts";
import { stripInvisible } from "../../text/visible-text.ts";
import { causeOf } from "./causes.ts";
import { placesOf, wordsOf } from "./clean-log.ts";
import { readTestLog } from "./read-test-log.ts";
import { type Tag, tagsOf } from "./xml-tags.ts";

/** Artifacts' files that may be test reports. */
export const REPORT_FILE = /\.(?:xml|trx|tap|jsonl?)$/i;

const MAX_TESTS = 50_000;

const MAX_FAILURES = 200;

const MAX_TEXT = 20_000;

/**
 * Reads a test report: JUnit's XML, TRX, TAP, the events of `go test -json`. Undefined for anything else, and for a
 * truncated report. Never throws; takes time in proportion to the text.
 */
export function readReport(file: string, text: string): TestsRun | undefined {
  if (/\.(?:tap|jsonl?)$/i.test(file)) return fromLines(text);
  if (/<TestRun[\s>]/.test(text.slice(0, 2_000))) return fromXml(text, TRX);
  return /<testsuites?[\s>]/.test(text.slice(0, 2_000)) ? fromXml(text, JUNIT) : undefined;
}

/** Several reports as one; undefined for none. */
export function asOne(reports: readonly TestsRun[]): TestsRun | undefined {
  const [first, ...others] = reports;
  if (!first || others.length === 0) return first;
  const sum = (end: TestEnd) => reports.reduce((all, { counts }) => all + counts[end], 0);
  const counts = { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
  const all = new Map(reports.flatMap((one) => [...(one.all ?? [])]));
  return {
    from: "report",
    format: [...new Set(reports.map(({ format }) => format))].sort().join(" + "),
    counts,
    failures: reports.flatMap(({ failures }) => failures).slice(0, MAX_FAILURES),
    all: all.size === totalOf(counts) ? all : undefined,
  };
}

function fromLines(text: string): TestsRun | undefined {
  const { counted, failures } = readTestLog(text);
  return counted?.all && { from: "report", ...counted, failures };
}

interface Case {
  readonly name: string;
  readonly path?: string | undefined;
  end: TestEnd;
  words: string;
  error: boolean;
}

/** How a report format describes a test. */
interface Form {
  readonly format: string;
  /** the tag of a test */
  readonly test: string;
  /** the tags whose text describes a failure */
  readonly said: ReadonlySet<string>;
  readonly caseOf: (attributes: Tag["attributes"], suiteFile: string | undefined) => Case;
  /** takes in what a tag within a test says of it */
  readonly tell?: (one: Case, tag: Tag) => void;
}

const JUNIT: Form = {
  format: "JUnit",
  test: "testcase",
  said: new Set(["failure", "error"]),
  caseOf({ name = "", classname = "", file }, suiteFile) {
    const full = classname === "" || name.startsWith(classname) ? name : `${classname}.${name}`;
    return { name: full, path: file ?? suiteFile, end: "passed", words: "", error: false };
  },
  tell(one, { name, attributes }) {
    if (name === "skipped" && one.end === "passed") one.end = "skipped";
    if (name !== "failure" && name !== "error") return;
    one.end = "failed";
    one.error ||= name === "error";
    one.words += `${[attributes.type, attributes.message].filter(Boolean).join(": ").slice(0, MAX_TEXT)}\n`;
  },
};

const TRX: Form = {
  format: "TRX",
  test: "UnitTestResult",
  said: new Set(["Message", "StackTrace"]),
  caseOf: ({ testName = "", outcome = "" }) => ({ name: testName, end: trxEnd(outcome), words: "", error: false }),
};

function fromXml(text: string, { format, test, said, caseOf, tell }: Form): TestsRun | undefined {
  const cases: Case[] = [];
  const files: (string | undefined)[] = [];
  let open: Case | undefined;
  let telling = false;
  let depth = 0;
  for (const tag of tagsOf(text)) {
    if (tag.kind === "open") depth += 1;
    if (tag.kind === "close") depth -= 1;
    if (tag.kind === "text") {
      if (open && telling) open.words += `${tag.text.slice(0, Math.max(0, MAX_TEXT - open.words.length))}\n`;
    } else if (tag.name === "testsuite" && tag.kind !== "alone") {
      if (tag.kind === "open") files.push(tag.attributes.file ?? files.at(-1));
      else files.pop();
    } else if (tag.name === test) {
      open = tag.kind === "close" ? undefined : caseOf(tag.attributes, files.at(-1));
      if (open && cases.push(open) > MAX_TESTS) return undefined;
      if (tag.kind === "alone") open = undefined;
    } else {
      if (open && tag.kind !== "close") tell?.(open, tag);
      telling = tag.kind === "open" && said.has(tag.name);
    }
  }
  return depth === 0 ? closed(format, cases) : undefined;
}

function trxEnd(outcome: string): TestEnd {
  if (/^passed/i.test(outcome)) return "passed";
  return /^(?:notexecuted|inconclusive|pending|disconnected|notrunnable)$/i.test(outcome) ? "skipped" : "failed";
}

function closed(format: string, cases: readonly Case[]): TestsRun | undefined {
  if (cases.length === 0) return undefined;
  const counts: Record<keyof TestCounts, number> = { passed: 0, failed: 0, skipped: 0 };
  const all = new Map<string, TestEnd>();
  for (const { name, end } of cases) {
    counts[end] += 1;
    all.set(name, all.get(name) === "failed" ? "failed" : end);
  }
  const failures = cases.filter(({ end }) => end === "failed").slice(0, MAX_FAILURES);
  return {
    from: "report",
    format,
    counts,
    failures: failures.map(failureOf),
    all: all.size === cases.length ? all : undefined,
  };
}

function failureOf({ name, path, words, error }: Case): ReportedFailure {
  const lines = words.split(/\r?\n/).map((line) => stripInvisible(line).slice(0, 500));
  const cause = causeOf(words) ?? (error ? "error" : "assertion");
  return {
    name: name.trim(),
    suite: false,
    cause,
    words: wordsOf(lines),
    places: [...new Set(placesOf(lines))].slice(0, 20),
    path: path?.replace(/^\.\//, ""),
  };
}

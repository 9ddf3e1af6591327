import { XMLParser } from "fast-xml-parser";
import {
  type ReportedFailure,
  type TestCounts,
  type TestEnd,
  type TestsRun,
  totalOf,
} from "../../data/test-results.ts";
import { stripInvisible } from "../../text/visible-text.ts";
import { causeOf } from "./causes.ts";
import { placesOf, wordsOf } from "./clean-log.ts";
import { readTestLog } from "./read-test-log.ts";

/** Artifacts' files that may be test reports. */
export const REPORT_FILE = /\.(?:xml|trx|tap|jsonl?)$/i;

const MAX_TESTS = 50_000;

const MAX_FAILURES = 200;

const MAX_TEXT = 20_000;

/** Characters of a document. Larger ones are not read: the parser takes a second for these. */
const MAX_XML = 4_000_000;

/**
 * Reads a test report: JUnit's XML, TRX, TAP, the events of `go test -json`. Undefined for anything else, for a truncated
 * report, and for XML that is too long or not well-formed. Never throws; takes time in proportion to the text.
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
  name: string;
  path?: string | undefined;
  end: TestEnd;
  words: string;
  error: boolean;
}

/** An element: its text, its attributes by `@name`, and lists of the elements in it by their names. */
interface Element {
  [part: string]: string | readonly Element[] | undefined;
}

/** Reads elements of one shape; entities that a document declares are refused. Throws for what is not well-formed. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  textNodeName: "#text",
  alwaysCreateTextNode: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  removeNSPrefix: true,
  parseTagValue: false,
  // Characters by their numbers belong to this option.
  htmlEntities: true,
  processEntities: { maxEntityCount: 1, maxEntitySize: 1 },
});

/** How a report format describes a test. */
interface Form {
  format: string;
  /** the name of a test's element */
  test: string;
  caseOf: (test: Element, suiteFile: string | undefined) => Case;
}

const JUNIT: Form = {
  format: "JUnit",
  test: "testcase",
  caseOf(test, suiteFile) {
    const [name, group] = [attribute(test, "name") ?? "", attribute(test, "classname") ?? ""];
    const errors = within(test, "error");
    const faults = [...within(test, "failure"), ...errors];
    const unfailed = within(test, "skipped").length > 0 ? "skipped" : "passed";
    return {
      name: group === "" || name.startsWith(group) ? name : `${group}.${name}`,
      path: attribute(test, "file") ?? suiteFile,
      end: faults.length > 0 ? "failed" : unfailed,
      words: faults.map(wordsOfFault).join("\n").slice(0, MAX_TEXT),
      error: errors.length > 0,
    };
  },
};

function wordsOfFault(fault: Element): string {
  const head = [attribute(fault, "type"), attribute(fault, "message")].filter(Boolean).join(": ");
  return `${head}\n${fault["#text"]}`;
}

const TRX: Form = {
  format: "TRX",
  test: "UnitTestResult",
  caseOf(test) {
    const said = within(test, "Output").flatMap((output) => within(output, "ErrorInfo"));
    const parts = said.flatMap((one) => [...within(one, "Message"), ...within(one, "StackTrace")]);
    return {
      name: attribute(test, "testName") ?? "",
      end: trxEnd(attribute(test, "outcome") ?? ""),
      words: parts
        .map((part) => part["#text"])
        .join("\n")
        .slice(0, MAX_TEXT),
      error: false,
    };
  },
};

function attribute(element: Element, name: string): string | undefined {
  const value = element[`@${name}`];
  return typeof value === "string" ? value : undefined;
}

function within(element: Element, name: string): readonly Element[] {
  const found = element[name];
  return Array.isArray(found) ? found : [];
}

function fromXml(text: string, form: Form): TestsRun | undefined {
  if (text.length > MAX_XML) return undefined;
  try {
    const cases = [...casesIn(parser.parse(text, true), form)];
    return cases.length > MAX_TESTS ? undefined : closed(form.format, cases);
  } catch {
    return undefined;
  }
}

/** The tests in an element, in their order by kind. The parser bounds how deep elements stand. */
function* casesIn(element: Element, form: Form, file?: string): Generator<Case> {
  for (const [name, parts] of Object.entries(element)) {
    if (typeof parts === "string") continue;
    for (const part of parts ?? []) {
      if (name === form.test) yield form.caseOf(part, file);
      else yield* casesIn(part, form, attribute(part, "file") ?? file);
    }
  }
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

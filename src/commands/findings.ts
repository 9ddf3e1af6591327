import { hideSecrets } from "../text/hide-secrets.ts";
import { fitText } from "../text/terminal-text.ts";

/** `fault`: the bot cannot work. `warning`: it works, but somebody should act. `skipped`: it could not be checked. */
export type FindingLevel = "ok" | "warning" | "fault" | "skipped";

/** The result of a check. */
export interface Verdict {
  level: FindingLevel;
  /** a sentence: the state, or what is wrong */
  text: string;
  /** a sentence: what to do */
  remedy?: string | undefined;
}

/** A verdict with its check's name, e.g. `webhook deliveries`: a line of the output. */
export interface Finding extends Verdict {
  check: string;
}

const verdictOf =
  (level: FindingLevel) =>
  (text: string, remedy?: string): Verdict => ({ level, text, remedy });

export const ok = verdictOf("ok");
export const warning = verdictOf("warning");
export const fault = verdictOf("fault");
export const skipped = verdictOf("skipped");

type Verdicts = Verdict | readonly Verdict[];

export interface Check {
  name: string;
  run: () => Verdicts | Promise<Verdicts>;
}

/** Longer than any single request may take, shorter than anybody will wait. */
const LIMIT_MS = 45_000;

/**
 * Runs all checks at once and gives their findings in the order of the checks. One that fails does not stop the others.
 */
export async function runChecks(checks: readonly Check[], limitMs = LIMIT_MS): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    checks.map(async (check) => {
      const verdicts = [await runOne(check, limitMs)].flat();
      return verdicts.map((verdict) => ({ check: check.name, ...verdict }));
    }),
  );
  return findings.flat();
}

async function runOne({ run }: Check, limitMs: number): Promise<Verdicts> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => resolve(fault(`This took longer than ${limitMs / 1000} s and was given up.`)), limitMs);
  });
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    return fault(`This check failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes checks that need the result of another request. When it finds nothing, they are skipped with the sentence
 * `missing`, or left out when there is no sentence.
 */
export function checksWith<T>(found: Promise<T | undefined>, missing?: string) {
  // The waiting checks report its failure; until they do, it must not end the process.
  found.catch(() => undefined);
  return (name: string, look: (value: T) => ReturnType<Check["run"]>): Check => ({
    name,
    async run() {
      const value = await found;
      if (value !== undefined) return look(value);
      return missing === undefined ? [] : skipped(missing);
    },
  });
}

/** Removes `secrets` from a finding, which may quote text from outside. */
export function withoutSecrets(finding: Finding, secrets: readonly string[]): Finding {
  const { text, remedy } = finding;
  return {
    ...finding,
    text: hideSecrets(text, secrets),
    remedy: remedy === undefined ? undefined : hideSecrets(remedy, secrets),
  };
}

const WIDTH = "warning".length;

const GAP = "  ";

/** Formats the findings for people: one a line, its remedy on the next, the count at the end. */
export function findingsText(findings: readonly Finding[], columns?: number): string {
  const beside = (mark: string, text: string) => {
    const [first, ...more] = fitText(text, columns && columns - WIDTH - GAP.length).split("\n");
    const blank = " ".repeat(WIDTH);
    return [`${mark.padEnd(WIDTH)}${GAP}${first}`, ...more.map((line) => `${blank}${GAP}${line}`)];
  };
  const lines = findings.flatMap(({ check, level, text, remedy }) => [
    ...beside(level, `${check}: ${oneLine(text)}`),
    ...(remedy === undefined ? [] : beside("", `→ ${oneLine(remedy)}`)),
  ]);
  const count = (level: FindingLevel) => findings.filter((one) => one.level === level).length;
  const counts = [`${count("ok")} ok`, some(count("warning"), "warning"), some(count("fault"), "fault")];
  if (count("skipped") > 0) counts.push(`${count("skipped")} skipped`);
  return [...lines, "", `${counts.join(", ")}.`].join("\n");
}

function some(count: number, word: string): string {
  if (count === 1) return `1 ${word}`;
  return `${count === 0 ? "no" : count} ${word}s`;
}

/** Quotes untrusted text: its newlines and control characters never reach the terminal. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

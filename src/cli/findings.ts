import { hideSecrets } from "../text/hide-secrets.ts";

/** `fault`: the bot cannot work. `warning`: it works, but somebody should act. `skipped`: it could not be checked. */
export type FindingLevel = "ok" | "warning" | "fault" | "skipped";

/** The result of a check. */
export interface Verdict {
  readonly level: FindingLevel;
  /** a sentence: the state, or what is wrong */
  readonly text: string;
  /** a sentence: what to do */
  readonly remedy?: string | undefined;
}

/** A verdict with its check's name, e.g. `webhook deliveries`: a line of the output. */
export interface Finding extends Verdict {
  readonly check: string;
}

const verdictOf =
  (level: FindingLevel) =>
  (text: string, remedy?: string): Verdict => ({ level, text, remedy });

export const ok = verdictOf("ok");
export const warning = verdictOf("warning");
export const fault = verdictOf("fault");
export const skipped = verdictOf("skipped");

/** The bot's commands as people type them, which depends on how it was installed. */
export interface BotCommands {
  /** e.g. `magis start` */
  readonly start: string;
  /** what precedes a command's name, e.g. `magis` */
  readonly magis: string;
  /** a sentence: what to do when the bot is not running */
  readonly toStart: string;
  /** a sentence: what to do when no app is configured */
  readonly toSetUp: string;
}

export interface Check {
  readonly name: string;
  readonly run: () => Promise<Verdict | readonly Verdict[]>;
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

async function runOne({ run }: Check, limitMs: number): ReturnType<Check["run"]> {
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

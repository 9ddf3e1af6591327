import { hideSecrets } from "../text/hide-secrets.ts";

/** `fault`: the bot cannot do its work so. `warning`: it can, but should not be left so. `skipped`: could not be looked at. */
export type FindingLevel = "ok" | "warning" | "fault" | "skipped";

/** What one check came to: a line of the output. */
export interface Finding {
  /** what was looked at, e.g. `webhook deliveries` */
  readonly check: string;
  readonly level: FindingLevel;
  /** a sentence: how it is, or what is wrong */
  readonly text: string;
  /** a sentence: what to do */
  readonly remedy?: string;
}

/** How people give commands of the bot, which depends on how it was installed. */
export interface BotCommands {
  /** e.g. `magis start` */
  readonly start: string;
  /** what stands before a command's name, e.g. `magis` */
  readonly magis: string;
  /** a sentence: what to do where the bot does not run */
  readonly toStart: string;
  /** a sentence: what to do where no app is configured */
  readonly toSetUp: string;
}

/** Makers of a check's findings, one a level. */
export function findingsOf(check: string) {
  const make =
    (level: FindingLevel) =>
    (text: string, remedy?: string): Finding => ({ check, level, text, ...(remedy !== undefined && { remedy }) });
  return { ok: make("ok"), warning: make("warning"), fault: make("fault"), skipped: make("skipped") };
}

/** A check under its name: the name stands for it where it fails by itself. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<Finding | readonly Finding[]>;
}

/** Longer than any single request may take, shorter than anybody waits. */
const LIMIT_MS = 45_000;

/** Runs all checks at once and gives their findings in the order of the checks. One that fails takes none with it. */
export async function runChecks(checks: readonly Check[], limitMs = LIMIT_MS): Promise<readonly Finding[]> {
  const findings = await Promise.all(checks.map((check) => runOne(check, limitMs)));
  return findings.flat();
}

async function runOne({ name, run }: Check, limitMs: number): Promise<readonly Finding[]> {
  const { fault } = findingsOf(name);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(fault(`This took longer than ${limitMs / 1000} s and was given up.`)), limitMs);
  });
  try {
    return [await Promise.race([run(), late])].flat();
  } catch (error) {
    return [fault(`This could not be looked at: ${error instanceof Error ? error.message : String(error)}`)];
  } finally {
    clearTimeout(timer);
  }
}

/** The finding without `secrets`: others' words are quoted in it. */
export function withoutSecrets(finding: Finding, secrets: readonly string[]): Finding {
  const text = hideSecrets(finding.text, secrets);
  if (finding.remedy === undefined) return { ...finding, text };
  return { ...finding, text, remedy: hideSecrets(finding.remedy, secrets) };
}

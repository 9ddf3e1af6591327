import type { CliCommand, CliContext, CliInput, CliOption, CliResult } from "../cli-command.ts";
import type { Finding, FindingLevel } from "../findings.ts";
import { fitText } from "../terminal-text.ts";

/** What to check. */
export interface DoctorRequest {
  readonly repository?: { readonly owner: string; readonly name: string } | undefined;
  /** a working copy, to be looked at without an app */
  readonly folder?: string | undefined;
  /** only configuration and database */
  readonly offline: boolean;
  /** `none`: do not ask the model's provider; `free`: only free requests; `paid`: also one tiny call to each model */
  readonly model: "none" | "free" | "paid";
  /** the bot has not started yet: check neither it nor GitHub's deliveries to it */
  readonly beforeStart?: boolean;
}

const DOCTOR_OPTIONS = [
  {
    name: "repo",
    argument: "FOLDER",
    description: "look at a working copy, its settings and the model's key instead, without an app",
  },
  { name: "offline", description: "look at the configuration and the database only" },
  { name: "no-model", description: "do not ask the model's provider: no call that costs" },
  { name: "call", description: "also make one tiny paid call of each model, and say what it cost" },
  { name: "json", description: "the findings as JSON" },
] as const satisfies readonly CliOption[];

/** `magis doctor`: checks everything the bot needs and says what to do. `examine` never throws. */
export function createDoctorCommand(
  examine: (request: DoctorRequest, context: CliContext) => Promise<readonly Finding[]>,
): CliCommand<typeof DOCTOR_OPTIONS> {
  return {
    name: "doctor",
    waiting: "looking at everything at once",
    description: "check configuration, keys, app registration, webhook and database",
    operand: { name: "OWNER/REPO", description: "a repository to be looked at besides", required: false },
    examples: ["doctor", "doctor acme/shop --call", "doctor --repo ."],
    options: DOCTOR_OPTIONS,
    async run({ operand: repository, options }, context) {
      const [owner = "", name = "", ...rest] = repository?.split("/") ?? [];
      if (rest.length > 0 || (repository !== undefined && ![owner, name].every(isName))) {
        return { exitCode: 2, text: "Name one repository as OWNER/REPO: magis doctor OWNER/REPO" };
      }
      if (options.call && (options["no-model"] || options.offline)) {
        return { exitCode: 2, text: "--call asks the model, which --no-model and --offline forbid." };
      }
      if (options.repo !== undefined && repository !== undefined) {
        return { exitCode: 2, text: "--repo looks at a folder: leave OWNER/REPO out, or --repo." };
      }
      const request: DoctorRequest = {
        folder: options.repo,
        repository: repository === undefined ? undefined : { owner, name },
        offline: options.offline === true,
        model: modelExtent(options),
      };
      const findings = await examine(request, context);
      if (context.signal.aborted) return { exitCode: 130, text: "Cancelled." };
      return result(findings, options.json === true, context.columns);
    },
  };
}

function modelExtent(options: CliInput<typeof DOCTOR_OPTIONS>["options"]): DoctorRequest["model"] {
  if (options.call) return "paid";
  return options["no-model"] || options.offline ? "none" : "free";
}

function isName(text: string): boolean {
  return /^[\w.-]{1,100}$/.test(text);
}

/** Finding a fault is a result, not a failure of the command: the text goes to standard output either way. */
function result(findings: readonly Finding[], json: boolean, columns: number | undefined): CliResult {
  const exitCode = findings.some(({ level }) => level === "fault") ? 1 : 0;
  const output = json
    ? JSON.stringify({ ok: exitCode === 0, findings }, undefined, 2)
    : findingsText(findings, columns);
  return { exitCode, text: "", output: `${output}\n` };
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

import { createHash } from "node:crypto";
import { z } from "zod";
import type { IssueSnapshot } from "../../src/data/discussion.ts";
import { MagisError } from "../../src/data/error.ts";
import { createGlob } from "../../src/search/attribute-globs.ts";
import { LONGEST_PATCH } from "../../src/text/bounded.ts";
import type { Mirror, OpenMirror } from "../mirror.ts";

/** One instance of SWE-bench: an issue, the commit it was reported at, and the change that resolved it. */
export interface Instance {
  id: string;
  /** `owner/name` */
  repository: string;
  /** 40 hex digits */
  baseCommit: string;
  /** the issue: its first line is its title */
  problem: string;
  /** the discussion before the fix began; "" when there was none */
  hints: string;
  /** the reference change; "" when the issue needs none */
  patch: string;
  testPatch: string;
  failToPass: readonly string[];
  passToPass: readonly string[];
  /** "" when it is not given */
  createdAt: string;
  version: string;
  /** the command that checks its change, for `--check`; not part of SWE-bench */
  check?: string | undefined;
}

const text = z.string().nullish();

const diff = z.string().max(LONGEST_PATCH, "is too long to be read").nullish();

/** Names of tests: a list, or, as SWE-bench's data set has it, a list written as JSON in a string. */
const tests = z.union([z.array(z.string()), z.string(), z.null(), z.undefined()]).transform((value, context) => {
  if (typeof value !== "string") return value ?? [];
  if (value.trim() === "") return [];
  try {
    return z.array(z.string()).parse(JSON.parse(value));
  } catch {
    context.addIssue({ code: "custom", message: "is neither a list of tests nor one written as JSON" });
    return z.NEVER;
  }
});

const shape = z.object({
  instance_id: z.string().regex(/^[\w.+-]{1,200}$/, "must be letters, digits, `.`, `_`, `-` and `+`"),
  repo: z.string().regex(/^\w[\w.-]{0,99}\/\w[\w.-]{0,99}$/, "must be owner/name"),
  base_commit: z.string().regex(/^[\da-f]{40}$/i, "must be a commit's 40 hex digits"),
  problem_statement: z.string().regex(/\S/, "is empty"),
  hints_text: text,
  patch: diff,
  test_patch: diff,
  created_at: text,
  version: text,
  check: text,
  FAIL_TO_PASS: tests.optional(),
  PASS_TO_PASS: tests.optional(),
});

/** Instances in the file's order, or a sentence for each fault. */
export type ParsedInstances = { instances: readonly Instance[] } | { faults: readonly string[] };

/**
 * Reads SWE-bench instances: JSON lines, a JSON list, or a JSON object (of one instance, or of instances by id).
 * Ignores unknown fields. Faults name the line (or the place in the list) and the field.
 */
export function parseInstances(source: string): ParsedInstances {
  const rows = rowsOf(source.replace(/^\uFEFF/, ""));
  if ("faults" in rows) return rows;
  const faults: string[] = [];
  const instances = new Map<string, Instance>();
  for (const { place, value } of rows.rows) {
    const { data, error } = shape.safeParse(value);
    for (const { path, message } of error?.issues ?? []) {
      const words = path.length > 0 ? `${path.join(".")} ${missing(value, path[0]) ?? message}` : message;
      faults.push(`${place}: ${words}.`);
    }
    if (!data) continue;
    if (data.instance_id.startsWith(".")) faults.push(`${place}: instance_id must not begin with a dot.`);
    if (instances.has(data.instance_id)) faults.push(`${place}: instance_id ${data.instance_id} stands there twice.`);
    instances.set(data.instance_id, toInstance(data));
  }
  if (faults.length === 0 && instances.size === 0) faults.push("It holds no instance.");
  return faults.length > 0 ? { faults } : { instances: [...instances.values()] };
}

interface Row {
  place: string;
  value: unknown;
}

function rowsOf(source: string): { rows: readonly Row[] } | { faults: readonly string[] } {
  const whole = parsed(source);
  if (whole !== undefined) return { rows: rowsOfDocument(whole.value) };
  const rows: Row[] = [];
  const faults: string[] = [];
  for (const [index, line] of source.split("\n").entries()) {
    if (line.trim() === "") continue;
    const value = parsed(line);
    if (value === undefined) faults.push(`line ${index + 1}: it is not JSON.`);
    else rows.push({ place: `line ${index + 1}`, value: value.value });
  }
  return faults.length > 0 ? { faults: faults.slice(0, 10) } : { rows };
}

function rowsOfDocument(value: unknown): readonly Row[] {
  if (Array.isArray(value)) return value.map((one, index) => ({ place: `instance ${index + 1}`, value: one }));
  if (value === null || typeof value !== "object" || "instance_id" in value) return [{ place: "line 1", value }];
  return Object.entries(value).map(([id, one]) => ({
    place: `instance ${id}`,
    value: one !== null && typeof one === "object" ? { instance_id: id, ...one } : one,
  }));
}

function parsed(source: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(source) };
  } catch {
    return undefined;
  }
}

function missing(value: unknown, field: PropertyKey | undefined): string | undefined {
  const present = value !== null && typeof value === "object" && field !== undefined && field in value;
  return present ? undefined : "is missing";
}

function toInstance(data: z.output<typeof shape>): Instance {
  return {
    id: data.instance_id,
    repository: data.repo,
    baseCommit: data.base_commit.toLowerCase(),
    problem: data.problem_statement,
    hints: data.hints_text ?? "",
    patch: data.patch ?? "",
    testPatch: data.test_patch ?? "",
    failToPass: data.FAIL_TO_PASS ?? [],
    passToPass: data.PASS_TO_PASS ?? [],
    check: data.check?.trim() || undefined,
    createdAt: data.created_at ?? "",
    version: data.version ?? "",
  };
}

/** Which instances are evaluated. */
export interface InstanceSelection {
  /** file of SWE-bench instances */
  file?: string | undefined;
  /** ids and globs, separated by commas */
  filter?: string | undefined;
  limit?: number | undefined;
}

/**
 * The instances that `filter` names, in their order, `limit` at most. `filter` is a list of ids and globs separated by
 * commas; `*` and `?` stand for any letters and for one.
 */
export function selectInstances(
  instances: readonly Instance[],
  { filter, limit }: Pick<InstanceSelection, "filter" | "limit">,
): readonly Instance[] {
  const globs = filter?.split(",").map((glob) => createGlob(glob.trim()));
  const steps = { left: MAX_STEPS };
  return instances.filter(({ id }) => globs?.some((fits) => fits(id, steps)) ?? true).slice(0, limit);
}

/** Comparing globs with ids: about a second. */
const MAX_STEPS = 100_000_000;

/**
 * Finds the mirrors of the instances' repositories, before anything is paid for. Throws CONFIGURATION_INVALID with a
 * sentence for each instance whose repository or base commit is missing.
 */
export async function checkInstances(
  instances: readonly Instance[],
  openMirror: OpenMirror,
): Promise<ReadonlyMap<string, Mirror>> {
  const mirrors = new Map<string, Mirror>();
  const faults: string[] = [];
  for (const { id, repository, baseCommit } of instances) {
    const mirror = mirrors.get(repository) ?? (await openMirror(repository));
    if (!mirror) {
      faults.push(`${id}: --mirrors has no git repository for ${repository}.`);
      continue;
    }
    mirrors.set(repository, mirror);
    if (await mirror.hasCommit(baseCommit)) continue;
    faults.push(`${id}: the mirror ${mirror.folder} has no commit ${baseCommit}: fetch it first.`);
  }
  if (faults.length === 0) return mirrors;
  throw new MagisError("CONFIGURATION_INVALID", faults.join("\n"), { faults });
}

/** SHA-256 of what an instance asks for and how it is measured. */
export function digestOf({ repository, baseCommit, problem, hints, patch }: Instance): string {
  return createHash("sha256")
    .update(JSON.stringify([repository, baseCommit, problem, hints, patch]))
    .digest("hex");
}

const MAX_TITLE_LENGTH = 256;

/** An instance's issue: its text's first line is the title; its hints are the discussion, unless hints are left out. */
export function issueOfInstance({ problem, hints, repository }: Instance, withHints: boolean): IssueSnapshot {
  const [first = "", ...rest] = problem.trim().split("\n");
  const title = first.replace(/^#+\s*/, "").trim();
  const discussion = withHints && hints.trim() !== "" ? [{ author: "contributor", body: hints.trim() }] : [];
  return {
    number: 0,
    title: title.slice(0, MAX_TITLE_LENGTH),
    author: "reporter",
    url: `https://github.com/${repository}`,
    body: title.length > MAX_TITLE_LENGTH ? problem.trim() : rest.join("\n").trim(),
    discussion,
    hint: "",
  };
}

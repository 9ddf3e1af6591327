import type { Role } from "../state.ts";

export interface RequiredAccess {
  /** The app permissions of which one suffices, and the level. */
  permissions: string[];
  level: "read" | "write";
  /** The lowest sufficient role of a user. */
  role: Role;
}

type Rule = [methods: RegExp, path: RegExp, permissions: string[], role: Role];

const TALK = ["issues", "pull_requests"];
/** Writes, by path below the repository, as documented for each operation; the first match counts. */
const WRITES: Rule[] = [
  [/POST/, /^\/issues$/, ["issues"], "read"],
  [/PATCH/, /^\/issues\/\d+$/, TALK, "read"],
  [/./, /^\/issues\/(comments\/)?\d+\/(comments|reactions)/, TALK, "read"],
  [/./, /^\/issues\/comments\/\d+$/, TALK, "read"],
  [/./, /^\/issues\/\d+\/(labels|assignees)/, TALK, "triage"],
  [/./, /^\/issues\/\d+\/lock$/, TALK, "write"],
  [/./, /^\/labels/, TALK, "write"],
  [/PUT/, /^\/pulls\/\d+\/merge$/, ["contents"], "write"],
  [/POST|DELETE/, /^\/pulls\/\d+\/requested_reviewers$/, ["pull_requests"], "triage"],
  [/./, /^\/pulls/, ["pull_requests"], "read"],
  [/./, /^\/(git|contents|branches)\b/, ["contents"], "write"],
  [/./, /^\/check-(runs|suites)/, ["checks"], "none"],
  [/POST/, /^\/statuses\//, ["statuses"], "write"],
];
const READS: [path: RegExp, permissions: string[]][] = [
  [/^\/(issues|labels)/, TALK],
  [/^\/pulls/, ["pull_requests"]],
  [/^\/(commits\/.+\/check-|check-)/, ["checks"]],
  [/^\/commits\/.+\/status(es)?$/, ["statuses"]],
  [/^\/(git|contents|branches|commits|compare)\b/, ["contents"]],
  [/^\/actions/, ["actions"]],
];

/** The access that a request below `/repos/{owner}/{repo}` needs. `rest` is the path after the repository's name. */
export function requiredAccess(method: string, rest: string): RequiredAccess {
  if (method === "GET" || method === "HEAD") {
    const permissions = READS.find(([path]) => path.test(rest))?.[1] ?? ["metadata"];
    return { permissions, level: "read", role: "read" };
  }
  const found = WRITES.find(([methods, path]) => methods.test(method) && path.test(rest));
  return { permissions: found?.[2] ?? ["administration"], level: "write", role: found?.[3] ?? "admin" };
}

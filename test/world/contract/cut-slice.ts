/**
 * Cuts the two committed slices out of GitHub's published descriptions:
 *
 *     npm pack @octokit/openapi@23.0.2 @octokit/openapi-webhooks@12.1.0     in a folder outside the project, then unpack
 *     node cut-slice.ts <openapi>/generated/api.github.com.json <openapi-webhooks>/generated/api.github.com.json
 *
 * (Node 24 runs this file directly.) The packages are far too large to depend on; both are MIT licensed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { listed } from "../../../src/text/patterns.ts";
import { projectRoot } from "../project-root.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Doc = { [key: string]: Json };

const R = "/repos/{owner}/{repo}";
const OPERATIONS: Record<string, string> = {
  "/app": "get",
  "/app/installations": "get",
  "/app/installations/{installation_id}": "get",
  "/app/installations/{installation_id}/access_tokens": "post",
  "/installation/repositories": "get",
  "/installation/token": "delete",
  "/markdown": "post",
  "/user": "get",
  "/user/installations": "get",
  "/user/installations/{installation_id}/repositories": "get",
  "/users/{username}": "get",
  [R]: "get",
  [`${R}/actions/artifacts/{artifact_id}/{archive_format}`]: "get",
  [`${R}/actions/jobs/{job_id}`]: "get",
  [`${R}/actions/jobs/{job_id}/logs`]: "get",
  [`${R}/actions/runs`]: "get",
  [`${R}/actions/runs/{run_id}/artifacts`]: "get",
  [`${R}/check-runs`]: "post",
  [`${R}/check-runs/{check_run_id}`]: "patch",
  [`${R}/check-runs/{check_run_id}/annotations`]: "get",
  [`${R}/collaborators/{username}/permission`]: "get",
  [`${R}/commits/{ref}/check-runs`]: "get",
  [`${R}/commits/{ref}/check-suites`]: "get",
  [`${R}/commits/{ref}/status`]: "get",
  [`${R}/compare/{basehead}`]: "get",
  [`${R}/contents/{path}`]: "get",
  [`${R}/git/blobs`]: "post",
  [`${R}/git/blobs/{file_sha}`]: "get",
  [`${R}/git/commits`]: "post",
  [`${R}/git/commits/{commit_sha}`]: "get",
  [`${R}/git/ref/{ref}`]: "get",
  [`${R}/git/refs`]: "post",
  [`${R}/git/refs/{ref}`]: "patch delete",
  [`${R}/git/trees`]: "post",
  [`${R}/git/trees/{tree_sha}`]: "get",
  [`${R}/installation`]: "get",
  [`${R}/issues`]: "post",
  [`${R}/issues/comments/{comment_id}`]: "get patch delete",
  [`${R}/issues/comments/{comment_id}/reactions`]: "post",
  [`${R}/issues/{issue_number}`]: "get patch",
  [`${R}/issues/{issue_number}/assignees`]: "post delete",
  [`${R}/issues/{issue_number}/comments`]: "get post",
  [`${R}/issues/{issue_number}/labels`]: "get post put delete",
  [`${R}/issues/{issue_number}/labels/{name}`]: "delete",
  [`${R}/issues/{issue_number}/lock`]: "put delete",
  [`${R}/issues/{issue_number}/parent`]: "get",
  [`${R}/issues/{issue_number}/reactions`]: "post",
  [`${R}/issues/{issue_number}/sub_issues`]: "get",
  [`${R}/labels`]: "get post",
  [`${R}/labels/{name}`]: "get patch delete",
  [`${R}/pulls`]: "get post",
  [`${R}/pulls/{pull_number}`]: "get patch",
  [`${R}/pulls/{pull_number}/comments`]: "post",
  [`${R}/pulls/{pull_number}/commits`]: "get",
  [`${R}/pulls/{pull_number}/files`]: "get",
  [`${R}/pulls/{pull_number}/merge`]: "put",
  [`${R}/pulls/{pull_number}/reviews`]: "get post",
};
const EVENTS = listed(
  "^",
  `issues-(opened|edited|closed|reopened|labeled|unlabeled|assigned|unassigned|locked|unlocked|deleted)
  issue-comment-.*
  pull-request-(opened|edited|closed|reopened|synchronize|labeled|unlabeled|assigned|unassigned)
  pull-request-(converted-to-draft|ready-for-review|review-requested)
  pull-request-(review-(submitted|edited|dismissed)|review-comment-.*|review-thread-.*)
  push check-(run|suite)-.* status github-app-authorization-revoked
  installation-(created|deleted|suspend|unsuspend) installation-repositories-.*`,
  "$",
);

const PROSE = new Set([
  "description",
  "summary",
  "example",
  "examples",
  "externalDocs",
  "title",
  "tags",
  "operationId",
]);
/** Keys whose children are names: there "title" or "description" is a property of GitHub's and must stay. */
const NAMED = new Set(["properties", "patternProperties", "schemas", "parameters", "responses", "content", "headers"]);

function strip(node: Json, named = false): Json {
  if (Array.isArray(node)) return node.map((item) => strip(item));
  if (node === null || typeof node !== "object") return node;
  const kept = Object.entries(node).filter(([key]) => named || !(PROSE.has(key) || key.startsWith("x-")));
  return Object.fromEntries(kept.map(([key, value]) => [key, strip(value, !named && NAMED.has(key))]));
}

function at(doc: Doc, pointer: string[]): Json | undefined {
  let node: Json | undefined = doc;
  for (const key of pointer) node = node && typeof node === "object" && !Array.isArray(node) ? node[key] : undefined;
  return node;
}

/** Adds everything that `node` refers to to `out.components`. */
function collect(node: Json, full: Doc, out: Doc): void {
  if (node === null || typeof node !== "object") return;
  const ref = Array.isArray(node) ? undefined : node.$ref;
  if (typeof ref === "string" && ref.startsWith("#/components/")) {
    const [, , kind = "", name = ""] = ref.split("/");
    const components = out.components as { [kind: string]: Doc };
    components[kind] ??= {};
    if (components[kind][name] === undefined) {
      const found = strip(at(full, ["components", kind, name]) ?? {});
      components[kind][name] = found;
      collect(found, full, out);
    }
  }
  for (const child of Object.values(node)) collect(child, full, out);
}

/** Moves larger subtrees that occur more than once into `components.schemas`, in place. */
function share(doc: Doc): void {
  const seen = new Map<string, number>();
  const texts = new Map<object, string>();
  const count = (node: Json): void => {
    if (node === null || typeof node !== "object") return;
    const text = JSON.stringify(node);
    texts.set(node, text);
    if (text.length > 200 && !Array.isArray(node)) seen.set(text, (seen.get(text) ?? 0) + 1);
    for (const child of Object.values(node)) count(child);
  };
  count(doc);
  const names = new Map<string, string>();
  const shared: Doc = {};
  const replace = (node: Json, schema: boolean): Json => {
    if (node === null || typeof node !== "object") return node;
    if (Array.isArray(node)) return node.map((item) => replace(item, schema));
    const text = texts.get(node) ?? "";
    const inner = (): Doc =>
      Object.fromEntries(Object.entries(node).map(([k, v]) => [k, replace(v, k !== "properties" && k !== "content")]));
    if (!schema || (seen.get(text) ?? 0) < 2 || node.type === undefined) return inner();
    let name = names.get(text);
    if (name === undefined) {
      name = `shared-${names.size}`;
      names.set(text, name);
      shared[name] = inner();
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  for (const key of Object.keys(doc)) doc[key] = replace(doc[key] ?? null, true);
  Object.assign((doc.components as { schemas: Doc }).schemas, shared);
}

function cut(full: Doc, part: "paths" | "webhooks", wanted: (name: string) => string[]): Doc {
  const version = at(full, ["info", "version"]) ?? null;
  const out: Doc = { version, [part]: {}, components: { schemas: {} } };
  for (const [name, methods] of Object.entries(full[part] as Doc)) {
    const kept: Doc = {};
    for (const method of wanted(name)) {
      const operation = strip(at(methods as Doc, [method]) ?? null) as Doc | null;
      if (operation === null) throw new Error(`not in the description: ${method} ${name}`);
      kept[method] = part === "webhooks" ? { requestBody: operation.requestBody ?? null } : operation;
    }
    if (Object.keys(kept).length > 0) (out[part] as Doc)[name] = kept;
  }
  collect(out[part] ?? null, full, out);
  share(out);
  return out;
}

const [restFile, webhooksFile] = process.argv.slice(2);
if (restFile === undefined || webhooksFile === undefined)
  throw new Error("usage: cut-slice.ts <rest.json> <webhooks.json>");
const here = join(projectRoot(), "test/world/contract");
const rest = cut(JSON.parse(readFileSync(restFile, "utf8")) as Doc, "paths", (p) => OPERATIONS[p]?.split(" ") ?? []);
const missing = Object.keys(OPERATIONS).filter((path) => at(rest, ["paths", path]) === undefined);
if (!isDeepStrictEqual(missing, [])) throw new Error(`not in the description: ${missing.join(", ")}`);
const webhooks = cut(JSON.parse(readFileSync(webhooksFile, "utf8")) as Doc, "webhooks", (n) =>
  EVENTS.test(n) ? ["post"] : [],
);
writeFileSync(join(here, "rest.json"), `${JSON.stringify(rest)}\n`);
writeFileSync(join(here, "webhooks.json"), `${JSON.stringify(webhooks)}\n`);

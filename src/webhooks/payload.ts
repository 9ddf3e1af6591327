import { z } from "zod";
import type { Delivery } from "../data/run-request.ts";

// Owner, name and login become parts of keys, addresses and queries, so check their alphabet and not only their type.
const slug = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,100}$/);

const login = z.string().regex(/^[\w.-]{1,100}(\[bot\])?$/);

const sha = z.string().regex(/^[0-9a-f]{40}$/);

const time = z.iso.datetime({ offset: true });

const installation = z.object({ id: z.int().positive() });

/** The sender and the repository, in every payload. */
export const origin = z.object({
  installation,
  repository: z.object({ id: z.int().positive().optional(), name: slug, owner: z.object({ login: slug }) }),
  sender: z.object({ login, type: z.string() }),
});

const common = origin.extend({
  issue: z.object({
    number: z.int().positive(),
    title: z.string().optional(),
    body: z.string().nullish(),
    state: z.string(),
    locked: z.boolean().optional(),
    updated_at: time,
    pull_request: z.unknown().optional(),
    user: z.object({ type: z.string(), login: z.string().optional() }).nullish(),
  }),
});

/** The fields used of `issues.labeled` and `issues.unlabeled` payloads. */
export const labelPayload = common.extend({
  action: z.enum(["labeled", "unlabeled"]),
  label: z.object({ name: z.string().min(1) }),
});

/** The fields used of `issues.closed`, `locked`, `transferred` and `deleted` payloads. */
export const issueGonePayload = common.extend({ action: z.enum(["closed", "locked", "transferred", "deleted"]) });

/** The fields used of `pull_request.closed` and `pull_request.locked` payloads. */
export const pullGonePayload = origin.extend({
  action: z.enum(["closed", "locked"]),
  pull_request: z.object({
    number: z.int().positive(),
    merged: z.boolean().nullish(),
    body: z.string().nullish(),
    updated_at: time,
    merge_commit_sha: sha.nullish(),
    user: z.object({ type: z.string(), login: z.string().optional() }).nullish(),
    head: z.object({ ref: z.string() }),
  }),
});

/** The fields used of an `issue_comment.created` payload. */
export const commentPayload = common.extend({
  action: z.literal("created"),
  comment: z.object({ id: z.int().positive(), body: z.string(), created_at: time }),
});

/** The fields used of `pull_request_review.submitted` and `pull_request_review_comment.created` payloads. */
export const reviewPayload = origin.extend({
  action: z.enum(["submitted", "created"]),
  review: z.object({ id: z.int().positive() }).optional(),
  comment: z.object({ id: z.int().positive() }).optional(),
  pull_request: z.object({
    number: z.int().positive(),
    state: z.string(),
    updated_at: time,
    user: z.object({ type: z.string(), login: z.string().optional() }).nullish(),
    head: z.object({ ref: z.string() }),
  }),
});

/** The fields used of `check_run.completed` and `check_suite.completed` payloads. */
export const checkPayload = origin.extend({
  action: z.literal("completed"),
  check_run: z
    .object({
      head_sha: sha,
      completed_at: time.nullish(),
      check_suite: z.object({ head_branch: z.string().nullish(), status: z.string().nullish() }).nullish(),
    })
    .optional(),
  check_suite: z.object({ head_sha: sha, head_branch: z.string().nullish(), updated_at: time.nullish() }).optional(),
});

/** The fields used of a `push` payload. */
export const pushPayload = origin.extend({
  ref: z.string(),
  after: sha,
  deleted: z.boolean(),
  commits: z.array(z.object({ id: sha, message: z.string() })).default([]),
  repository: origin.shape.repository.extend({
    pushed_at: z.union([z.int().positive(), time]),
    default_branch: z.string().optional(),
  }),
});

/** The fields used of a `status` payload. */
export const statusPayload = origin.extend({
  sha,
  state: z.string(),
  updated_at: time,
  branches: z.array(z.object({ name: z.string() })),
});

/** The fields used of an `installation.deleted` or `installation.suspend` payload. */
export const uninstalledPayload = z.object({ action: z.enum(["deleted", "suspend"]), installation });

/** The fields used of an `installation_repositories.removed` payload. */
export const removedRepositoriesPayload = z.object({
  action: z.literal("removed"),
  installation,
  repositories_removed: z.array(
    z.object({ id: z.int().positive().optional(), full_name: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/) }),
  ),
});

/** A webhook as received; its signature is right, but the payload is otherwise untrusted. */
export interface Webhook {
  /** X-GitHub-Delivery */
  id: string;
  /** X-GitHub-Event */
  name: string;
  payload: unknown;
}

export type ParsedDelivery = { delivery: Delivery } | { ignored: string };

/** Names the fields of a payload that are not as expected, without their values, which are untrusted. */
export function describePayloadFault(error: z.ZodError): string {
  const fields = error.issues.map((issue) => issue.path.join("."));
  return `The payload is not of use here: ${fields.join(", ")}.`;
}

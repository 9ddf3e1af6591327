import { z } from "zod";

// Owner, name and login end up in keys, addresses and queries, so their alphabet is checked and not only their type.
const slug = z.string().regex(/^(?!\.{1,2}$)[\w.-]{1,100}$/);
const login = z.string().regex(/^[\w.-]{1,100}(\[bot\])?$/);
const time = z.iso.datetime({ offset: true });

const installation = z.object({ id: z.int().positive() });

const common = z.object({
  installation,
  repository: z.object({ name: slug, owner: z.object({ login: slug }) }),
  sender: z.object({ login, type: z.string() }),
  issue: z.object({
    number: z.int().positive(),
    title: z.string().optional(),
    body: z.string().nullish(),
    state: z.string(),
    locked: z.boolean().optional(),
    updated_at: time,
    pull_request: z.unknown().optional(),
  }),
});

/** The fields used of an `issues.labeled` payload. */
export const labeledPayload = common.extend({
  action: z.literal("labeled"),
  label: z.object({ name: z.string().min(1) }),
});

/** The fields used of an `issue_comment.created` payload. */
export const commentPayload = common.extend({
  action: z.literal("created"),
  comment: z.object({ id: z.int().positive(), body: z.string(), created_at: time }),
});

/** The fields used of an `installation.deleted` payload. */
export const uninstalledPayload = z.object({ action: z.literal("deleted"), installation });

/** The fields used of an `installation_repositories.removed` payload. */
export const removedRepositoriesPayload = z.object({
  action: z.literal("removed"),
  installation,
  repositories_removed: z.array(z.object({ full_name: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/) })),
});

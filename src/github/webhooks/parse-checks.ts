import { OWN_BRANCH } from "../../model/own-branch.ts";
import { deliveryBase } from "./delivery-base.ts";
import { describePayloadFault } from "./describe-payload-fault.ts";
import { checkPayload, statusPayload } from "./payload-shapes.ts";
import type { ParsedDelivery, Webhook } from "./webhook.ts";

/** A check run, check suite or commit status has ended on a commit of one of the bot's branches. */
export function parseChecks({ id, name, payload }: Webhook): ParsedDelivery {
  const shape = name === "status" ? statusPayload : checkPayload;
  const { data, error } = shape.safeParse(payload);
  if (!data) return { ignored: describePayloadFault(error) };
  const ended = "sha" in data ? fromStatus(data) : fromCheck(data);
  const issue = OWN_BRANCH.exec(ended?.branch ?? "")?.[1];
  if (!ended || issue === undefined) return { ignored: "No check of the bot's branches has ended." };
  const trigger = { kind: "checks", head: ended.head, branch: ended.branch } as const;
  return { delivery: { ...deliveryBase(id, data), issue: Number(issue), trigger, at: ended.at } };
}

interface Ended {
  readonly head: string;
  readonly branch: string;
  readonly at: string;
}

type Status = ReturnType<typeof statusPayload.parse>;
type Check = ReturnType<typeof checkPayload.parse>;

function fromStatus({ sha, state, updated_at: at, branches }: Status): Ended | undefined {
  const branch = branches.find((one) => OWN_BRANCH.test(one.name))?.name;
  return branch === undefined || state === "pending" ? undefined : { head: sha, branch, at };
}

function fromCheck({ check_run: run, check_suite: suite }: Check): Ended | undefined {
  const head = run?.head_sha ?? suite?.head_sha;
  const branch = run?.check_suite?.head_branch ?? suite?.head_branch;
  const at = run?.completed_at ?? suite?.updated_at ?? new Date(0).toISOString();
  return head === undefined || !branch ? undefined : { head, branch, at };
}

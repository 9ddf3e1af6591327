import type { Delivery } from "../model/delivery.ts";
import type { CodeHost } from "../ports/code-host.ts";
import type { HostIssue } from "../ports/issue-api.ts";

/** The part of the host that admission needs. */
export type AdmissionHost = Pick<
  CodeHost,
  | "login"
  | "permissionOf"
  | "readIssue"
  | "listComments"
  | "findOwnPullRequests"
  | "findOwnComment"
  | "createComment"
  | "react"
>;

export interface GuardContext {
  readonly delivery: Delivery;
  readonly host: AdmissionHost;
  /** logins of bots that may ask */
  readonly allowedBots: readonly string[];
  /** the issue as the host has it now, read once for all guards; undefined when it is gone */
  readonly readIssue: () => Promise<HostIssue | undefined>;
}

/** Why nothing is started, and what is answered on GitHub, if anything. */
export interface Refusal {
  /** a sentence for the log */
  readonly reason: string;
  /** a reaction `confused` on the comment that asked */
  readonly confused?: boolean;
  /** a comment, made once: `marker` is part of `body` */
  readonly comment?: { readonly marker: string; readonly body: string };
}

/** Errors of the host go through. */
export type Guard = (context: GuardContext) => Promise<Refusal | undefined>;

import type { HostedIssue } from "./resolve-args.ts";

const SHORT = /^([\w.-]{1,100})\/([\w.-]{1,100})#([1-9]\d{0,11})$/;
const PATH = /^\/([\w.-]{1,100})\/([\w.-]{1,100})\/issues\/([1-9]\d{0,11})\/?$/;

/** The issue that `OWNER/REPO#N`, or the address of its page, names; undefined when it names none. */
export function parseIssueName(name: string): HostedIssue | undefined {
  const short = SHORT.exec(name);
  if (short) return issueOf(short);
  const url = URL.canParse(name) ? new URL(name) : undefined;
  const long = url && /^https?:$/.test(url.protocol) ? PATH.exec(url.pathname) : undefined;
  return url && long ? { ...issueOf(long), origin: url.origin } : undefined;
}

function issueOf([, owner = "", name = "", number = ""]: RegExpExecArray): HostedIssue {
  return { kind: "hosted", owner, name, number: Number(number) };
}

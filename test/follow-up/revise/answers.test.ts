import { expect, it } from "@jest/globals";
import type { OpenThread } from "../../../src/data/discussion.ts";
import { giveAnswers } from "../../../src/follow-up/revise/answers.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";

/** Answers twice, as after a crash, in a QA Engineer's thread to which a person has replied. */
async function answered(settled: boolean, { qaComment, since }: { qaComment?: string; since?: "ana" | "bot" }) {
  const { host, state } = createFakeHost({});
  const said = (author: string, body: string) => ({ id: state.next(), author, byBot: false, body, createdAt: "" });
  const first = said(host.login, "Spell it out.");
  const asked = said("ana", "Yes, please.");
  const later = since && said(since === "bot" ? host.login : since, "Once more.");
  const comments = [first, asked, ...(later ? [later] : [])];
  const thread = { id: "t", pullRequest: 9, path: "a.txt", line: 1, resolved: false, comments };
  state.threads.push(thread);
  const source = `thread-${asked.id}`;
  const open = { id: "th1", source, author: "ana", thread: "t", path: "a.txt", qaComment } as OpenThread;
  const threads = [{ thread: open, answer: { source, developer: "", reply: "Done.", settled } }];
  for (let times = 0; times < 2; times++) await giveAnswers(host, 9, { threads, comments: [] }, undefined);
  return { replies: comments.filter(({ body }) => body.includes("Done.")).length, resolved: thread.resolved };
}

const QA = { qaComment: "Spell it out." };

it.each([
  ["resolves a QA Engineer's thread once that is settled", true, QA, true],
  ["also where the bot itself has written since", true, { ...QA, since: "bot" }, true],
  ["not where somebody else has", true, { ...QA, since: "ana" }, false],
  ["not before it is settled", false, QA, false],
  ["no person's thread", true, {}, false],
] as const)("an answer, given once, %s", async (_what, settled, how, resolved) => {
  expect(await answered(settled, how)).toEqual({ replies: 1, resolved });
});

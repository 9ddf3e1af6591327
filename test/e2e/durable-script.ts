import { expect } from "@jest/globals";
import type { Call } from "../scripted-model/script.ts";
import { createScript } from "../scripted-model/script.ts";
import type { Ending, Scene } from "./start-scene.ts";

export const DURABLE_FILES = {
  "greet.txt": "helo\nworld\nend\n",
  ".github/pull_request_template.md": "## Checklist\n",
};

/** Two rounds of greet.txt. */
export const GREET = {
  rounds: [
    { edits: [{ start: 1, end: 1, text: "Helo" }], comments: [{ line: 1, body: "It is Hello." }] },
    { edits: [{ start: 1, end: 1, text: "Hello" }] },
  ],
};

/**
 * One task of two rounds: the run posts a review with one thread, replies and resolves it. When the issue says
 * "look around", the agents use tools before they answer.
 */
export function durableScript() {
  const read = { name: "read", input: { places: [{ path: "greet.txt" }] } };
  return createScript({
    files: { "greet.txt": GREET },
    answers: {
      "p04-plan-work": looking([{ name: "search", input: { pattern: "^hel+o$" } }, read]),
      "p09-change-file": looking([read]),
      "p11-review-work": looking([{ name: "search", input: { pattern: "Helo" } }]),
    },
  });
}

function looking(tools: readonly { name: string; input: Readonly<Record<string, unknown>> }[]) {
  return ({ text, looked }: Call) => (text.includes("look around)") && looked.length === 0 ? { tools } : undefined);
}

/**
 * Expects an interrupted run to have made everything once: one tracking comment, branch, pull request and review, each
 * thread and reply once, no staging ref; and to have repeated no finished model call since the journal's entry `from`.
 * `held` are the prompts of calls that were cut off, which it may repeat.
 */
export async function expectMadeOnce(
  scene: Scene,
  ending: Ending,
  from: number,
  held: readonly string[],
): Promise<void> {
  await expectPublishedOnce(scene, ending);
  expect(madeAgain(scene, from)).toEqual(held);
}

/** The prompts of identical calls that were made a second time since the journal's entry `from`. */
export function madeAgain({ model }: Scene, from: number): readonly (string | undefined)[] {
  const texts = model.journal.slice(from).map(({ body }) => JSON.stringify(body));
  const again = model.journal.slice(from).filter((_entry, at) => texts.indexOf(texts[at] ?? "") < at);
  return again.map(({ call }) => call?.promptId);
}

/** The part of `expectMadeOnce` that looks at GitHub, for `repository` of acme. */
export async function expectPublishedOnce(scene: Scene, ending: Ending, repository = "shop"): Promise<void> {
  const { world } = scene;
  const { issue, pull, comment } = ending;
  const name = `acme/${repository}`;
  expect(pull?.state).toBe("open");
  expect(comment.body).toContain(`### MAGIS opened pull request #${pull?.number}`);
  expect(comment.body).toContain("It was interrupted once and went on where it had stopped.");
  expect(await scene.comments(issue, name)).toHaveLength(1);

  const head = `magis/issue-${issue}-`;
  expect((await world.pullRequests(name)).filter(({ head: { ref } }) => ref.startsWith(head))).toHaveLength(1);
  const listed = ["for-each-ref", "--format=%(refname)", `refs/heads/${head}*`, "refs/magis"];
  expect(await world.gitIn(name, ...listed)).toBe(`refs/heads/${pull?.head.ref}`);
  expect(await world.gitIn(name, "rev-list", "--count", `main..${pull?.head.sha}`)).toBe("1");

  const number = pull?.number ?? 0;
  const reviews = world.reviews(number, name).filter(({ body }) => body.includes("magis:review"));
  expect(reviews).toHaveLength(1);
  const threads = world.threads(number, name);
  expect(threads.map(({ resolved, comments }) => [resolved, comments.length])).toEqual([[true, 2]]);
}

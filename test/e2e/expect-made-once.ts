import { expect } from "@jest/globals";
import type { Ending, Scene } from "./start-scene.ts";

/**
 * Holds that a run which was stopped on its way left everything once: one tracking comment, branch, pull request and
 * review, each thread and reply once, no staging ref; and that no finished model call since the entry at `from` was
 * made again. `held` are the prompts of calls that were cut off, and so may have been.
 */
export async function expectMadeOnce(
  scene: Scene,
  ending: Ending,
  from: number,
  held: readonly string[],
): Promise<void> {
  const { world, model } = scene;
  const { issue, pull, comment } = ending;
  expect(pull?.state).toBe("open");
  expect(comment.body).toContain(`### MAGIS opened pull request #${pull?.number}`);
  expect(comment.body).toContain("The process was stopped once and took the run up again where it was.");
  expect(await scene.comments(issue)).toHaveLength(1);

  const head = `magis/issue-${issue}-`;
  expect((await world.pullRequests()).filter(({ head: { ref } }) => ref.startsWith(head))).toHaveLength(1);
  const refs = await world.git("for-each-ref", "--format=%(refname)", `refs/heads/${head}*`, "refs/magis");
  expect(refs).toBe(`refs/heads/${pull?.head.ref}`);
  expect(await world.git("rev-list", "--count", `main..${pull?.head.sha}`)).toBe("1");

  const number = pull?.number ?? 0;
  const reviews = world.reviews(number).filter(({ body }) => body.includes("magis:review"));
  expect(reviews).toHaveLength(1);
  const threads = world.threads(number);
  expect(threads.map(({ resolved, comments }) => [resolved, comments.length])).toEqual([[true, 2]]);

  const texts = model.journal.slice(from).map(({ body }) => JSON.stringify(body));
  const again = model.journal.slice(from).filter(({ body }, at) => texts.indexOf(JSON.stringify(body)) < at);
  expect(again.map(({ call }) => call?.promptId)).toEqual(held);
}

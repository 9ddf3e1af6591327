import type { IssueComment } from "../world/create-reader.ts";
import type { Scene } from "./start-scene.ts";

/** Waits for the bot's answer to the command in a comment; fails when there are two. */
export async function answerTo(scene: Scene, issue: number, comment: number): Promise<IssueComment> {
  const answers = async () =>
    (await scene.comments(issue)).filter(({ body }) => body.startsWith(`<!-- magis:order ${comment} -->`));
  const found = await scene.world.until(async () => (await answers())[0], { what: `the answer to comment ${comment}` });
  if ((await answers()).length > 1) throw new Error(`comment ${comment} was answered twice`);
  return found;
}

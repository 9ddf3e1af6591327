import type { LogLine } from "../bot/start-bot.ts";
import type { Script } from "../scripted-model/script.ts";
import type { PullRow, ThreadView } from "../world/create-reader.ts";
import { REVIEW_FILES } from "./review-script.ts";
import { type Scene, type SceneOptions, startScene } from "./start-scene.ts";

/** A scene whose bot opens pull requests that people review. */
export interface ReviewScene extends Scene {
  /** Has the bot open a pull request that changes both files of `docs`; gives its number and issue. */
  opened(title: string): Promise<{ pull: PullRow; number: number; issue: number }>;
  /** The thread that a comment belongs to. */
  threadOf(pull: number, comment: number): ThreadView;
  /** The bot's replies in the thread of a comment, oldest first. */
  saidIn(pull: number, comment: number): readonly string[];
  /** Waits until the bot has answered a comment in a thread. */
  answered(pull: number, comment: number): Promise<string>;
  /** Waits for a comment of the bot on the pull request that contains `words`. */
  commentWith(pull: number, words: string): Promise<string>;
  /** The pull request as it is now. */
  pull(number: number): Promise<PullRow>;
  /** Waits until this process has ended `count` revisions of a pull request; gives each one's reason or result. */
  ran(pull: number, count: number): Promise<readonly string[]>;
}

interface ReviewSceneOptions extends Pick<SceneOptions, "environment" | "bots" | "more"> {
  files?: Record<string, string>;
}

export async function startReviewScene(
  script: Script,
  { files = REVIEW_FILES, environment = {}, bots, more = [] }: ReviewSceneOptions = {},
): Promise<ReviewScene> {
  const scene = await startScene({ repository: { files }, script, environment, bots, more });
  const { world } = scene;
  const threadOf = (pull: number, comment: number) => {
    const found = world.threads(pull).find(({ comments }) => comments.some(({ id }) => id === comment));
    if (!found) throw new Error(`no thread holds the comment ${comment}`);
    return found;
  };
  const saidIn = (pull: number, comment: number) =>
    threadOf(pull, comment)
      .comments.slice(1)
      .filter(({ user }) => user.login.endsWith("[bot]"))
      .map(({ body }) => body);
  return {
    ...scene,
    threadOf,
    saidIn,
    async opened(title) {
      const { issue, pull } = await scene.ended(await scene.ask(`${title}: docs/a.txt and docs/b.txt`));
      if (!pull) throw new Error(`issue ${issue} led to no pull request`);
      return { pull, issue, number: pull.number };
    },
    async answered(pull, comment) {
      const mark = `<!-- magis:answer thread-${comment} -->`;
      const answer = () => saidIn(pull, comment).find((body) => body.includes(mark));
      return world.until(answer, { what: `the answer to ${comment}` });
    },
    async commentWith(pull, words) {
      const comment = async () => (await scene.comments(pull)).find(({ body }) => body.includes(words))?.body;
      return world.until(comment, { what: `a comment with "${words}" on #${pull}` });
    },
    async pull(number) {
      const found = (await world.pullRequests()).find((one) => one.number === number);
      if (!found) throw new Error(`no pull request ${number}`);
      return found;
    },
    async ran(pull, count) {
      const isEnd = ({ msg, work, issue }: LogLine) => msg === "the run ended" && work === "revise" && issue === pull;
      const ends = () => scene.bot().log.filter(isEnd);
      await world.until(() => ends().length >= count, { what: `the end of ${count} revisions` });
      return ends().map(({ outcome, reason }) => String(reason ?? outcome));
    },
  };
}

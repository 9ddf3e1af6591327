import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { copyDatabase } from "../bot/copy-database.ts";
import { type Bot, startBot, startBotHere } from "../bot/start-bot.ts";
import type { Script } from "../scripted-model/script.ts";
import type { JournalEntry, ScriptedModel } from "../scripted-model/scripted-model.ts";
import { startScriptedModel } from "../scripted-model/start-scripted-model.ts";
import type { IssueComment, PullRow } from "../world/create-reader.ts";
import type { RepositoryOptions } from "../world/options.ts";
import { startWorld } from "../world/start-world.ts";
import type { World } from "../world/world-handle.ts";

/** How a scene's bot is started. */
export interface BotChoice {
  environment?: Readonly<Record<string, string>>;
  /** slugs of apps beside the bot: people called `SLUG[bot]` */
  bots?: string[];
  /** runs the bot in its own process, so that a test can kill or stop it; `start` does the same after that */
  ownProcess?: boolean;
}

export interface SceneOptions extends BotChoice {
  repository: Pick<RepositoryOptions, "files">;
  /** more repositories of acme: like the first but for what they say themselves */
  more?: readonly Pick<RepositoryOptions, "name" | "files" | "from">[];
  script: Script;
  /** the command line that starts the bot on a data folder, which is empty then */
  command?: (data: string) => readonly string[];
}

/** How a run ended, as people see it. */
export interface Ending {
  issue: number;
  comment: IssueComment;
  /** the issue's; undefined when there is none */
  pull: PullRow | undefined;
}

/** A repository acme/shop with alice (maintain), tom (triage) and rita (read), the bot and its model. */
export interface Scene {
  world: World;
  model: ScriptedModel;
  /** the current bot, or the last one */
  bot: () => Bot;
  /** Starts the bot on the same data directory, with changes to its environment. */
  start(environment?: Readonly<Record<string, string>>): Promise<Bot>;
  /** The same in the test's own process, for a fifth of the computing: for a bot that is not killed itself. */
  startHere(environment?: Readonly<Record<string, string>>): Promise<Bot>;
  /** Opens and labels an issue as alice; gives its number. The repository is acme/shop by default. */
  ask(title: string, body?: string, repository?: string): Promise<number>;
  /** Waits until the tracking comment reports the end of the run. */
  ended(issue: number, repository?: string): Promise<Ending>;
  /** The bot's comments on an issue. */
  comments(issue: number, repository?: string): Promise<readonly IssueComment[]>;
  /** The calls of a prompt since the journal's entry `from`, refused ones too. */
  calls(promptId: string, from?: number): readonly JournalEntry[];
  /** Stops everything; fails if anything contradicted GitHub's description or the script. */
  close(): Promise<void>;
}

/** For a busy machine; a run takes a second or two of computing. */
const ENDS_WITHIN_MS = 200_000;

/** Starts the world, the model and the bot; `close` it in `afterAll`. */
export async function startScene(options: SceneOptions): Promise<Scene> {
  const { repository, more = [], script, environment = {}, bots, command } = options;
  const { ownProcess = command !== undefined } = options;
  const folder = await mkdtemp(join(tmpdir(), "magis-scene-"));
  const template = process.env.MAGIS_TEST_DATA;
  if (command || template) await mkdir(join(folder, "data"));
  if (!command && template) copyDatabase(join(template, "postgres"), join(folder, "data", "postgres"));
  const roles = { alice: "maintain", tom: "triage", rita: "read" } as const;
  let bot: Bot | undefined;
  const [model, world] = await Promise.all([
    startScriptedModel({ answer: script }),
    startWorld({
      webhookUrl: () => bot?.webhookUrl,
      bots,
      repositories: [{ name: "shop" }, ...more].map((own) => ({
        owner: "acme",
        private: true,
        roles,
        labels: ["magis"],
        ...repository,
        ...own,
      })),
    }),
  ]);
  const startBy = async (startIt: typeof startBot, changes: Readonly<Record<string, string>>) => {
    const own = {
      MAGIS_DATA_DIR: join(folder, "data"),
      ANTHROPIC_API_KEY: "scripted",
      ANTHROPIC_BASE_URL: model.url,
    };
    bot = await startIt({
      environment: { ...world.botEnvironment(), ...own, ...environment, ...changes },
      command: command?.(join(folder, "data")),
    });
    return bot;
  };
  const start: Scene["start"] = (changes = {}) => startBy(ownProcess ? startBot : startBotHere, changes);
  const end = async () => {
    await bot?.stop();
    await world.close();
    await model.stop();
    await rm(folder, { recursive: true, force: true });
  };
  await start().catch(async (error: unknown) => {
    await end();
    throw error;
  });

  const comments = async (issue: number, name?: string) =>
    (await world.issueComments(issue, name)).filter(({ user }) => user.type === "Bot");
  const scene: Scene = {
    world,
    model,
    bot: () => bot as Bot,
    start,
    startHere: (changes = {}) => startBy(startBotHere, changes),
    comments,
    async ask(title, body, name) {
      const alice = world.person("alice", name);
      const issue = await alice.openIssue({ title, body });
      await alice.label(issue, "magis");
      return issue;
    },
    async ended(issue, name) {
      const final = async () =>
        (await comments(issue, name)).find(
          ({ body }) => body.includes("magis:run") && !/is working on this issue|when its turn comes/.test(body),
        );
      const comment = await world.until(final, { what: `the end of the run on issue ${issue}`, ms: ENDS_WITHIN_MS });
      if (comment.body.includes("### MAGIS had to stop")) throw new Error(`${comment.body}\n${errorsOf(scene.bot())}`);
      const pull = (await world.pullRequests(name)).find(({ head }) => head.ref.startsWith(`magis/issue-${issue}-`));
      return { issue, comment, pull };
    },
    calls: (promptId, from = 0) => model.journal.slice(from).filter(({ call }) => call?.promptId === promptId),
    async close() {
      try {
        expect(world.contract.violations).toEqual([]);
        expect(world.contract.contradictions).toEqual([]);
        expect(model.faults).toEqual([]);
      } finally {
        await end();
      }
    },
  };
  return scene;
}

/** The errors in a process's log. */
const errorsOf = ({ log }: Bot) =>
  log
    .filter(({ level = 0 }) => level >= 50)
    .map((line) => JSON.stringify(line))
    .join("\n");

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { copyDatabase } from "../bot/copy-database.ts";
import { type Bot, startBot, startBotHere } from "../bot/start-bot.ts";
import type { Script } from "../scripted-model/scripted-answer.ts";
import type { JournalEntry, ScriptedModel } from "../scripted-model/scripted-model.ts";
import { startScriptedModel } from "../scripted-model/start-scripted-model.ts";
import type { IssueComment, PullRow } from "../world/create-reader.ts";
import type { RepositoryOptions } from "../world/options.ts";
import { startWorld } from "../world/start-world.ts";
import type { World } from "../world/world-handle.ts";

/** How a scene's bot is started. */
export interface BotChoice {
  readonly environment?: Readonly<Record<string, string>>;
  /** the bot is killed, or stopped at its work: it gets a process of its own, as does each that `start` starts after it */
  readonly ownProcess?: boolean;
}

interface SceneOptions extends BotChoice {
  readonly repository: Pick<RepositoryOptions, "files" | "from">;
  /** names of more repositories of acme, like the first: their runs are done at the same time */
  readonly more?: readonly string[];
  readonly script: Script;
  /** what starts the bot on this folder for data, which is empty then */
  readonly command?: (data: string) => readonly string[];
}

/** How a run ended, as people see it. */
export interface Ending {
  readonly issue: number;
  readonly comment: IssueComment;
  /** of the issue; undefined when there is none */
  readonly pull: PullRow | undefined;
}

/** A repository acme/shop with alice (maintain), tom (triage) and rita (read), the bot and its model. */
export interface Scene {
  readonly world: World;
  readonly model: ScriptedModel;
  /** the process that runs now, or ran last */
  readonly bot: () => Bot;
  /** Starts the bot, again on the same data directory, its environment changed by `environment`. */
  start(environment?: Readonly<Record<string, string>>): Promise<Bot>;
  /** The same in the test's own process, whatever was before: what follows a kill and is not killed itself, at a fifth of the computing. */
  startHere(environment?: Readonly<Record<string, string>>): Promise<Bot>;
  /** Opens an issue and labels it, both as alice; gives its number. The repository is acme/shop unless another is named. */
  ask(title: string, body?: string, repository?: string): Promise<number>;
  /** Waits until the tracking comment tells the end. */
  ended(issue: number, repository?: string): Promise<Ending>;
  /** The bot's comments on an issue. */
  comments(issue: number, repository?: string): Promise<readonly IssueComment[]>;
  /** The model's calls since the entry at `from`, refused ones too. */
  calls(promptId: string, from?: number): readonly JournalEntry[];
  /** Ends everything; fails when something on the way contradicted GitHub's description or the script. */
  close(): Promise<void>;
}

/** For a busy machine: a run takes a second or two of computing. */
const ENDS_WITHIN_MS = 100_000;

/** Many runs in one file would reach what GitHub takes in a minute, and wait. */
const AT_ONCE = { MAGIS_WRITE_LIMITS: "none" };

/** Starts the world, the model and the bot; `close` it in `afterAll`. */
export async function startScene(options: SceneOptions): Promise<Scene> {
  const { repository, more = [], script, environment = {}, command, ownProcess = command !== undefined } = options;
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
      repositories: ["shop", ...more].map((name) => ({
        owner: "acme",
        name,
        private: true,
        roles,
        labels: ["magis"],
        ...repository,
      })),
    }),
  ]);
  const startBy = async (startIt: typeof startBot, changes: Readonly<Record<string, string>>) => {
    const own = {
      ...AT_ONCE,
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
      const told = async () =>
        (await comments(issue, name)).find(
          ({ body }) => body.includes("magis:run") && !/is working on this issue|waits for its turn/.test(body),
        );
      const comment = await world.until(told, { what: `the end of the run on issue ${issue}`, ms: ENDS_WITHIN_MS });
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

/** What a process has logged as errors. */
const errorsOf = ({ log }: Bot) =>
  log
    .filter(({ level = 0 }) => level >= 50)
    .map((line) => JSON.stringify(line))
    .join("\n");

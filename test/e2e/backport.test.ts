import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";
import type { PullRow } from "../world/create-reader.ts";
import { type Scene, startScene } from "./start-scene.ts";

const numbered = (changes: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 12 }, (_, at) => `${changes[at + 1] ?? `line ${at + 1}`}\n`).join("");

const FILES = { "a.txt": numbered(), "b.txt": numbered(), "package-lock.json": "{}\n" };

/** What the Developer makes of each place; a change whose title has "riddle" is unclear. */
function resolve({ text }: ScriptedCall) {
  const unclear = text.includes("riddle");
  const place = {
    id: "1",
    lines: unclear ? "" : "both of them\n",
    left: ["ours", "theirs"],
    differed: "The branch says ours, the pull request theirs.",
    kept: "Both.",
    why: unclear ? "Somebody has to say which." : "Both are meant.",
    unclear,
  };
  return { json: { hunks: [place] } };
}

describe("backports", () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene({
      repository: { files: FILES },
      script: (call) => {
        if (call.promptId === "x01-resolve-conflicts") return resolve(call);
        if (call.promptId === "x02-review-merge") return { json: { hunks: [{ id: "1", right: true }] } };
        return undefined;
      },
    });
    const alice = scene.world.person("alice");
    await alice.push("release/1.9", { "b.txt": numbered({ 1: "of 1.9" }) });
    await alice.push("release/1.10", { "b.txt": numbered({ 1: "of 1.10" }) });
    await alice.push("conflicting", { "a.txt": numbered({ 6: "ours" }), "package-lock.json": '{ "a": 1 }\n' });
  });
  afterAll(() => scene.close());

  /** Opens and merges a pull request as alice, with a merge commit or squashed; gives its number. */
  async function merged(title: string, files: Record<string, string>, method: "merge" | "squash" = "merge") {
    const alice = scene.world.person("alice");
    const head = title.replace(/\W+/g, "-");
    await alice.push(head, files, title);
    const number = await alice.openPull({ title, head, body: "As it says." });
    await alice.request("PUT", `/pulls/${number}/merge`, { merge_method: method });
    return number;
  }

  /** Gives the command as alice and waits for the answer. */
  async function backport(number: number, branches: string): Promise<string> {
    const { world } = scene;
    const command = await world.person("alice").comment(number, `/magis backport ${branches}`);
    const answer = async () =>
      (await scene.comments(number)).find(({ body }) => body.includes(`magis:order ${command}`))?.body;
    return world.until(answer, { what: `the answer to /magis backport ${branches}` });
  }

  const pullOf = async (branch: string): Promise<PullRow | undefined> =>
    (await scene.world.pullRequests()).find(({ head }) => head.ref === branch);

  it("brings a merged change to two branches without a call, the newest first", async () => {
    const { world } = scene;
    const number = await merged("fix: say b", { "b.txt": numbered({ 9: "b it is" }) });
    const answer = await backport(number, "release/1.9 release/1.10");
    const [newer, older] = [
      await pullOf(`magis/backport-${number}-to-release/1.10`),
      await pullOf(`magis/backport-${number}-to-release/1.9`),
    ];
    if (!newer || !older) throw new Error(answer);
    expect(newer.number).toBeLessThan(older.number);
    expect(answer).toContain(`- \`release/1.10\`: #${newer.number}.\n- \`release/1.9\`: #${older.number}.`);
    expect(answer).not.toContain("@");
    expect(older).toMatchObject({
      title: "[Backport release/1.9] fix: say b",
      draft: false,
      base: { ref: "release/1.9" },
    });
    expect(older.body).toContain(`Backport of #${number} to \`release/1.9\`.`);
    expect(await world.git("show", `${older.head.sha}:b.txt`)).toBe(numbered({ 1: "of 1.9", 9: "b it is" }).trimEnd());
    expect((await world.git("log", "-1", "--format=%B", older.head.sha)).trim()).toBe(
      [
        "[Backport release/1.9] fix: say b",
        `Backport of #${number} to release/1.9.`,
        `(cherry picked from commit ${await world.git("rev-parse", "main")})`,
      ].join("\n\n"),
    );
    expect(await world.git("rev-list", "--count", `release/1.9..${older.head.sha}`)).toBe("1");
    expect(scene.model.journal).toEqual([]);

    // Asked once more, it opens no second one.
    expect(await backport(number, "release/1.9")).toContain(`#${older.number} is open already.`);
  });

  it("opens nothing where the change is already there, and names a branch that does not exist", async () => {
    const before = (await scene.world.pullRequests()).length;
    const number = await merged("fix: say a", { "a.txt": numbered({ 11: "a it is" }) }, "squash");
    await scene.world.person("alice").push("release/2.0", {}, "Begin 2.0");
    const answer = await backport(number, "release/2.0 release/9");
    expect(answer).toContain("`release/2.0`: the change is already there, so nothing was opened.");
    expect(answer).toContain("`release/9`: there is no such branch.");
    expect(answer).toContain("\n@alice\n");
    expect(await scene.world.pullRequests()).toHaveLength(before + 1);
  });

  it("resolves a conflict in a draft that tells what was kept, and leaves a lock file as it is", async () => {
    const files = { "a.txt": numbered({ 6: "theirs" }), "package-lock.json": '{ "b": 1 }\n' };
    const number = await merged("fix: say theirs", files, "squash");
    const answer = await backport(number, "conflicting");
    const pull = await pullOf(`magis/backport-${number}-to-conflicting`);
    if (!pull) throw new Error(answer);
    expect(answer).toContain(`\`conflicting\`: #${pull.number}, a draft. I resolved one conflict`);
    expect(pull.draft).toBe(true);
    expect(pull.body).toContain("- `a.txt:6`\n  - Differed: The branch says ours, the pull request theirs.");
    expect(pull.body).toContain("- `package-lock.json`: `npm install`");
    expect(await scene.world.git("show", `${pull.head.sha}:a.txt`)).toBe(numbered({ 6: "both of them" }).trimEnd());
    expect(await scene.world.git("show", `${pull.head.sha}:package-lock.json`)).toBe('{ "a": 1 }');
    expect(scene.model.journal.map(({ call }) => call?.promptId)).toEqual([
      "x01-resolve-conflicts",
      "x02-review-merge",
    ]);
  });

  it("opens nothing when it is unsure, and tells the person who asked what a person has to do", async () => {
    const number = await merged("fix: a riddle", { "a.txt": numbered({ 6: "theirs again" }) }, "squash");
    const answer = await backport(number, "conflicting");
    expect(answer).toContain("\n@alice\n");
    expect(answer).toContain("`conflicting`: it conflicts");
    expect(answer).toContain("- `a.txt`: Somebody has to say which.");
    expect(answer).toMatch(/Earlier changes of these files that the branch lacks: #\d+/);
    expect(answer).toContain(`git cherry-pick -x ${await scene.world.git("rev-parse", "main")}`);
    expect(await pullOf(`magis/backport-${number}-to-conflicting`)).toBeUndefined();
  });

  it("refuses people who may not write, pull requests that were closed, and names that git would refuse", async () => {
    const { world } = scene;
    const alice = world.person("alice");
    await alice.push("open", { "a.txt": numbered({ 2: "open" }) });
    const open = await alice.openPull({ title: "Open", head: "open" });
    const command = await world.person("rita").comment(open, "/magis backport release/1.9");
    await world.until(() => world.reactions(`issues/comments/${command}`).length > 0, { what: "the reaction" });
    expect(world.reactions(`issues/comments/${command}`)).toEqual([{ content: "confused", login: "magis[bot]" }]);
    expect(await backport(open, "release/..")).toContain("`release/..` cannot be the name of a branch.");
    expect(await backport(open, "")).toContain("Please name at least one branch");
    await alice.closePull(open);
    expect(await backport(open, "release/1.9")).toContain("This pull request was closed without a merge");
  });

  describe("asked for before the merge", () => {
    /** Opens a pull request as alice; gives its number. */
    async function open(title: string, files: Record<string, string>): Promise<number> {
      const alice = scene.world.person("alice");
      await alice.push(title, files, title);
      return alice.openPull({ title, head: title });
    }

    /** Gives the command as `login` and waits until it was answered that it waits; gives the comment's id. */
    async function ask(login: string, number: number, branches: string): Promise<number> {
      const { world } = scene;
      const command = await world.person(login).comment(number, `/magis backport ${branches}`);
      const waits = async () =>
        (await scene.comments(number)).find(({ body }) => body.includes(`magis:when-merged ${command}`));
      const { body } = await world.until(waits, { what: `the answer to /magis backport ${branches}` });
      for (const branch of branches.split(" ")) expect(body).toContain(`\`${branch}\``);
      return command;
    }

    const answerTo = (number: number, command: number) =>
      scene.world.until(
        async () => (await scene.comments(number)).find(({ body }) => body.includes(`magis:order ${command}`))?.body,
        { what: "the backport" },
      );

    const admitted = (delivery: string) => scene.bot().log.some((line) => JSON.stringify(line).includes(delivery));

    it("waits for it, and takes each command as it stands then, of people who may still write", async () => {
      const { world } = scene;
      world.setRole("tom", "write");
      const number = await open("fix-early", { "early.txt": "early\n" });
      const [edited, deleted, stays] = [
        await ask("alice", number, "release/1.9"),
        await ask("alice", number, "conflicting"),
        await ask("tom", number, "release/1.10"),
      ];
      await world.person("alice").editComment(edited, "/magis backport release/1.10");
      await world.person("alice").deleteComment(deleted);
      world.setRole("tom", "triage");
      await world.person("alice").merge(number);

      const answer = await answerTo(number, edited);
      const pull = await pullOf(`magis/backport-${number}-to-release/1.10`);
      expect(answer).toContain(`- \`release/1.10\`: #${pull?.number}.`);
      expect(await world.git("show", `${pull?.head.sha}:early.txt`)).toBe("early");
      const confused = () => world.reactions(`issues/comments/${stays}`).some(({ content }) => content === "confused");
      await world.until(confused, { what: "the reaction to the command of a person who may no longer write" });
      expect(admitted(`merged-${deleted}`)).toBe(false);
      expect((await scene.comments(number)).filter(({ body }) => body.includes("magis:order"))).toHaveLength(1);
    });

    it("sees a merge that happened while the bot was stopped, once", async () => {
      const { world } = scene;
      const number = await open("fix-missed", { "missed.txt": "missed\n" });
      const command = await ask("alice", number, "release/1.9");
      await scene.bot().stop();
      const missed = world.deliveries.length;
      await world.person("alice").merge(number);
      await scene.startHere();
      const answer = await answerTo(number, command);
      expect(answer).toContain(`#${(await pullOf(`magis/backport-${number}-to-release/1.9`))?.number}.`);
      for (const delivery of world.deliveries.slice(missed)) await world.redeliver(delivery);
      const passedOn = () => scene.bot().log.filter(({ outcome }) => outcome === "passed on to 1").length;
      await world.until(() => passedOn() === 2, { what: "the late webhook to be seen" });
      expect((await scene.comments(number)).filter(({ body }) => body.includes("magis:order"))).toHaveLength(1);
    });

    it("says nothing more when it is closed without a merge", async () => {
      const { world } = scene;
      const number = await open("fix-dropped", { "dropped.txt": "dropped\n" });
      await ask("alice", number, "release/1.9");
      await world.person("alice").closePull(number);
      const after = await open("fix-next", { "next.txt": "next\n" });
      await world.person("alice").merge(after);
      expect(await backport(after, "release/1.9")).toContain("- `release/1.9`: #");
      expect(await scene.comments(number)).toHaveLength(1);
      expect(await pullOf(`magis/backport-${number}-to-release/1.9`)).toBeUndefined();
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { scriptFor } from "./script-for.ts";
import { type Scene, startScene } from "./start-scene.ts";

const OVERLOADED = { status: 529, type: "overloaded_error", message: "Overloaded", retryAfter: 1 };
const QA = { qaEngineer: "QA Engineer: Takes care." };
const edit = (start: number, end: number) => ({ start, end, anchor: "", text: "changed" });
const unfit = (...edits: object[]) => ({ json: { edits, summary: "Wrong.", replies: [], ...QA } });

describe("a run with a faulty model or host", () => {
  let scene: Scene;
  const change = { rounds: [{ edits: [{ start: 1, end: 1, text: "changed" }] }] };

  beforeAll(async () => {
    const files = [
      "overloaded.txt",
      "json.txt",
      "interval.txt",
      "broken.txt",
      "push.txt",
      "forbidden.txt",
      "api.txt",
      "anchor.txt",
      "unread.txt",
    ];
    let refusals = 0;
    let cuts = 0;
    scene = await startScene({
      repository: {
        files: {
          ...Object.fromEntries(files.map((path) => [path, `${path}\nsecond\nthird\n`])),
          "syntax.js": "export const one = 1;\n",
        },
      },
      script: scriptFor({
        files: {
          ...Object.fromEntries(files.map((path) => [path, change])),
          "syntax.js": { rounds: [{ edits: [{ start: 1, end: 1, text: "export const one = 2;" }] }] },
        },
        answers: {
          "p09-change-file": ({ text, earlier }) => {
            if (text.includes("# The file `overloaded.txt`") && refusals++ === 0) return { error: OVERLOADED };
            if (text.includes("# The file `broken.txt`") && cuts++ === 0) return { cut: true };
            if (earlier.length > 0) return undefined;
            if (text.includes("# The file `json.txt`")) return { text: '{"edits": [', raw: true };
            if (text.includes("# The file `interval.txt`")) return unfit(edit(1, 2), edit(2, 9));
            if (text.includes("# The file `anchor.txt`")) return unfit({ ...edit(2, 2), anchor: "third" });
            if (text.includes("# The file `syntax.js`"))
              return unfit({ ...edit(1, 1), text: "export const one = (2;" });
            return undefined;
          },
          "p11-review-work": ({ text }) => (text.includes("`unread.txt`") ? { stop: "refusal" } : undefined),
        },
      }),
    });
  });
  afterAll(() => scene.close());

  it("asks an overloaded model again and goes on", async () => {
    const { pull } = await scene.ended(await scene.ask("Change overloaded.txt"));
    expect(pull?.state).toBe("open");
    expect(scene.calls("p09-change-file").map(({ response }) => response.statusCode)).toEqual([529, 200]);
  });

  it("asks again after an answer that breaks off, and counts its cost", async () => {
    const before = scene.model.journal.length;
    const { comment, pull } = await scene.ended(await scene.ask("Change broken.txt"));
    expect(pull?.state).toBe("open");
    expect(scene.calls("p09-change-file", before)).toHaveLength(2);
    expect(comment.body).toContain(`Cost: ${scene.model.journal.length - before} calls`);
  });

  it("sends back an answer that is not JSON once", async () => {
    const before = scene.model.journal.length;
    const { pull } = await scene.ended(await scene.ask("Change json.txt"));
    expect(pull?.state).toBe("open");
    const [first, again, ...others] = scene.calls("p09-change-file", before);
    expect(first?.call?.earlier).toEqual([]);
    expect(again?.call?.earlier).toMatchObject([{ answer: '{"edits": [' }]);
    expect(again?.call?.earlier[0]?.reply).toContain("JSON");
    expect(others).toEqual([]);
  });

  it("sends back intervals that overlap or lie outside the file, with the reason", async () => {
    const before = scene.model.journal.length;
    const { pull } = await scene.ended(await scene.ask("Change interval.txt"));
    expect(pull?.state).toBe("open");
    const [, again, ...others] = scene.calls("p09-change-file", before);
    expect(again?.call?.earlier[0]?.reply).toMatch(/overlap|2 to 9|1 to 3|3 lines/);
    expect(others).toEqual([]);
  });

  it("sends back an edit of the wrong line and one that breaks the syntax before QA sees them", async () => {
    const before = scene.model.journal.length;
    const { pull } = await scene.ended(await scene.ask("Change anchor.txt and syntax.js"));
    expect(await scene.world.git("show", `${pull?.head.sha}:syntax.js`)).toBe("export const one = 2;");
    expect(await scene.world.git("show", `${pull?.head.sha}:anchor.txt`)).toBe("changed\nsecond\nthird");
    const calls = scene.calls("p09-change-file", before).flatMap(({ call }) => (call ? [call] : []));
    const replies = calls.flatMap(({ earlier }) => earlier.map(({ reply }) => reply));
    expect(replies.sort()).toEqual([
      expect.stringContaining("has the anchor `third`, but line 2 is `second`. That line is number 3."),
      expect.stringContaining("syntax.js parsed before the change and does not parse any more"),
    ]);
    expect(calls).toHaveLength(4);
    const [review, ...others] = scene.calls("p11-review-work", before);
    expect(review?.call?.text).not.toContain("(2;");
    expect(others).toEqual([]);
  });

  it("leaves a change open for a person when QA refuses to review it, and says so", async () => {
    const { comment, pull } = await scene.ended(await scene.ask("Change unread.txt"));
    expect(pull?.state).toBe("open");
    expect(pull?.body).toContain("| `unread.txt` | Developer for unread.txt | nobody |");
    expect(comment.body).toContain("one review comment is open: see the review threads.");
    const said = [
      ...scene.world.threads(pull?.number ?? 0).flatMap(({ comments }) => comments),
      ...scene.world.reviews(pull?.number ?? 0),
    ].map(({ body }) => body);
    expect(said.join("\n")).toContain("This change was not reviewed; please look at it closely.");
  });

  /** How many trees the bot made through the API since the journal's entry `from`. */
  const treesByApi = (from: number) =>
    scene.world.journal.slice(from).filter(({ method, path }) => method === "POST" && path.endsWith("/git/trees"))
      .length;

  it("commits through the API alone when GitHub refuses a push to a ref that is not a branch", async () => {
    const { world } = scene;
    const from = world.journal.length;
    await world.git("config", "transfer.hideRefs", "refs/magis");
    const { pull } = await scene.ended(await scene.ask("Change push.txt"));
    await world.git("config", "--unset", "transfer.hideRefs");
    expect(treesByApi(from)).toBe(1);
    expect(await world.git("show", `${pull?.head.sha}:push.txt`)).toBe("changed\nsecond\nthird");
    const commit = await world.person("alice").request("GET", `/git/commits/${pull?.head.sha}`);
    expect(commit).toMatchObject({ verification: { verified: true } });
  });

  it("commits through the API alone when the host forbids every push", async () => {
    const { world } = scene;
    const from = world.journal.length;
    world.fault({ method: "POST", path: /git-receive-pack$/, status: 403, body: "no push" });
    const { pull } = await scene.ended(await scene.ask("Change forbidden.txt"));
    expect(treesByApi(from)).toBe(1);
    expect(await world.git("show", `${pull?.head.sha}:forbidden.txt`)).toBe("changed\nsecond\nthird");
  });

  it("pushes an unsigned commit when the host refuses to make one, and says so", async () => {
    const { world } = scene;
    const body = { message: "Resource not accessible by integration" };
    world.fault({ method: "POST", path: /\/git\/commits$/, status: 403, body, times: 2 });
    const { pull } = await scene.ended(await scene.ask("Change api.txt"));
    expect(pull?.body).toContain("The commit is not signed");
    expect(await world.git("show", `${pull?.head.sha}:api.txt`)).toBe("changed\nsecond\nthird");
    expect(await world.git("for-each-ref", "--format=%(refname)", "refs/magis")).toBe("");
  });
});

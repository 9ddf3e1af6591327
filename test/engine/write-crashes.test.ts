import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { calls, startCrashScene } from "./crash-scene.ts";

// Whole processes are started several times; a busy machine takes its time.
jest.setTimeout(180_000);

const RESUMED = "The process was stopped once and took the run up again where it was.";

type Scene = Awaited<ReturnType<typeof startCrashScene>>;
type Place = ReturnType<Scene["open"]>;

let scene: Scene;
beforeAll(async () => {
  scene = await startCrashScene();
});
afterAll(() => scene.close());

/** Waits for the pull request of a run that nothing disturbs any more. */
async function published(place: Place): Promise<void> {
  await scene.until(() => place.state.comments[0]?.body.includes("### MAGIS opened pull request") ?? false, "its end");
}

/** No finished call of the model was made again. */
function expectPaidOnce({ calls: made }: Place): void {
  const texts = made.map(({ request }) => JSON.stringify(request));
  expect(new Set(texts).size).toBe(texts.length);
}

const stagingRefs = ({ state }: Place) => [...state.objects.refs.keys()].filter((ref) => ref.startsWith("refs/magis"));

describe("a run whose process is killed between a write and the answer to it", () => {
  it.each([
    ["the first comment", "createComment", ""],
    ["the clone", "open", ""],
    ["the push of the objects", "push", ""],
    ["the commit", "createCommit", ""],
    ["the branch", "createBranch", ""],
    ["the pull request", "openPullRequest", ""],
    ["the review", "createReview", ""],
    ["the reply in a thread", "replyToThread", ""],
    ["the end of a thread", "resolveThread", ""],
    ["the last word in the comment", "updateComment", "MAGIS opened pull request"],
  ])("makes nothing twice: %s", async (_what, method, words) => {
    const place = scene.open();
    await scene.killedAt(calls(method, words), scene.label);
    const written = place.writes(method);
    await published(place);
    // At its last word a run has ended already: it is said once more, and nothing else.
    const resumed = () => place.state.comments[0]?.body.includes(RESUMED) ?? false;
    await scene.until(() => (words === "" ? resumed() : place.writes(method) > written), "that it was taken up");
    const { state } = place;
    const { objects, comments, pullRequests, reviews, threads, issue } = state;
    expect(comments).toHaveLength(1);
    expect(pullRequests).toHaveLength(1);
    expect(pullRequests[0]).toMatchObject({ open: true, body: expect.stringContaining(`Fixes #${issue.number}`) });
    expect([...objects.refs.keys()]).toEqual(["refs/heads/main", `refs/heads/${pullRequests[0]?.branch}`]);
    expect(objects.commit(place.tip()).parents).toEqual([objects.refs.get("refs/heads/main")]);
    expect(objects.textAt(place.tip(), "greet.txt")).toBe("Hello\nworld\nend\n");
    expect(reviews).toHaveLength(1);
    expect(threads.map(({ resolved, comments: said }) => [resolved, said.length])).toEqual([[true, 2]]);
    expectPaidOnce(place);
  });
});

describe("a revision whose process is killed between a write and the answer to it", () => {
  it.each([
    ["the commit", "createCommit"],
    ["the branch's advance", "advanceBranch"],
    ["the reply", "replyToThread"],
    ["the answer to comments", "createComment"],
    ["the pull request's body", "updatePullRequest"],
  ])("makes nothing twice: %s", async (_what, method) => {
    const place = scene.open();
    scene.label();
    await published(place);
    const { state } = place;
    const [head, number] = [place.tip(), place.pull()?.number ?? 0];
    const at = new Date().toISOString();
    const said = (body: string) => ({ id: state.next(), author: "ana", byBot: false, body, createdAt: at });
    state.threads.push({
      ...{ id: "hers", resolved: false, pullRequest: number, path: "greet.txt", line: 1 },
      comments: [said("Shout.")],
    });
    state.comments.push({ ...said("Is it so?"), nodeId: "hers", updatedAt: at });
    await scene.killedAt(calls(method), () => scene.deliver({ kind: "review" }, number));
    const line = /\| Review by ana: 1 thread, 1 comment \|/g;
    await scene.until(() => line.test(place.pull()?.body ?? ""), "the line in the body");
    const hasEnded = (text: string) => text.startsWith("the run ended") && text.includes('"work":"revise"');
    await scene.until(() => scene.logs().some(hasEnded), "the revision's end");
    expect(state.objects.commit(place.tip()).parents).toEqual([head]);
    expect(state.objects.textAt(place.tip(), "greet.txt")).toBe("HELLO\nworld\nend\n");
    expect(stagingRefs(place)).toEqual([]);
    const hers = state.threads.find(({ id }) => id === "hers");
    expect(hers?.comments).toHaveLength(2);
    expect(state.comments.filter(({ body }) => body.includes("magis:answer comment-"))).toHaveLength(1);
    expect(place.pull()?.body.match(line)).toHaveLength(1);
    expectPaidOnce(place);
  });
});

describe("a repair whose process is killed between a write and the answer to it", () => {
  it.each([
    ["the commit", "createCommit"],
    ["the step on the branch", "advanceBranch"],
    ["the check", "reportCheck"],
    ["the comment on the pull request", "createComment"],
  ])("makes nothing twice: %s", async (_what, method) => {
    const place = scene.open();
    scene.label();
    await published(place);
    const { state } = place;
    const head = place.tip();
    const branch = place.pull()?.branch ?? "";
    state.checks.set(head, [
      ...(state.checks.get(head) ?? []),
      { name: "test", state: "failed", byApp: false, summary: "not ok 1", url: "https://host.example/check" },
    ]);
    await scene.killedAt(calls(method), () => scene.deliver({ kind: "checks", head, branch }, 7, "ci"));
    const told = () => state.comments.filter(({ body }) => body.includes("repaired in a new commit"));
    await scene.until(() => told().length > 0, "the comment");
    const own = () => (state.checks.get(place.tip()) ?? []).filter(({ byApp }) => byApp);
    await scene.until(() => own()[0]?.state !== "pending", "the check's end");
    expect(told()).toHaveLength(1);
    expect(own()).toHaveLength(1);
    expect(state.objects.commit(place.tip()).parents).toEqual([head]);
    expect(state.objects.textAt(place.tip(), "greet.txt")).toBe("hello\nworld\nend\n");
    expect(stagingRefs(place)).toEqual([]);
    expectPaidOnce(place);
  });
});

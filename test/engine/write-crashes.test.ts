import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { openPlace, type Place, startCrashScene } from "./crash-scene.ts";

// Starting processes and many runs at once takes long on a busy machine.
jest.setTimeout(240_000);

const RESUMED = "It was interrupted once and went on where it had stopped.";

const RUNS = [
  ["the first comment", "createComment", ""],
  ["the clone", "open", ""],
  ["the push of the objects", "push", ""],
  ["the commit", "createCommit", ""],
  ["the branch", "createBranch", ""],
  ["the pull request", "openPullRequest", ""],
  ["the review", "createReview", ""],
  ["the reply in a thread", "replyToThread", ""],
  ["the resolving of a thread", "resolveThread", ""],
  ["the last update of the comment", "updateComment", "MAGIS opened pull request"],
].map(([what = "", method = "", words = ""]) => ({ what, method, words, place: openPlace() }));

const REVISIONS = [
  ["the commit", "createCommit"],
  ["the branch's advance", "advanceBranch"],
  ["the reply", "replyToThread"],
  ["the answer to comments", "createComment"],
  ["the pull request's body", "updatePullRequest"],
].map(([what = "", method = ""]) => ({ what, method, place: openPlace() }));

const REPAIRS = [
  ["the commit", "createCommit"],
  ["the branch's advance", "advanceBranch"],
  ["the check", "reportCheck"],
  ["the comment on the pull request", "createComment"],
].map(([what = "", method = ""]) => ({ what, method, place: openPlace() }));

let scene: Awaited<ReturnType<typeof startCrashScene>>;
/** How often each place had been asked for its write when the process was killed. */
let written: ReadonlyMap<Place, number>;
const heads = new Map<Place, string>();

/** One kill of the process serves all cases: it comes when each waits at its own write. */
beforeAll(async () => {
  scene = await startCrashScene();
  const later = [...REVISIONS, ...REPAIRS].map(({ place }) => place);
  for (const place of later) scene.label(place);
  for (const place of later) {
    await published(place);
    heads.set(place, place.tip());
  }
  written = await scene.killedAt([
    ...RUNS.map((one) => ({ ...one, happens: () => scene.label(one.place) })),
    ...REVISIONS.map((one) => ({ ...one, happens: () => review(one.place) })),
    ...REPAIRS.map((one) => ({ ...one, happens: () => fail(one.place) })),
  ]);
});
afterAll(() => scene.close());

/** Somebody asks for a change of the pull request, in a thread and in a comment. */
function review(place: Place): void {
  const { state } = place;
  const at = new Date().toISOString();
  const said = (body: string) => ({ id: state.next(), author: "ana", byBot: false, body, createdAt: at });
  state.threads.push({
    id: "hers",
    resolved: false,
    pullRequest: place.pull()?.number ?? 0,
    path: "greet.txt",
    line: 1,
    comments: [said("Shout.")],
  });
  state.comments.push({ ...said("Is it so?"), nodeId: "hers", updatedAt: at });
  scene.deliver(place, { kind: "review" }, place.pull()?.number ?? 0);
}

/** A check of the pull request fails. */
function fail(place: Place): void {
  const { state } = place;
  const head = place.tip();
  state.checks.set(head, [
    ...(state.checks.get(head) ?? []),
    { name: "test", state: "failed", byApp: false, summary: "not ok 1", url: "https://host.example/check" },
  ]);
  scene.deliver(place, { kind: "checks", head, branch: place.pull()?.branch ?? "" }, 7, "ci");
}

/** Waits until the run has reported its pull request. */
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
  it.each(RUNS)("makes nothing twice: $what", async ({ method, words, place }) => {
    await published(place);
    // At its last update a run has ended already: it repeats only that update.
    const resumed = () => place.state.comments[0]?.body.includes(RESUMED) ?? false;
    const again = () => place.writes(method) > (written.get(place) ?? 0);
    await scene.until(() => (words === "" ? resumed() : again()), "that it was taken up");
    const { state } = place;
    const { objects, comments, pullRequests, reviews, threads, issue } = state;
    expect(comments).toHaveLength(1);
    expect(pullRequests).toHaveLength(1);
    expect(pullRequests[0]).toMatchObject({ open: true, body: expect.stringContaining(`Fixes #${issue.number}`) });
    expect([...objects.refs.keys()]).toEqual(["refs/heads/main", `refs/heads/${pullRequests[0]?.branch}`]);
    expect(objects.commit(place.tip()).parents).toEqual([objects.refs.get("refs/heads/main")]);
    expect(objects.textAt(place.tip(), "greet.txt")).toBe(`Hello\nworld\n${place.name}:\n`);
    expect(reviews).toHaveLength(1);
    expect(threads.map(({ resolved, comments: said }) => [resolved, said.length])).toEqual([[true, 2]]);
    expectPaidOnce(place);
  });
});

describe("a revision whose process is killed between a write and the answer to it", () => {
  it.each(REVISIONS)("makes nothing twice: $what", async ({ place }) => {
    const line = /\| Review by ana: 1 thread, 1 comment \|/g;
    await scene.until(() => line.test(place.pull()?.body ?? ""), "the line in the body");
    const hasEnded = (text: string) =>
      text.startsWith("the run ended") && text.includes('"work":"revise"') && text.includes(`ana/${place.name}#`);
    await scene.until(() => scene.logs().some(hasEnded), "the revision's end");
    const { state } = place;
    expect(state.objects.commit(place.tip()).parents).toEqual([heads.get(place)]);
    expect(state.objects.textAt(place.tip(), "greet.txt")).toBe(`HELLO\nworld\n${place.name}:\n`);
    expect(stagingRefs(place)).toEqual([]);
    const hers = state.threads.find(({ id }) => id === "hers");
    expect(hers?.comments).toHaveLength(2);
    expect(state.comments.filter(({ body }) => body.includes("magis:answer comment-"))).toHaveLength(1);
    expect(place.pull()?.body.match(line)).toHaveLength(1);
    expectPaidOnce(place);
  });
});

describe("a repair whose process is killed between a write and the answer to it", () => {
  it.each(REPAIRS)("makes nothing twice: $what", async ({ place }) => {
    const { state } = place;
    const comments = () => state.comments.filter(({ body }) => body.includes("a new commit repairs them"));
    await scene.until(() => comments().length > 0, "the comment");
    const own = () => (state.checks.get(place.tip()) ?? []).filter(({ byApp }) => byApp);
    await scene.until(() => own()[0]?.state !== "pending", "the check's end");
    expect(comments()).toHaveLength(1);
    expect(own()).toHaveLength(1);
    expect(state.objects.commit(place.tip()).parents).toEqual([heads.get(place)]);
    expect(state.objects.textAt(place.tip(), "greet.txt")).toBe(`hello\nworld\n${place.name}:\n`);
    expect(stagingRefs(place)).toEqual([]);
    expectPaidOnce(place);
  });
});

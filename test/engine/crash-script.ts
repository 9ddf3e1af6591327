import type { FakeScript } from "../fakes/create-fake-model.ts";

const isRevision = (text: string) => text.includes("Maintainers have reviewed the pull request.");
const isRepair = (text: string) => text.includes("Our pull request makes checks fail");
const openComments = (text: string) => [...text.matchAll(/^- ((?:t\d+-r\d+-|th)\d+) \(/gm)].map(([, id = ""]) => id);

/**
 * One task of two rounds, so that a run makes a review with a thread that gets a reply and is resolved; a revision and
 * a repair change the same line once more.
 */
export const crashScript: FakeScript = {
  "p09-change-file": ({ text }) => {
    const round = openComments(text).length > 0 ? "Hello" : "Helo";
    const first = isRepair(text) ? "hello" : round;
    const line = isRevision(text) ? "HELLO" : first;
    const ids = / for each of (.+?), one to three/.exec(text)?.[1]?.split(", ") ?? [];
    return {
      edits: [{ start: 1, end: 1, anchor: "", text: line }],
      summary: `It says ${line} now.`,
      replies: ids.map((comment) => ({ comment, reply: "Done." })),
      qaEngineer: "QA Engineer: Looks closely.",
    };
  },
  "p11-review-work": ({ text }) => {
    const settled = openComments(text);
    const first = !isRevision(text) && !isRepair(text) && settled.length === 0;
    const comments = first ? [{ path: "greet.txt", line: 1, body: "It is Hello.", edits: [] }] : [];
    return { comments, missing: [], settled, unfollowed: [], verdict: "Read.", approved: !first };
  },
  "k01-plan-repair": {
    repairable: true,
    reason: "The test wants it small.",
    title: "say it small",
    tasks: [{ path: "greet.txt", action: "modify", title: "Say it small", description: "Write `hello`." }],
  },
  "r01-assign-comments": ({ text }) => ({
    replies: [...text.matchAll(/^(re\d+), by /gm)].map(([, comment]) => ({ comment, reply: "So it is." })),
    tasks: [],
  }),
};

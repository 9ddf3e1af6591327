import { numberLines } from "../../src/code/edits/numbered.ts";
import type { Origin } from "../../src/models/prompt-library.ts";
import { sampleComment } from "../fakes/sample-comment.ts";
import { sampleIssue } from "../fakes/sample-issue.ts";
import { sampleTask } from "../fakes/sample-task.ts";

export const DIFF = "--- a/src/money.js\n+++ b/src/money.js\n@@ -1 +1 @@\n-old\n+new\n";

/** Where a prompt has to show an untrusted text: in a fence that names its origin, or in a code span. */
export type Place = Origin | "line";

/** Replaces each text that people, files or models wrote; `name` tells the fields of a prompt apart. */
export type Mark = (text: string, place: Place, name: string) => string;

export type Shared = ReturnType<typeof sharedInputs>;

/** Values that several prompts share. */
export function sharedInputs(mark: Mark) {
  const at = (place: Place) => (text: string, name: string) => mark(text, place, name);
  const [colleague, file, line, maintainer] = [at("colleague"), at("file"), at("line"), at("maintainer")];
  const sample = sampleIssue();
  const issue = {
    ...sample,
    standing: "author",
    title: mark(sample.title, "author", "issue title"),
    body: mark(sample.body, "author", "issue body"),
    hint: maintainer("Look at money.js.", "hint"),
    discussion: [
      {
        author: line("ben", "ben"),
        standing: "maintainer",
        body: maintainer("Halves should go away from zero.", "said 1"),
      },
      { author: line("ana", "ana"), standing: "author", body: mark("So they do.", "author", "said 2") },
      { author: line("cid", "cid"), standing: "other", body: mark("Mine too.", "other person", "said 3") },
      { author: line("dee", "dee"), body: mark("A comment of an old record.", "person", "said 4") },
    ],
  };
  const shownFile = {
    path: line("src/money.js", "path"),
    content: file(numberLines(["const a = 1;\n", "\n", "\n", "\n", "f(a);\n"]), "content"),
  };
  const taskOf = (changes: Parameters<typeof sampleTask>[0] = {}) => {
    const one = sampleTask(changes);
    const { title, description } = one.developer;
    return {
      ...one,
      path: line(one.path, `${one.id} path`),
      title: line(one.title, `${one.id} title`),
      description: colleague(one.description, `${one.id} description`),
      developer: { title: line(title, `${one.id} role`), description: colleague(description, `${one.id} role text`) },
    };
  };
  const task = taskOf();
  const other = taskOf({ id: "t2", path: "test/money.test.js", action: "create", title: "Test roundCents" });
  const team = {
    tasks: [task, other],
    agreed: colleague("roundCents(cents) is the name.", "agreed"),
    finished: [colleague(DIFF, "finished")],
  };
  const comment = { ...sampleComment(), path: line("src/money.js", "comment path") };
  const previous = {
    diff: colleague(DIFF, "previous diff"),
    comments: [{ ...comment, body: colleague(comment.body, "comment") }],
    reason: colleague("Not yet.", "previous reason"),
  };
  const earlier = [
    { ...comment, body: colleague(comment.body, "open comment"), reply: colleague("It is right.", "reply") },
  ];
  const qaEngineer = { title: line("Rounding QA", "QA"), description: colleague("Checks halves.", "QA text") };
  const [summary, diff] = [colleague("Rounds.", "summary"), colleague(DIFF, "diff")];
  const base = { issue, ...team, task };
  const shared = { mark, colleague, file, line, maintainer };
  return { ...shared, issue, shownFile, task, team, previous, earlier, qaEngineer, summary, diff, base };
}

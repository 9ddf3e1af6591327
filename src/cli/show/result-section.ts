import type { ShownResult, ShownRun } from "../../model/read-record.ts";
import { REASON_WORDS } from "../../model/verdict.ts";
import { checkSentence } from "../../report/end-of-run.ts";
import type { Badge, Block, Section } from "./block.ts";

/** How the run ended, what it published, and the repository-level change as one patch. */
export function resultSection({ state, record }: ShownRun): Section {
  const result = state?.result;
  const { id = "", title = "", branch = "", way = "" } = record.commit ?? {};
  const patch = (record.work?.patch || result?.patch) ?? "";
  const pullRequest = state?.pullRequest ?? result?.pullRequest;
  const rows = [
    ["pull request", pullRequest ? pullRequest.url || `#${pullRequest.number}` : ""],
    ["commit", [id.slice(0, 12), title].filter((part) => part !== "").join(" ")],
    ["branch", branch],
    ["commit made", way],
    ["check", record.check ? checkSentence(record.check) : ""],
    [
      "taken up again",
      state && state.resumed > 0
        ? `${state.resumed === 1 ? "once" : `${state.resumed} times`}, after the process had stopped`
        : "",
    ],
  ] as const;
  const followUps = (state?.followUps ?? []).map(({ what, outcome }) => `${what}: ${outcome}`);
  return {
    ...{ id: "result", title: "Result", badge: endBadge(result?.kind) },
    body: [
      ...(result ? ending(result) : [{ kind: "text", text: "No result is kept.", tone: "quiet" } as const]),
      { kind: "facts", rows: rows.filter(([, value]) => value !== "") },
      ...list(
        "Phases",
        (state?.phases ?? []).map(({ name, status, detail }) =>
          [`${name}: ${status}`, detail].filter((part) => part).join("; "),
        ),
      ),
      ...list("Finished", result?.finished ?? []),
      ...list("Not finished", result?.unfinished ?? []),
      ...list("Taken back", result?.undone ?? []),
      ...list("Afterwards", followUps),
      ...said("What the check said at first", record.check?.first),
      ...said("What the check says at the end", record.check?.words),
      ...(patch === ""
        ? []
        : [{ kind: "fold", title: "The whole change", body: [{ kind: "diff", diff: patch }] } as const]),
    ],
  };
}

const said = (title: string, text = ""): Block[] =>
  text === "" ? [] : [{ kind: "fold", title, body: [{ kind: "code", text }] }];

const VERDICTS: Readonly<Record<string, Badge>> = {
  "right-red": { text: "red, as it should be", tone: "good" },
  "not-red": { text: "not red", tone: "bad" },
  "other-red": { text: "red for another reason", tone: "bad" },
  green: { text: "green", tone: "good" },
  "no-verdict": { text: "no verdict", tone: "warn" },
};

/** What the checks said to each commit of a fix and its test; undefined for a run that nothing is kept of. */
export function proofSection({ record: { proof } }: ShownRun): Section | undefined {
  if (proof === undefined) return undefined;
  const { said: sentence = "", pushes } = proof;
  return {
    ...{ id: "proof", title: "Proof" },
    body: [...(sentence === "" ? [] : [{ kind: "text", text: sentence } as const]), ...pushes.map(pushBlock)],
  };
}

/** In words, where it is one of ours: records are read as they are found. */
const reasonOf = (reason: string) =>
  Object.hasOwn(REASON_WORDS, reason) ? REASON_WORDS[reason as keyof typeof REASON_WORDS] : reason;

type Push = NonNullable<ShownRun["record"]["proof"]>["pushes"][number];

function pushBlock({ commit, stage, verdict, reason = "", checks, tests }: Push): Block {
  const badge = Object.hasOwn(VERDICTS, verdict) ? VERDICTS[verdict] : undefined;
  // The same verdict is good news before the fix and bad news after it.
  const tone = stage === "green" && verdict !== "green" ? "bad" : (badge?.tone ?? "plain");
  const shown = checks.map(({ name, state, seconds, url = "", excused }) => {
    const told = [
      excused ? `${state}, which says nothing against it` : state,
      seconds !== undefined && `${seconds} s`,
      url,
    ];
    return [name, told.filter((part) => part).join(", ")] as const;
  });
  return {
    ...{ kind: "group", title: `${commit.slice(0, 10)}, ${stage === "green" ? "with the fix" : "the test alone"}` },
    badge: { text: [badge?.text ?? verdict, reasonOf(reason)].filter((part) => part !== "").join(": "), tone },
    body: [
      { kind: "facts", rows: shown },
      ...tests.map(
        ({ name, check, words }): Block => ({
          ...{ kind: "fold", title: name, note: check, open: true },
          body: words === "" ? [] : [{ kind: "code", text: words }],
        }),
      ),
    ],
  };
}

function ending(result: ShownResult): Block[] {
  const sentences: Readonly<Record<string, string>> = {
    published: `The change is in pull request #${result.pullRequest?.number ?? "?"}; open QA comments: ${result.openThreads}.`,
    "budget-reached": `The run used up its ${result.limit || "budget"}${result.phase && ` in the phase "${result.phase}"`}.`,
    cancelled: `${result.by || "Somebody"} cancelled the run.`,
    failed: [result.message, result.code && `(${result.code})`].filter((part) => part).join(" "),
  };
  const text = (Object.hasOwn(sentences, result.kind) ? sentences[result.kind] : undefined) ?? result.reason;
  return text === "" ? [] : [{ kind: "text", text }];
}

const list = (title: string, items: readonly string[]): Block[] =>
  items.length === 0 ? [] : [{ kind: "group", title, body: [{ kind: "list", items }] }];

const ENDS: Readonly<Record<string, Badge>> = {
  published: { text: "published", tone: "good" },
  "dry-run": { text: "dry run", tone: "good" },
  "nothing-to-change": { text: "nothing to change", tone: "plain" },
  "gave-up": { text: "gave up", tone: "bad" },
  asked: { text: "asked", tone: "warn" },
  "budget-reached": { text: "budget used up", tone: "warn" },
  "awaiting-approval": { text: "waits for approval", tone: "warn" },
  cancelled: { text: "cancelled", tone: "warn" },
  refused: { text: "refused", tone: "warn" },
  failed: { text: "failed", tone: "bad" },
};

/** How a run ended, by the `kind` of its result, in two words; undefined: it has not ended. */
export function endBadge(kind: string | undefined): Badge {
  if (kind === undefined) return { text: "not ended", tone: "plain" };
  return (Object.hasOwn(ENDS, kind) ? ENDS[kind] : undefined) ?? { text: kind, tone: "plain" };
}

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type GivenCommand, startMagis, startMagisHere } from "../commands/start-magis.ts";
import { scriptedChange } from "../scripted-model/default-answers.ts";
import { type Call, createScript, type Script } from "../scripted-model/script.ts";
import type { ScriptedModel } from "../scripted-model/scripted-model.ts";
import { startScriptedModel } from "../scripted-model/start-scripted-model.ts";
import { EVAL_PROGRAM } from "./eval-program.ts";
import { makeInstances } from "./make-instances.ts";

let model: ScriptedModel;
let made: ReturnType<typeof makeInstances>;
beforeAll(async () => {
  model = await startScriptedModel({ answer: evalScript });
  made = makeInstances();
});
afterAll(async () => {
  await model?.stop();
  made?.remove();
});

const place = (...names: string[]) => join(made.folder, ...names);
const givenTo = (url: string): GivenCommand => {
  const environment = { ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: url };
  return { environment, cwd: made.folder, program: EVAL_PROGRAM };
};
async function evaluateWith(words: readonly string[], url = model.url) {
  const { exitCode, out, err } = await startMagis(words, givenTo(url)).ended;
  return { exitCode, out: out.toString(), err };
}
const startAlone = (words: readonly string[]) => startMagis(words, givenTo(model.url));
const given = () => ["--instances", made.file, "--mirrors", made.mirrors];
const evaluate = (output: string, ...words: string[]) => evaluateWith([...given(), "--output", output, ...words]);
const json = (...names: string[]) => JSON.parse(readFileSync(place(...names), "utf8"));
const ids = ["acme__shop-1", "acme__till-2"];
const asked = (from: number) => model.journal.slice(from).flatMap(({ call }) => call?.promptId ?? []);
const LEAN = ["c02-locate-files", "p04-plan-work", "p09-change-file", "p11-review-work"];

describe("npm run eval", () => {
  it("solves, judges, grades and reports, with figures that were computed by hand", async () => {
    writeFileSync(
      place("grade.sh"),
      'printf \'{"acme__shop-1": {"resolved": true}, "acme__till-2": {"resolved": false}}\' > "$1"\n',
    );
    const ended = await evaluate("full", "--judge", "--grade", "test -s {predictions} && sh grade.sh {results}");
    expect({ ...ended, faults: model.faults }).toMatchObject({ exitCode: 0, faults: [] });
    expect(ended.out).toContain("2 instances finished: applied 100.0 %, resolved 50.0 %, recall@10 100.0 %");

    const lines = readFileSync(place("full", "predictions.jsonl"), "utf8").trim().split("\n");
    const [shop, till] = lines.map((line) => JSON.parse(line));
    expect(Object.keys(shop)).toEqual(["instance_id", "model_patch", "model_name_or_path"]);
    // The change is the reference's; only the abbreviated ids of git's index lines are not made.
    expect(shop.model_patch).toBe(made.instances[0]?.patch.replace(/^index .*\n/m, ""));
    expect(till.model_patch).toContain("+  return roundCents(sum + 0);");

    const { totals, instances, notMeasured } = json("full", "results.json");
    expect(instances[0]).toMatchObject({
      id: "acme__shop-1",
      resolved: true,
      end: { kind: "change" },
      patch: { applied: true },
      recall: { gold: ["src/money.js"], custodian: ["src/money.js"], corpus: 3 },
      coverage: { covered: 1, lines: 1, ratio: 1 },
      complexity: {
        reference: { files: 1, functions: 1, hunks: 1, added: 1, deleted: 1, changed: 2, first: 3, last: 3 },
      },
      spend: { calls: 4, sequentialCalls: 4, lookups: 0, failedCalls: 0 },
      correlation: { scores: [{ path: "src/money.js", score: 5 }], tasks: 1 },
    });
    expect(instances[1]).toMatchObject({
      resolved: false,
      coverage: { covered: 0, lines: 1, ratio: 0 },
      correlation: { scores: [{ score: 2 }] },
      complexity: { reference: { files: 2, added: 2, deleted: 1 }, generated: { files: 1, first: 6, last: 6 } },
    });
    expect(totals).toMatchObject({
      applied: { count: 2, of: 2 },
      resolved: { count: 1, of: 2, ratio: 0.5, ofGraded: { of: 2 } },
      coverage: { mean: 0.5, pooled: 0.5 },
      correlation: { mean: 3.5, scores: [0, 1, 0, 0, 1] },
    });
    expect(notMeasured.join("\n")).not.toMatch(/Resolved ratio|Task correlation/);
    const usages = ["shop-1", "till-2"].flatMap((id) => json("full", "instances", `acme__${id}`, "report.json").calls);
    const money = usages.reduce((sum: number, call: { money: number }) => sum + call.money, 0);
    expect(totals.spend.money.total).toBeCloseTo(money, 10);

    const report = readFileSync(place("full", "report.md"), "utf8");
    expect(report).toContain("](recall.svg)");
    expect(readFileSync(place("full", "recall.svg"), "utf8")).toMatch(/^<svg /);
    expect(report).toContain("| full | 2 | 100.0 % | 50.0 % | 50.0 % |");
    expect(report).toContain("`claude-haiku-5-5`, `claude-opus-5-5`");
  });

  it("checks changes by the instances' own commands, and reports what is resolved with and without", async () => {
    const checks = ["node -e 0", "! grep -n 'sum + 0' src/till.js"];
    const rows = readFileSync(made.file, "utf8").trim().split("\n");
    const lines = rows.map((row, at) => JSON.stringify({ ...JSON.parse(row), check: checks[at] }));
    writeFileSync(place("checked.jsonl"), lines.join("\n"));
    writeFileSync(
      place("grade-till.sh"),
      'if grep -q "sum - 0" "$1"; then r=true; else r=false; fi\nprintf \'{"acme__shop-1": true, "acme__till-2": %s}\' $r > "$2"\n',
    );
    const words = ["--instances", place("checked.jsonl"), "--mirrors", made.mirrors, "--output", "checked", "--check"];
    const ended = await evaluateWith([...words, "--grade", "sh grade-till.sh {predictions} {results}"]);
    expect({ ...ended, faults: model.faults }).toMatchObject({ exitCode: 0, faults: [] });
    const { totals, instances } = json("checked", "results.json");
    expect(instances[1].check).toMatchObject({ base: "green", end: "green", rounds: 1 });
    expect(instances[1].check.unchecked).toContain("sum + 0");
    expect(totals).toMatchObject({
      resolved: { count: 2, of: 2 },
      resolvedUnchecked: { count: 1, of: 2 },
      checks: { ends: { green: 2 }, sentBack: 1 },
    });
    expect(readFileSync(place("checked", "report.md"), "utf8")).toContain(
      "The check's end: 2 × green. 1 went back for it. Resolved with the check: 100.0 %; without it, by the changes as they were before: 50.0 %.",
    );
  });

  it("pays for nothing twice, and refuses results of another configuration or of other instances", async () => {
    const before = model.journal.length;
    expect(await evaluate("full", "--judge")).toMatchObject({ exitCode: 0 });
    const again = await evaluateWith(["--report-only", "--output", "full", "--results", place("graded.json")]);
    expect(again).toMatchObject({ exitCode: 1, err: expect.stringContaining("could not be read") });
    const other = await evaluate("full", "--judge", "--ablate", "hints,qa");
    expect(other).toMatchObject({ exitCode: 1, err: expect.stringContaining('ablate was [] and is ["hints","qa"]') });
    expect(model.journal).toHaveLength(before);
    expect(json("full", "results.json").totals.resolved).toMatchObject({ count: 1, of: 2 });
  });

  it("leaves out what is ablated, takes the reference's files, and stands beside other results", async () => {
    const before = model.journal.length;
    const ended = await evaluate("gold", "--files", "gold", "--ablate", "hints,qa", "--compare", "full", "--jobs", "1");
    expect(ended).toMatchObject({ exitCode: 0 });
    const [, plan, write] = LEAN;
    expect(asked(before)).toEqual([plan, write, plan, write]);
    const texts = model.journal.slice(before).map(({ call }) => call?.text ?? "");
    expect(texts.some((one) => one.includes("It is where the sum begins."))).toBe(false);
    const report = readFileSync(place("gold", "report.md"), "utf8");
    expect(report).toMatch(/\| without hints and qa, files given \| 2 \|.*\n\| full \(full\) \| 2 \|/);
    expect(json("gold", "results.json").totals.recall).toBeNull();
  });

  it("lets the model write a patch directly, from the files given, and repairs its miscounted hunks", async () => {
    const before = model.journal.length;
    const ended = await evaluate("direct", "--system", "direct", "--files", "gold");
    expect({ ...ended, faults: model.faults }).toMatchObject({ exitCode: 0, faults: [] });
    expect(asked(before)).toEqual(["b01-write-patch", "b01-write-patch"]);
    const texts = model.journal.slice(before).map(({ call }) => call?.text ?? "");
    expect(texts.every((text) => /^# The file `src\/(money|till)\.js`$/m.test(text))).toBe(true);
    const { totals, instances } = json("direct", "results.json");
    expect(totals).toMatchObject({ applied: { count: 2, of: 2 }, spend: { calls: { mean: 1 } } });
    expect(instances[0]).toMatchObject({ end: { kind: "change" }, coverage: { ratio: 1 }, spend: { calls: 1 } });
    const report = readFileSync(place("direct", "report.md"), "utf8");
    expect(report).toContain("| direct, full, files given | 2 | 100.0 % |");
  });

  it("locates by Algorithm 1 to the letter, and keeps the memory across a repository's instances", async () => {
    const before = model.journal.length;
    const words = ["--profile", "paper", "--locate", "paper", "--memory", "--jobs", "1"];
    const ended = await evaluate("letter", ...words, "--judge");
    expect({ ...ended, faults: model.faults }).toMatchObject({ exitCode: 0, faults: [] });
    const { instances } = json("letter", "results.json");
    let all = 0;
    for (const { id, recall } of instances) {
      const { record } = json("letter", "instances", id, "report.json");
      const judged = record.candidates.judged.map((one: { path: string }) => one.path);
      expect(judged).toEqual(recall.bm25.slice(0, 10));
      all += judged.length;
    }
    expect(asked(before).filter((id) => id === "p03-judge-relevance")).toHaveLength(all);
    expect(readFileSync(place("letter", "report.md"), "utf8")).toContain(
      "| full, profile paper, BM25 alone, memory kept | 2 |",
    );
    // The same commit again: all that it needs is remembered.
    const rows = [made.instances[0], { ...made.instances[0], instance_id: "acme__shop-9" }];
    writeFileSync(place("twice.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const twice = ["--instances", place("twice.jsonl"), "--mirrors", made.mirrors, ...words];
    const summaries = async (...more: string[]) => {
      const from = model.journal.length;
      expect(
        await evaluateWith([...twice, "--jobs", "2", "--output", more[0] ?? "kept", ...more.slice(1)]),
      ).toMatchObject({
        exitCode: 0,
      });
      return asked(from).filter((id) => id === "p02-summarise-file").length;
    };
    expect(await summaries("kept")).toBe(3);
    expect(await summaries("left-out", "--ablate", "memory")).toBe(6);
    const lean = await evaluate("lean", "--locate", "paper");
    expect(lean).toMatchObject({ exitCode: 1, err: expect.stringContaining("needs the profile paper") });
  });

  it("claims no approval anywhere when QA is left out", async () => {
    for (const profile of ["lean", "paper"]) {
      const ended = await evaluate(profile, "--profile", profile, "--ablate", "qa", "--files", "gold");
      expect({ ...ended, faults: model.faults }).toMatchObject({ exitCode: 0, faults: [] });
      for (const id of ids) {
        const { record, state } = json(profile, "instances", id, "report.json");
        const report = place(profile, "instances", id, "report.json");
        const shown = await startMagisHere(["show", report], { cwd: made.folder }).ended;
        const said = `${JSON.stringify([record.work, state])}\n${shown.out}`;
        expect(record.work.outcomes.map(({ status }: { status: string }) => status)).not.toContain("approved");
        expect(said.replaceAll("not approved", "")).not.toMatch(/approved by|status":"approved|approved":true/);
      }
    }
  });

  it.each([
    [["--ablate", "memory"], "needs --memory"],
    [["--locate", "paper", "--files", "bm25"], "nothing is located"],
    [["--system", "direct"], "needs --files"],
    [["--system", "direct", "--files", "gold", "--ablate", "qa,hints"], "has no qa to leave out"],
    [["--system", "direct", "--files", "gold", "--judge"], "does not take --judge"],
  ])("refuses %p", async (words, reason) => {
    expect(await evaluate("refused-words", ...words)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining(reason),
    });
  });

  it("continues after a kill, and counts what the killed run had spent", async () => {
    const ofTill = (call: Call) => call.promptId === "p09-change-file" && call.text.includes("The till's total");
    const hold = model.hold(ofTill);
    const started = startAlone([...given(), "--output", "killed", "--jobs", "1"]);
    await Promise.race([hold.reached, started.ended]);
    started.kill();
    await started.ended;
    hold.release();
    expect(readdirSync(place("killed", "instances"))).toEqual(["acme__shop-1"]);
    const before = model.journal.length;
    expect(await evaluate("killed", "--jobs", "1")).toMatchObject({ exitCode: 0 });
    expect(asked(before)).toEqual(LEAN);
    const { totals, spent } = json("killed", "results.json");
    expect(totals.instances).toBe(2);
    expect(spent).toBeGreaterThan(totals.spend.money.total);
  });

  it("begins no instance that --budget has no room for, and ends with 4", async () => {
    const ended = await evaluate("poor", "--budget", "0.08", "--jobs", "1");
    expect(ended).toMatchObject({ exitCode: 4 });
    const { spent, unfinished } = json("poor", "results.json");
    expect(spent).toBeLessThanOrEqual(0.08);
    expect(Object.keys(unfinished)).toContain("acme__till-2");
  });

  it("counts no instance for which the model's service refused the key, and ends with 1", async () => {
    const error = { status: 401, type: "authentication_error", message: "invalid x-api-key" };
    const refusing = await startScriptedModel({ answer: () => ({ error }) });
    try {
      const ended = await evaluateWith([...given(), "--output", "refused"], refusing.url);
      expect(ended).toMatchObject({ exitCode: 1, err: expect.stringContaining("2 instances are not finished") });
      expect(readdirSync(place("refused", "instances"))).toEqual([]);
    } finally {
      await refusing.stop();
    }
  });

  it("reports faults before paying for anything", async () => {
    const before = model.journal.length;
    expect(await evaluateWith(["--instances", made.file])).toMatchObject({ exitCode: 2 });
    expect(await evaluate("x", "--limit", "0")).toMatchObject({ exitCode: 2, err: expect.stringContaining("--limit") });
    const file = place("wrong.jsonl");
    const [shop, till] = made.instances;
    const lines = [
      { ...shop, base_commit: "0".repeat(40) },
      { ...till, repo: "acme/none" },
    ];
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    const ended = await evaluateWith(["--instances", file, "--mirrors", made.mirrors, "--output", "wrong"]);
    expect(ended).toMatchObject({ exitCode: 1, out: "" });
    expect(ended.err).toMatch(/^acme__shop-1: the mirror .* has no commit 0{40}: fetch it first\.$/m);
    expect(ended.err).toContain("acme__till-2: --mirrors has no git repository for acme/none.");
    expect(existsSync(place("wrong"))).toBe(false);
    expect(await evaluate("mirrors")).toMatchObject({ exitCode: 1, err: expect.stringContaining("is not empty") });
    rmSync(file);
    expect(model.journal).toHaveLength(before);
  });
});

const isTill = ({ text }: Call) => text.includes("The till's total is wrong");

/** A model that resolves `acme__shop-1` as the reference does, and changes line 6 instead of 4 for `acme__till-2`. */
const evalScript: Script = (call) => {
  const path = isTill(call) ? "src/till.js" : "src/money.js";
  const line = isTill(call) ? 6 : 3;
  const text = isTill(call) ? "  return roundCents(sum + 0);" : "  return Math.round(cents);";
  const anchor = isTill(call) ? "  return roundCents(sum);" : "  return Math.floor(cents);";
  const script = createScript({
    files: { [path]: { rounds: [{ edits: [{ start: line, end: line, text }] }] } },
    concerns: (_issue, one) => one === path,
    answers: {
      // The till's check is red on `sum + 0`.
      "p09-change-file": ({ text: shown }) =>
        shown.includes("was run on the change as it stands")
          ? scriptedChange([{ start: 6, end: 6, anchor: text, text: "  return roundCents(sum - 0);" }])
          : undefined,
      // As models do: the hunk counts one line too few.
      "b01-write-patch": `Here it is.\n<patch>\n--- a/${path}\n+++ b/${path}\n@@ -${line},1 +${line},1 @@\n-${anchor}\n+${text}\n }\n</patch>`,
      "j01-judge-correlation": { reason: "The same place.", score: isTill(call) ? 2 : 5 },
    },
  });
  return script(call);
};

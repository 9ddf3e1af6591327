import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { goOnWithResults } from "../../eval/evaluation/results/result-folder.ts";
import { checkWritable, writePrivate } from "../../src/commands/resolve/output-files.ts";
import { writeWhole } from "../../src/data/write-whole.ts";
import { sampleMetrics } from "../evaluation/sample-metrics.ts";

describe("what holds an issue, code or answers", () => {
  let folder: string;
  let umask: number;
  beforeEach(async () => {
    umask = process.umask(0);
    folder = await mkdtemp(join(tmpdir(), "magis-private-"));
  });
  afterEach(async () => {
    process.umask(umask);
    await rm(folder, { recursive: true });
  });
  const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

  const writers = {
    "magis resolve --record and --output": (file: string) => writePrivate(file, "{}"),
    "magis show --html": (file: string) => writeWhole(file, "<p>"),
  };

  it.each(Object.entries(writers))(
    "is its owner's alone when %s writes it, also over a file open to all",
    async (_, write) => {
      const [fresh, old] = [join(folder, "new"), join(folder, "old")];
      await writeFile(old, "open", { mode: 0o666 });
      for (const file of [fresh, old]) {
        await write(file);
        expect([file, await modeOf(file)]).toEqual([file, "600"]);
      }
    },
  );

  it.each([
    ["none/at/all.patch", "no such"],
    [".", "it is a folder"],
  ])("is refused before the run where it could not be written: %s", async (name, why) => {
    await expect(checkWritable(join(folder, name))).rejects.toThrow(why);
  });

  it("is not written through a link of the checkout in which a command is given", async () => {
    const [checkout, outside] = [join(folder, "checkout"), join(folder, "outside")];
    await Promise.all([mkdir(join(checkout, "real"), { recursive: true }), mkdir(outside)]);
    await writeFile(join(outside, "profile"), "mine");
    await symlink(join(outside, "profile"), join(checkout, "fix.patch"));
    await symlink(join(outside, "new"), join(checkout, "dangling"));
    await symlink(outside, join(checkout, "patches"));
    const before = process.cwd();
    process.chdir(checkout);
    try {
      for (const file of [
        "fix.patch",
        "dangling",
        "patches/profile",
        "./real/../patches/x",
        join(checkout, "fix.patch"),
      ])
        for (const act of [(one: string) => writePrivate(one, "{}"), checkWritable])
          await expect(act(file)).rejects.toMatchObject({ code: "CONFIGURATION_INVALID" });
      for (const file of ["real/fix.patch", "plain.patch"]) await writePrivate(file, "{}");
    } finally {
      process.chdir(before);
    }
    expect(await readdir(outside)).toEqual(["profile"]);
    expect(await readFile(join(outside, "profile"), "utf8")).toBe("mine");
  });

  it("is its owner's alone when npm run eval writes it: results, reports, patches, ledger", async () => {
    const output = join(folder, "results");
    const wanted = { version: "1", began: "2026-01-01T00:00:00Z", configuration: {} };
    const open = () => goOnWithResults(output, wanted);
    const results = await open();
    const metrics = sampleMetrics();
    const prediction = { instance_id: metrics.id, model_patch: "", model_name_or_path: "m" };
    await results.keep({
      prediction,
      report: { id: "r", repository: "a/b", title: "", requestedAt: "", record: {}, calls: [] },
      metrics,
    });
    await results.keepGrading(new Map());
    results.ledger.begin("i")(0.1);
    for (const name of ["predictions.jsonl", "results.json", "report.md", "tokens.svg"]) await results.write(name, "x");
    await chmod(join(output, "ledger.jsonl"), 0o666);
    (await open()).ledger.begin("i")(0.2);
    const entries = await readdir(output, { recursive: true, withFileTypes: true });
    const modes = await Promise.all(
      entries.map(async (one) => [one.name, one.isFile(), await modeOf(join(one.parentPath, one.name))] as const),
    );
    expect(modes.filter(([, isFile]) => isFile)).toHaveLength(10);
    for (const [name, isFile, mode] of modes) expect([name, mode]).toEqual([name, isFile ? "600" : "700"]);
    expect(await modeOf(output)).toBe("700");
  });
});

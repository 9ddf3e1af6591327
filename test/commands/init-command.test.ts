import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { examineFolder } from "../../src/commands/doctor/doctor-folder.ts";
import { initCommand, startingSettings } from "../../src/commands/init-command.ts";
import { checkDocument } from "../../src/settings/repository/check-document.ts";
import { readDocument } from "../../src/settings/repository/read-document.ts";
import { runProgramNow } from "../world/git/run-program.ts";
import { projectRoot } from "../world/project-root.ts";
import { commandContext } from "./command-context.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const environment = { PATH: process.env.PATH, ANTHROPIC_API_KEY: "secret-key" };
const context = commandContext({ environment });

let folder: string;
const write = (file: string, text: string | Uint8Array) => writeFileSync(join(folder, file), text);
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const git = (...args: string[]) =>
  runProgramNow({ command: "git", args: ["-C", folder, ...args], env: environment, input: "" });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magis-init-"));
  git("init", "-q");
  git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-q", "--allow-empty", "-m", "first");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("magis init", () => {
  const init = (action: string | undefined = `acme/magis@${COMMIT}`) =>
    initCommand.run({ operand: folder, options: { action } }, context);

  it("writes the documented workflow with the action's commit and the names of the workflows that are there", async () => {
    mkdirSync(join(folder, ".github/workflows"), { recursive: true });
    write(".github/workflows/ci.yml", "name: 'Tests: all'\non: push\n");
    write(".github/workflows/lint.yaml", "on: push\n");
    expect(await init()).toMatchObject({ exitCode: 0, text: expect.stringContaining("Written: .github/magis.yml") });
    const made = read(".github/workflows/magis.yml");
    expect(parse(made).on.workflow_run.workflows).toEqual(["Tests: all", ".github/workflows/lint.yaml"]);
    const [, documented = ""] =
      /```yaml\n([\s\S]*?)```/.exec(readFileSync(join(projectRoot(), "docs/action.md"), "utf8")) ?? [];
    const template = readFileSync(join(projectRoot(), "pages/init/workflow.yml"), "utf8");
    expect(template).toBe(documented);
    expect(made.replace(/workflows: \[.*\]/, "workflows: [CI]")).toBe(
      template.replaceAll("OWNER/REPO@COMMIT", `acme/magis@${COMMIT}`),
    );
  });

  it("overwrites nothing, and says so", async () => {
    mkdirSync(join(folder, ".github"));
    write(".github/magis.yml", "label: mine\n");
    const { text } = await init();
    expect(text).toContain("Left as it is: .github/magis.yml");
    expect(text).toContain("Written: .github/workflows/magis.yml");
    expect(read(".github/magis.yml")).toBe("label: mine\n");
    expect((await init()).text).not.toContain("Written");
  });

  it.each(["acme/magis@v1", "acme/magis@0123456"])("takes no action without a full hash: %s", async (action) => {
    expect(await init(action)).toMatchObject({ exitCode: 2, text: expect.stringContaining("40 hex digits") });
    expect(() => read(".github/magis.yml")).toThrow();
  });

  it("says where there is no repository, and where a file cannot be made", async () => {
    const nowhere = join(tmpdir(), "magis-no-such-folder");
    const run = initCommand.run({ operand: nowhere, options: {} }, context);
    expect(await run).toMatchObject({ exitCode: 1, text: expect.stringContaining("no working copy") });
    write(".github", "a file");
    await expect(init()).rejects.toThrow(".github/workflows/magis.yml cannot be written: ");
  });

  it("writes nothing through a link", async () => {
    mkdirSync(join(folder, ".github"));
    mkdirSync(join(folder, "elsewhere"));
    symlinkSync("../elsewhere", join(folder, ".github/workflows"));
    await expect(init()).rejects.toThrow(".github/workflows is a link");
    expect(() => read("elsewhere/magis.yml")).toThrow();
    rmSync(join(folder, ".github"), { recursive: true });
    symlinkSync("elsewhere", join(folder, ".github"));
    await expect(init()).rejects.toThrow(".github is a link");
  });

  it("gives settings that are valid, with all of them commented out or none", () => {
    const all = startingSettings();
    const used = all.replace(/^#(?! )/gm, "").replace(/^#(?= {2}\w)/gm, "");
    for (const text of [all, used]) {
      const document = readDocument(text.replace(/^ *[\w-]+: …\n/gm, ""));
      expect(document).not.toHaveProperty("faults");
      if ("content" in document) expect(checkDocument(document)).toEqual([]);
    }
  });
});

describe("magis doctor --repo", () => {
  const examine = async (more: Readonly<Record<string, string | undefined>> = {}) => {
    const own = { ...environment, HOME: folder, ...more };
    const findings = await examineFolder(
      folder,
      { offline: true, model: "none" },
      commandContext({ environment: own }),
    );
    const of = (name: string) =>
      findings.filter(({ check }) => check === name).map(({ level, text }) => `${level}: ${text}`);
    return { settings: of("settings"), git: of("git"), configuration: of("configuration") };
  };
  const settings = (text: string | Uint8Array) => {
    mkdirSync(join(folder, ".github"), { recursive: true });
    write(".github/magis.yml", text);
  };

  it("finds a working copy without settings sound", async () => {
    expect(await examine()).toEqual({
      settings: ["ok: There is no .github/magis.yml: the defaults hold."],
      git: [expect.stringMatching(/^ok: .* is at commit [0-9a-f]{10}\.$/)],
      configuration: ["ok: Every variable that a run on this machine needs is valid."],
    });
  });

  it.each<[string, () => void, string]>([
    ["a fault in it, with its line", () => settings("draft: true\nlabl: x\n"), "line 2: `labl` is not a known key"],
    ["UTF-16", () => settings(Buffer.from("\uFEFFdraft: true\n", "utf16le")), "is not encoded in UTF-8"],
    ["more than 1 MB", () => settings("#".repeat(1_100_000)), "is larger than 1 MB"],
    ["a folder", () => mkdirSync(join(folder, ".github/magis.yml"), { recursive: true }), "is a folder"],
    [
      "a link",
      () => {
        mkdirSync(join(folder, ".github"));
        write("mine.yml", "draft: true\n");
        symlinkSync("../mine.yml", join(folder, ".github/magis.yml"));
      },
      "is a link",
    ],
    [
      "another case",
      () => {
        mkdirSync(join(folder, ".github"));
        write(".github/Magis.yml", "draft: true\n");
      },
      "rename this file",
    ],
  ])("finds settings that no run would read: %s", async (_, make, words) => {
    make();
    const found = (await examine()).settings;
    expect(found).toEqual([expect.stringMatching(/^fault: /)]);
    expect(found[0]).toContain(words);
  });

  it("says what only GitHub knows", async () => {
    settings("_extends: .github\n");
    expect((await examine()).settings.at(-1)).toMatch(/^warning: The file that it extends .* was not looked at\.$/);
  });

  it("names a missing key, a folder without a repository, and one without a commit", async () => {
    expect((await examine({ ANTHROPIC_API_KEY: undefined })).configuration[0]).toMatch(/^fault: ANTHROPIC_API_KEY is/);
    git("update-ref", "-d", "HEAD");
    expect((await examine()).git[0]).toMatch(/^fault: .* has no commit yet/);
    rmSync(join(folder, ".git"), { recursive: true });
    expect((await examine()).git[0]).toMatch(/^fault: There is no working copy/);
  });
});

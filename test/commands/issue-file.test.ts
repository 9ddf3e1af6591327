import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { resolveFile } from "../../src/commands/resolve/resolve-file.ts";
import type { ResolveWork } from "../../src/commands/resolve/resolve-work.ts";
import { readCommandConfig } from "../../src/settings/environment/read-config.ts";
import { caught } from "../models/anthropic/caught.ts";

const wide = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

describe("magis resolve with an issue file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-issue-"));
    await mkdir(join(folder, "directory"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The error about an issue file, or about a missing repository when the file is fine. */
  async function said(file: string, repository = join(folder, "nowhere")): Promise<string> {
    const config = readCommandConfig({}, undefined, { ANTHROPIC_API_KEY: "key" });
    const { signal } = new AbortController();
    // Nothing else is needed before issue and repository are found.
    const work = {
      args: { options: {} },
      config,
      environment: process.env,
      signal,
      progress() {},
    } as unknown as ResolveWork;
    return (await caught(resolveFile({ kind: "file", repository, file: join(folder, file) }, work))).message;
  }

  it.each<[string, string | Buffer, RegExp]>([
    ["empty", "", /is empty: write what is wrong, the title in its first line/],
    ["blanks", " \n\t\n", /is empty/],
    ["marks", "\n# \n", /is empty/],
    ["bytes", Buffer.from([1, 0, 2, 0xff]), /is not text/],
    ["title", "# It breaks\n", /There is no directory/],
    ["body", "#\n\nIt breaks.\n", /There is no directory/],
    ["latin", Buffer.from("caf\xe9 breaks", "latin1"), /There is no directory/],
    ["powershell", wide("It breaks\r\n"), /There is no directory/],
  ])("checks a file of kind %s", async (name, content, words) => {
    await writeFile(join(folder, name), content);
    expect(await said(name)).toMatch(words);
  });

  it.each([
    ["missing.md", /cannot be read: there is no such file/],
    ["directory", /cannot be read: it is a folder/],
  ])("says why it cannot read %s", async (name, words) => {
    expect(await said(name)).toMatch(words);
  });

  it("asks for --repo in a folder without a repository", async () => {
    await writeFile(join(folder, "issue.md"), "It breaks");
    expect(await said("issue.md", folder)).toMatch(
      /There is no git repository in .* give --repo the directory of a clone/,
    );
  });
});

import { expect, it } from "@jest/globals";
import { newFileStyle } from "../../src/change/new-file-style.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";

it.each<[string, Readonly<Record<string, string>>, string, boolean]>([
  ["nothing", {}, "\n", false],
  ["its folder", { "src/b.cs": "\ufeffx\r\ny\r\n", "src/c.ts": "x\n", "lib/d.cs": "z\n" }, "\r\n", true],
  ["most of its folder", { "src/b.cs": "x\r\n", "src/c.cs": "\ufeffy\n", "src/d.cs": "z\n" }, "\n", false],
  ["old Mac files", { "src/b.cs": "x\ry\r" }, "\r", false],
  ["other folders where its own has none", { "lib/b.cs": "\ufeffx\r\n" }, "\r\n", true],
  ["no binary file", { "lib/b.cs": "x\r\n", "src/c.cs": "\0\r\n" }, "\n", false],
  ["git's own line ends", { "src/b.cs": "x\r\n", ".gitattributes": "* text=auto\n" }, "\n", false],
])("takes the style of a new file from %s", async (_what, files, eol, bom) => {
  expect(await newFileStyle("src/a.cs", createFakeHost(files).openRepository())).toEqual({ eol, bom });
});

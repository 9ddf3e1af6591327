import { expect, it } from "@jest/globals";
import { newFileStyle } from "../../src/change/new-file-style.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";

const CRLF = "root = true\n[*]\nend_of_line = crlf\n";

it.each<[string, Readonly<Record<string, string>>, string, boolean]>([
  ["nothing", {}, "\n", false],
  ["siblings of the same kind", { "src/b.cs": "\ufeffx\r\ny\r\n", "src/c.ts": "x\n" }, "\r\n", true],
  ["most siblings", { "src/b.cs": "x\r\n", "src/c.cs": "\ufeffy\n", "src/d.cs": "z\n" }, "\n", false],
  ["old Mac siblings", { "src/b.cs": "x\ry\r" }, "\r", false],
  ["no file elsewhere, and none that is binary", { "lib/b.cs": "x\r\n", "src/c.cs": "\0\r\n" }, "\n", false],
  [".editorconfig before siblings", { ".editorconfig": CRLF, "src/b.cs": "x\n" }, "\r\n", false],
  ["its nearest file", { ".editorconfig": CRLF, "src/.editorconfig": "[*.cs]\nend_of_line=LF\n" }, "\n", false],
  ["its nearest root", { ".editorconfig": CRLF, "src/.editorconfig": "root=true\n" }, "\n", false],
  ["its last section", { ".editorconfig": `${CRLF}[src/*.{ts,cs}]\nend_of_line = lf\n` }, "\n", false],
  ["no section for others", { ".editorconfig": "[*.ts]\nend_of_line = crlf\n" }, "\n", false],
  ["its charset", { ".editorconfig": "[*]\ncharset = utf-8-bom\n" }, "\n", true],
  ["its charset before siblings", { ".editorconfig": "[*]\ncharset = utf-8\n", "src/b.cs": "\ufeffx" }, "\n", false],
  ["git's own line ends", { ".editorconfig": CRLF, ".gitattributes": "* text=auto\n" }, "\n", false],
])("takes the style of a new file from %s", async (_what, files, eol, bom) => {
  expect(await newFileStyle("src/a.cs", createFakeHost(files).openRepository())).toEqual({ eol, bom });
});

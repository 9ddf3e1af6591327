import { expect, it } from "@jest/globals";
import { fileMode } from "../../../src/code/edits/file-mode.ts";

const ENTRIES = new Map([
  ["bin/run", { mode: "100755" }],
  ["lib/run", { mode: "100644" }],
  ["top", { mode: "100755" }],
]);

it.each([
  ["an old program", "bin/run", "x", "100755"],
  ["an old plain file", "lib/run", "#!/bin/sh", "100644"],
  ["a new program beside programs", "bin/new", "#!/bin/sh", "100755"],
  ["a new program in the root", "new", "#!/bin/sh", "100755"],
  ["a new file that is no program", "bin/new", "echo", "100644"],
  ["a new program beside plain files", "lib/new", "#!/bin/sh", "100644"],
  ["a new program below a folder of programs", "bin/more/new", "#!/bin/sh", "100644"],
])("gives the mode of %s", (_what, path, text, mode) => {
  expect(fileMode(path, Buffer.from(text), ENTRIES)).toBe(mode);
});

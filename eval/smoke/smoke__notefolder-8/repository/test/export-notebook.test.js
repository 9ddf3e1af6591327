import assert from "node:assert/strict";
import { test } from "node:test";
import { exportNotebook } from "../src/index.js";

test("writes an index and a page for each note", () => {
  const pages = exportNotebook([{ title: "Shopping list", body: "Milk" }]);
  assert.deepEqual([...pages.keys()], ["index.md", "shopping-list.md"]);
  assert.equal(pages.get("shopping-list.md"), "# Shopping list\n\nMilk\n");
});

test("numbers notes of the same title", () => {
  const pages = exportNotebook([
    { title: "Ideas", body: "1" },
    { title: "Ideas!", body: "2" },
  ]);
  assert.deepEqual([...pages.keys()], ["index.md", "ideas.md", "ideas-2.md"]);
  assert.match(pages.get("index.md"), /\[Ideas!\]\(ideas-2\.md\)/);
});

test("links a tag's notes from its page", () => {
  const pages = exportNotebook([
    { title: "One", body: "", tags: ["home"] },
    { title: "Two", body: "" },
  ]);
  assert.equal(pages.get("tags/home.md"), "# home\n\n- [One](../one.md)\n");
});

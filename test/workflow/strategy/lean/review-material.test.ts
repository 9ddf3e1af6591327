import { describe, expect, it } from "@jest/globals";
import { unifiedDiff } from "../../../../src/edits/diff.ts";
import { openRepositoryView } from "../../../../src/workflow/strategy/lean/repository-view.ts";
import { findUsesOfChange, viewCalled } from "../../../../src/workflow/strategy/lean/review-material.ts";
import type { TaskProgress } from "../../../../src/workflow/strategy/lean/task-progress.ts";
import { sampleTask } from "../../../fakes/sample-task.ts";
import { openWorkshop } from "../../open-workshop.ts";

const STORE =
  "export class Store {\n  limit = 1;\n\n  load(key) {\n    return key;\n  }\n\n  save(key) {\n    return key;\n  }\n}\n";
const FILES: Readonly<Record<string, string>> = {
  "src/store.js": STORE,
  "src/shop.js": "import { Store } from './store.js';\nconst store = new Store();\nstore.load(1);\n",
  "src/desk.js": "import { Store } from './store.js';\nnew Store().save(2);\n",
  "test/store.test.js": "test('a', () => {});\n",
};

function changed(path: string, after: string): TaskProgress {
  const [before, content] = [Buffer.from(FILES[path] ?? ""), Buffer.from(after)];
  const change = { content, diff: unifiedDiff(path, before, content), summary: "" };
  const none = { attempts: [], comments: [], replies: {}, reviewed: new Map<number, Uint8Array>() };
  return { task: sampleTask({ path }), before, change, qaEngineer: { title: "", description: "" }, ...none };
}

async function uses(...team: readonly TaskProgress[]) {
  const shop = await openWorkshop({ files: FILES });
  const repositoryView = await openRepositoryView(shop.tools);
  return findUsesOfChange(team, { repositoryView, parser: shop.tools.parser, overlay: new Map() });
}

describe("what QA is shown of the uses", () => {
  it("is of the method that changed, not of its class", async () => {
    const told = await uses(
      changed("src/store.js", STORE.replace("load(key) {\n    return key", "load(key) {\n    return key + 1")),
    );
    expect(told).toContain("src/shop.js:3: store.load(1);");
    expect(told).not.toContain("new Store()");
  });

  it("is not of the class when a method is added to it, and is when the class itself changes", async () => {
    const added = STORE.replace("  save(key)", "  drop() {\n    return 0;\n  }\n\n  save(key)");
    expect(await uses(changed("src/store.js", added))).not.toContain("Store()");
    const renamed = STORE.replace("class Store {", "class Store extends Base {");
    expect(await uses(changed("src/store.js", renamed))).toContain("const store = new Store();");
  });
});

describe("what QA is shown of the code that is called", () => {
  it("is what the change calls, and not what only a test calls", async () => {
    const helper = "export function rounded(value) {\n  return value;\n}\n";
    const far = "const space = 0;\n".repeat(30);
    const before = `${helper}${far}export function tested() {\n  return 2;\n}\n${far}export function main() {\n  return 1;\n}\n`;
    const shop = await openWorkshop({ files: FILES });
    const source: TaskProgress = {
      ...changed("src/store.js", ""),
      before: Buffer.from(before),
      change: {
        content: Buffer.from(before.replace("return 1;", "return rounded(1);")),
        diff: "+  return rounded(1);\n",
        summary: "",
      },
    };
    const test = changed("test/store.test.js", "test('a', () => tested());\n");
    const told = await viewCalled([source, test], { parser: shop.tools.parser, reason: "", context: 3 });
    expect(told).toContain("function rounded(value)");
    expect(told).not.toContain("function tested()");
  });
});

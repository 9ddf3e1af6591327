import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { SETTINGS_DOCUMENTS } from "../../docs/settings-documents.ts";

/** Compare JSON as data: the formatter lays out the file. */
const comparable = (path: string, text: string) => (path.endsWith(".json") ? JSON.stringify(JSON.parse(text)) : text);

describe("documents made from the settings", () => {
  it.each(SETTINGS_DOCUMENTS.map((document) => [document.path, document] as const))("%s is up to date", (path, one) => {
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    const isCurrent = comparable(path, one.make(text)) === comparable(path, text);
    expect(isCurrent ? "up to date" : `${path} differs from the definitions: npm run docs:tables`).toBe("up to date");
  });

  it("cannot be made without the marks", () => {
    const configuration = SETTINGS_DOCUMENTS.find(({ path }) => path === "docs/configuration.md");
    expect(() => configuration?.make("# Configuration\n")).toThrow("<!-- keys -->");
  });
});

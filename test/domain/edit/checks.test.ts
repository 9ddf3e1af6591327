import { describe, expect, it } from "@jest/globals";
import { checkMarkers } from "../../../src/domain/edit/check-markers.ts";
import { checkSyntax } from "../../../src/domain/edit/check-syntax.ts";

describe("checkMarkers", () => {
  it("names the line of a conflict marker", () => {
    expect(checkMarkers(["a\n"], ["a\n", "<<<<<<< HEAD\n", "=======\n", ">>>>>>> x\n"])).toMatch(
      /^Line 2 .*<<<<<<< HEAD/,
    );
    expect(checkMarkers([], ["a\r\n", ">>>>>>>\r\n"])).toMatch(/^Line 2/);
  });

  it("leaves headings, shifts and markers that were there", () => {
    expect(checkMarkers([], ["Title\n", "=======\n", "x <<<<<<< y\n", "<<<<<<<<\n"])).toBeUndefined();
    expect(checkMarkers(["<<<<<<< a\n"], ["<<<<<<< a\n", "b\n"])).toBeUndefined();
  });
});

describe("checkSyntax", () => {
  it.each([
    ["a.json", '{"a":1}', '{"a":1,}'],
    ["a.js", "import a from 'a';", "import a from"],
    ["a.js", "with (a) {}", "with (a) {"],
    ["a.cjs", "return 1;", "return 1 +;"],
    ["a.mjs", "await 1;", "await;;)"],
  ])("refuses %s that parsed before and does not now", (path, before, after) => {
    expect(checkSyntax(path, before, after)).toContain(`${path} parsed before`);
    expect(checkSyntax(path, before, before)).toBeUndefined();
  });

  it("says nothing of what did not parse before or is unknown", () => {
    expect(checkSyntax("tsconfig.json", "{ // a\n}", "{,}")).toBeUndefined();
    expect(checkSyntax("a.py", "a", "(")).toBeUndefined();
  });
});

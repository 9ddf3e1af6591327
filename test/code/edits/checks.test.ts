import { describe, expect, it } from "@jest/globals";
import { checkMarkers } from "../../../src/change/check-change.ts";

describe("checkMarkers", () => {
  it("names the line of a conflict marker", () => {
    expect(checkMarkers(["a\n"], ["a\n", "<<<<<<< HEAD\n", "=======\n", ">>>>>>> x\n"])).toMatch(
      /^Line 2 .*<<<<<<< HEAD/,
    );
    expect(checkMarkers([], ["a\r\n", ">>>>>>>\r\n"])).toMatch(/^Line 2/);
  });

  it("ignores headings, shift operators and markers that were there before", () => {
    expect(checkMarkers([], ["Title\n", "=======\n", "x <<<<<<< y\n", "<<<<<<<<\n"])).toBeUndefined();
    expect(checkMarkers(["<<<<<<< a\n"], ["<<<<<<< a\n", "b\n"])).toBeUndefined();
  });
});

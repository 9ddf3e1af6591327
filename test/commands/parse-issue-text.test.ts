import { describe, expect, it } from "@jest/globals";
import { parseIssueText } from "../../src/commands/resolve/resolve-file.ts";

describe("parseIssueText", () => {
  it.each([
    ["# It breaks\n\nOften.\n\n## Steps\n", "It breaks", "Often.\n\n## Steps"],
    ["\uFEFF\r\n  It breaks  \r\nOften.\r\n", "It breaks", "Often."],
    ["## It breaks ##\nOften.", "It breaks", "Often."],
    ["It breaks\n=========\n\nOften.", "It breaks", "Often."],
    ["It breaks", "It breaks", ""],
    ["#12 breaks\n", "#12 breaks", ""],
  ])("reads %j", (text, title, body) => {
    expect(parseIssueText(text)).toEqual({ title, body });
  });

  it.each(["", " \n\t\n", "\uFEFF"])("finds nothing in %j", (text) => {
    expect(parseIssueText(text)).toBeUndefined();
  });
});

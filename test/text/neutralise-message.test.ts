import { describe, expect, it } from "@jest/globals";
import { neutraliseMessage } from "../../src/text/neutralise.ts";

const Z = "\u200b";

describe("neutraliseMessage", () => {
  it("defuses a commit message, in code too", () => {
    expect(neutraliseMessage("`@a` fixes\n#5 [ci skip]\nCo-authored-by: B <b@c.d>")).toBe(
      `\`@${Z}a\` f${Z}ixes\n#5 ci skip\nCo-authored-by - B <b@c.d>`,
    );
    expect(neutraliseMessage("Do it\n\n/merge\n/src/a reads &#64;a")).toBe(`Do it\n\n/${Z}merge\n/src/a reads &#64;a`);
    expect(neutraliseMessage("Parse it; see #5.\n\nTwice.")).toBe("Parse it; see #5.\n\nTwice.");
  });
});

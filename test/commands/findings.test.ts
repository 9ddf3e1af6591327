import { describe, expect, it } from "@jest/globals";
import { findingsText, ok, runChecks, withoutSecrets } from "../../src/commands/findings.ts";

describe("findings", () => {
  it("come in order although a check fails or hangs", async () => {
    const findings = await runChecks(
      [
        { name: "late", run: () => new Promise(() => undefined) },
        { name: "broken", run: () => Promise.reject(new Error("it broke")) },
        { name: "two", run: async () => [ok("One.")] },
      ],
      50,
    );
    expect(findings).toEqual([
      { check: "late", level: "fault", text: expect.stringContaining("longer than") },
      { check: "broken", level: "fault", text: expect.stringContaining("it broke") },
      { check: "two", level: "ok", text: "One." },
    ]);
    expect(findingsText(findings).split("\n").at(-1)).toBe("1 ok, no warnings, 2 faults.");
  });

  it("hold no secret and no control characters", () => {
    const text = "It said the-key ghs_abc.def eyJh.eyJi.sig postgres://me:word@host \u001b[31m\nend";
    const finding = withoutSecrets({ check: "a", level: "fault", text, remedy: "the-key" }, ["the-key", ""]);
    expect(finding).toMatchObject({ remedy: "[secret]" });
    expect(findingsText([finding]).split("\n")[0]).toBe(
      "fault    a: It said [secret] [secret] [secret] postgres://[secret]@host [31m end",
    );
  });
});

import { describe, expect, it } from "@jest/globals";
import type { HostIssue } from "../../../src/ports/code-host.ts";
import { similarIssues } from "../../../src/workflow/run/similar-issues.ts";

function host(number: number, title: string, body: string, more: Partial<HostIssue> = {}): HostIssue {
  return {
    number,
    title,
    body,
    author: "alice",
    url: `https://github.com/acme/shop/issues/${number}`,
    open: true,
    locked: false,
    isPullRequest: false,
    labels: [],
    assignees: [],
    ...more,
  };
}

const ISSUE = {
  number: 9,
  title: "The invoice rounds the total of a discount down",
  body: "With a discount of 33 % the total of an invoice is a cent too low. I expect it to be rounded half up.",
};

const OTHERS = [
  host(9, ISSUE.title, ISSUE.body),
  host(8, "Discounts: rounding of the invoice's total", "The total is rounded down with a discount.", { open: false }),
  host(7, "Round the total of an invoice with a discount half up", "Resolves the cent that is too low.", {
    isPullRequest: true,
  }),
  host(6, "Resolve #9: The invoice rounds the total of a discount down", ISSUE.body, { author: "magis[bot]" }),
  host(5, "Add a dark theme", "Please add a dark theme to the shop."),
  host(4, "The build fails on Windows", "npm install fails with a total of 3 errors."),
];

describe("similarIssues", () => {
  it("finds similar issues, but neither the issue itself nor the bot's own", async () => {
    expect(await similarIssues(ISSUE, OTHERS, "magis[bot]")).toEqual([
      { number: 7, isPullRequest: true, open: true, title: "Round the total of an invoice with a discount half up" },
      { number: 8, isPullRequest: false, open: false, title: "Discounts: rounding of the invoice's total" },
    ]);
  });

  it("finds none when nothing is similar or the issue has no words", async () => {
    expect(await similarIssues({ ...ISSUE, number: 5, title: "Dark", body: "theme" }, OTHERS.slice(1, 4), "x")).toEqual(
      [],
    );
    expect(await similarIssues({ number: 1, title: "", body: "" }, OTHERS, "x")).toEqual([]);
  });

  it("strips hidden text from their titles", async () => {
    const hidden = host(3, "The invoice rounds the total\u200b of a discount down", ISSUE.body);
    const [similar] = await similarIssues(ISSUE, [hidden], "x");
    expect(similar?.title).toBe("The invoice rounds the total of a discount down");
  });
});

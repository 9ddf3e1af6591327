import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { readManifest } from "./front/app-manifest.ts";
import { projectRoot } from "./project-root.ts";

const OURS = {
  ...(parse(readFileSync(join(projectRoot(), "app.yml"), "utf8")) as Readonly<Record<string, unknown>>),
  redirect_url: "http://127.0.0.1:1/setup/registered",
};

describe("reading an app's manifest", () => {
  it("accepts the project's own, with its webhook, events and permissions", () => {
    expect(readManifest(JSON.stringify(OURS))).toMatchObject({
      manifest: {
        hook: { active: true },
        events: expect.arrayContaining(["issues", "check_run"]),
        permissions: { contents: "write", metadata: "read" },
      },
    });
  });

  it.each([
    [{ webhook_url: "https://bot.example" }, "webhook_url is no parameter"],
    [{ toString: "x" }, "toString is no parameter"],
    [{ redirect_url: "here" }, "redirect_url is not of its kind"],
    [{ url: "ftp://bot.example" }, "url is not of its kind"],
    [{ public: "no" }, "public is not of its kind"],
    [{ hook_attributes: { active: true } }, "hook_attributes.url is missing"],
    [{ hook_attributes: { url: "https://bot.example", active: "yes" } }, "hook_attributes.active is not of its kind"],
    [{ hook_attributes: { url: "https://bot.example", secret: "s" } }, "hook_attributes.secret is no parameter"],
    [{ default_events: ["labels"] }, "labels is no event"],
    [{ default_events: ["release"], default_permissions: { issues: "write" } }, "release needs one of"],
    [{ default_permissions: { pull_request: "write" } }, "pull_request is no permission"],
    [{ default_permissions: { contents: "admin" } }, "contents is no level of it: admin"],
  ])("refuses %j", (changes, fault) => {
    expect(readManifest(JSON.stringify({ ...OURS, ...changes }))).toEqual({
      faults: expect.arrayContaining([expect.stringContaining(fault)]),
    });
  });
});

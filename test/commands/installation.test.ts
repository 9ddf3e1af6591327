import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { botCommands } from "../../src/commands/bot-commands.ts";

const folder = mkdtempSync(join(tmpdir(), "magis-installed-"));
const checkout = join(folder, "checkout");
const image = join(folder, "app");
const installed = join(folder, "lib", "node_modules", "magis");
for (const root of [join(checkout, "src"), image, installed]) mkdirSync(root, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the commands that people are shown", () => {
  it.each([
    ["installed by npm", "/usr/bin/magis", installed, "magis start", "magis setup"],
    ["as a service", join(installed, "dist", "cli.js"), installed, "magis start", "magis setup"],
    ["in a linked checkout", "/usr/bin/magis", checkout, "magis start", "magis setup"],
    ["in a checkout", join(checkout, "dist", "main.js"), checkout, "npm start", "npm start"],
    ["in a container", join(image, "dist", "main.js"), image, `node ${image}/dist/main.js`, "Start the container"],
  ])("%s", (_, program, root, start, toSetUp) => {
    const commands = botCommands(program, root);
    expect(commands.start).toBe(start);
    expect(commands.toSetUp).toContain(toSetUp);
    expect(commands.toSetUp).toContain("magis setup");
  });
});

import { existsSync } from "node:fs";
import path from "node:path";
import { OWN_FOLDER } from "../data/own-files.ts";

/** The bot's commands as people type them, which depends on how it was installed. */
export interface BotCommands {
  /** e.g. `magis start` */
  start: string;
  /** what precedes a command's name, e.g. `magis` */
  magis: string;
  /** a sentence: what to do when the bot is not running */
  toStart: string;
  /** a sentence: what to do when no app is configured */
  toSetUp: string;
}

/**
 * How people run commands, when the program is in `root` and was started as `program`: as `magis` if npm has installed
 * it, by npm in a checkout, or inside a container of the image, which has neither sources nor a `magis` command.
 */
export function botCommands(program = process.argv[1] ?? "", root = OWN_FOLDER): BotCommands {
  const isInstalled = path.basename(path.dirname(root)) === "node_modules";
  if (isInstalled || path.basename(program) === "magis") {
    return {
      start: "magis start",
      magis: "magis",
      toStart: "Run magis start.",
      toSetUp: "Run magis setup: it registers one in a browser and writes .env.",
    };
  }
  if (existsSync(path.join(root, "src"))) {
    return {
      start: "npm start",
      magis: "node dist/cli.js",
      toStart: "Run npm start.",
      toSetUp: "Run npm start: it shows the pages of magis setup, which register one in a browser and write .env.",
    };
  }
  const own = path.join(root, "dist");
  return {
    start: `node ${path.join(own, "main.js")}`,
    magis: `node ${path.join(own, "cli.js")}`,
    toStart: "Start the container.",
    toSetUp:
      "Start the container without an app: its log names the address of the pages of magis setup, which register one.",
  };
}

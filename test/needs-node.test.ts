import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "@jest/globals";
import { parse } from "acorn";
import { projectRoot } from "./world/project-root.ts";

const bin = join(projectRoot(), "bin");
const CHECK = join(bin, "needs-node.cjs");

/** What the check says on a Node of that version, which started `program`. */
function saidOn(version: string, program = "/usr/bin/magis"): string {
  const said: string[] = [];
  const process = {
    argv: ["node", program],
    execPath: "/usr/bin/node",
    version: `v${version}`,
    versions: { node: version },
    stderr: { write: (text: string) => said.push(text) },
    exit: () => undefined,
  };
  runInNewContext(readFileSync(CHECK, "utf8"), { process, require: createRequire(CHECK) });
  return said.join("");
}

describe("a Node that is too old", () => {
  it.each(["needs-node.cjs", "magis.cjs"])("can read %s", (name) => {
    expect(() => parse(readFileSync(join(bin, name), "utf8"), { ecmaVersion: 5, allowHashBang: true })).not.toThrow();
  });

  it.each(["0.12.18", "12.22.12", "18.20.8", "20.18.3"])("gets a sentence: %s", (version) => {
    expect(saidOn(version)).toBe(
      `MAGIS needs Node.js 20.19 or later, and /usr/bin/node is v${version}. Install a newer one, or put it first on your PATH, and give the command again.\n`,
    );
  });

  it.each(["20.19.0", "22.0.0", "24.21.0"])("is not %s", (version) => expect(saidOn(version)).toBe(""));

  it("is one that cannot run the sources, where those are run", () => {
    expect(saidOn("22.17.1", "/action/src/cli.ts")).toContain("needs Node.js 22.18 or later");
    expect(saidOn("22.18.0", "/action/src/cli.ts")).toBe("");
  });

  it("is asked for before anything else by every script that runs the program, and by the Action", () => {
    const { scripts, bin: programs } = JSON.parse(readFileSync(join(projectRoot(), "package.json"), "utf8"));
    expect(programs).toEqual({ magis: "bin/magis.cjs" });
    for (const name of ["build", "jest"]) expect(scripts[name]).toMatch(/^node bin\/needs-node\.cjs && /);
    for (const name of ["prepare", "package"])
      expect(scripts[name]).toMatch(/^node --require \.\/bin\/needs-node\.cjs /);
    for (const name of ["prestart", "predemo", "pretest", "pretest:all"]) {
      expect(scripts[name]).toMatch(/^npm run --silent build/);
    }
    const action = readFileSync(join(projectRoot(), "action.yml"), "utf8");
    const started = [...action.matchAll(/ node (.*)src\/cli\.ts"/g)].map(([, words]) => words);
    expect(new Set(started)).toEqual(
      new Set(['--require "$GITHUB_ACTION_PATH/bin/needs-node.cjs" "$GITHUB_ACTION_PATH/']),
    );
  });

  it("is not this one", () => {
    const { status, stdout } = spawnSync(process.execPath, [join(bin, "magis.cjs"), "--version"], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "0.1.0\n" });
  });
});

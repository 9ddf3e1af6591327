import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { claimEnvFile, workingEnvFile } from "../../../src/settings/environment/own-env-file.ts";

describe("the .env of the working directory", () => {
  const before = process.cwd();
  let top: string;
  let state: string;
  const go = (name: string) => {
    mkdirSync(join(top, name), { recursive: true });
    process.chdir(join(top, name));
  };
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), "magis-own-env-")));
    state = join(top, "state", "magis");
  });
  afterEach(() => {
    process.chdir(before);
    rmSync(top, { recursive: true });
  });

  it("is not trusted where no server was set up", () => {
    go("checkout");
    expect(workingEnvFile({}, state)).toEqual({ path: ".env", isOwn: false });
    expect(workingEnvFile({}, undefined)).toEqual({ path: ".env", isOwn: false });
  });

  it("is trusted only where a server was once set up or started", () => {
    go("server");
    expect(claimEnvFile(state)).toEqual({ path: ".env", isOwn: true });
    claimEnvFile(state);
    expect(readFileSync(join(state, "servers"), "utf8")).toBe(`${join(top, "server")}\n`);
    expect(statSync(join(state, "servers")).mode & 0o777).toBe(0o600);
    expect(workingEnvFile({}, state).isOwn).toBe(true);
    go("server/checkout");
    expect(workingEnvFile({}, state).isOwn).toBe(false);
    symlinkSync(join(top, "server"), join(top, "link"));
    process.chdir(join(top, "link"));
    expect(workingEnvFile({}, state).isOwn).toBe(true);
  });

  it("is not trusted for a server in a folder whose name goes on with another folder's on a new line", () => {
    go(`server\n${join(top, "checkout")}`);
    claimEnvFile(state);
    go("checkout");
    expect(workingEnvFile({}, state).isOwn).toBe(false);
  });

  it("is trusted in MAGIS_DATA_DIR of the environment, and in the program's own checkout", () => {
    go("data");
    expect(workingEnvFile({ MAGIS_DATA_DIR: join(top, "data") }, undefined).isOwn).toBe(true);
    expect(workingEnvFile({ MAGIS_DATA_DIR: join(top, "other") }, undefined).isOwn).toBe(false);
    process.chdir(join(import.meta.dirname, "..", "..", ".."));
    expect(workingEnvFile({}, undefined).isOwn).toBe(true);
  });

  it("is trusted by the server, but by no later command, when the list of servers cannot be written", () => {
    go("server");
    expect(claimEnvFile(undefined).isOwn).toBe(true);
    expect(claimEnvFile("/dev/null/state").isOwn).toBe(true);
    expect(workingEnvFile({}, "/dev/null/state").isOwn).toBe(false);
  });
});

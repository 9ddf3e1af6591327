import { expect, it } from "@jest/globals";
import { stateFolder } from "../../src/settings/environment/state-folder.ts";

it.each([
  ["Linux", "linux", {}, "/home/ana", "/home/ana/.local/state/magis"],
  ["HOME in the environment", "linux", { HOME: "/tmp/ana" }, "/home/ana", "/tmp/ana/.local/state/magis"],
  ["XDG_STATE_HOME", "linux", { XDG_STATE_HOME: "/var/ana" }, "/home/ana", "/var/ana/magis"],
  ["relative XDG_STATE_HOME: ignored", "linux", { XDG_STATE_HOME: "ana" }, "/home/ana", "/home/ana/.local/state/magis"],
  ["macOS", "darwin", {}, "/Users/ana", "/Users/ana/Library/Application Support/magis"],
  ["Windows", "win32", { LOCALAPPDATA: "D:\\Local" }, "C:\\Users\\ana", "D:\\Local\\magis"],
  ["Windows without LOCALAPPDATA", "win32", {}, "C:\\Users\\ana", "C:\\Users\\ana\\AppData\\Local\\magis"],
  ["no home at all", "linux", { HOME: "", XDG_STATE_HOME: "" }, "", undefined],
] as const)("finds the user's state folder: %s", (_what, platform, environment, home, expected) => {
  expect(stateFolder(environment, { platform, home })).toBe(expected);
});

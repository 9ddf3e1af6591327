import { expect, it } from "@jest/globals";
import { stateFolder } from "../../src/config/environment/state-folder.ts";

it.each([
  ["Linux", "linux", {}, "/home/ana", "/home/ana/.local/state/magis"],
  ["a home of the environment's", "linux", { HOME: "/tmp/ana" }, "/home/ana", "/tmp/ana/.local/state/magis"],
  ["where XDG says", "linux", { XDG_STATE_HOME: "/var/ana" }, "/home/ana", "/var/ana/magis"],
  ["XDG, not absolute: to be ignored", "linux", { XDG_STATE_HOME: "ana" }, "/home/ana", "/home/ana/.local/state/magis"],
  ["macOS", "darwin", {}, "/Users/ana", "/Users/ana/Library/Application Support/magis"],
  ["Windows", "win32", { LOCALAPPDATA: "D:\\Local" }, "C:\\Users\\ana", "D:\\Local\\magis"],
  ["Windows, without the variable", "win32", {}, "C:\\Users\\ana", "C:\\Users\\ana\\AppData\\Local\\magis"],
  ["no home at all", "linux", { HOME: "", XDG_STATE_HOME: "" }, "", undefined],
] as const)("finds the folder for a person's state: %s", (_what, platform, environment, home, expected) => {
  expect(stateFolder(environment, { platform, home })).toBe(expected);
});

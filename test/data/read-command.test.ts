import { describe, expect, it } from "@jest/globals";
import { readCommand, VERBS } from "../../src/data/command.ts";

describe("readCommand", () => {
  it.each(VERBS)("reads %s by its name alone", (verb) => {
    expect(readCommand(`/magis ${verb}`)?.verb).toBe(verb);
  });

  it.each([
    ["/magis resolve", { verb: "resolve", hint: "" }],
    ["  /MAGIS Resolve look at src/a.ts\r\nand b", { verb: "resolve", hint: "look at src/a.ts\nand b" }],
    ["/magis plan\n\nfirst the tests", { verb: "plan", hint: "first the tests" }],
    ["/magis approve", { verb: "approve", hint: "" }],
    ["/magis cancel please\n/magis resolve", { verb: "cancel" }],
    ["/magis continue", { verb: "continue" }],
    ["/magis continue +2.50", { verb: "continue", amount: 2.5 }],
    ["/magis continue $3", { verb: "continue", amount: 3 }],
    ["/magis", { verb: "help" }],
    ["/magis resovle now", { verb: "unknown", text: "resovle", nearest: "resolve" }],
    ["/magis stats", { verb: "unknown", text: "stats", nearest: "status" }],
    ["/magis continue all", { verb: "unknown", text: "continue all", nearest: "continue" }],
    ["/magis continue +0", { verb: "unknown", text: "continue +0", nearest: "continue" }],
  ])("reads %j", (body, command) => {
    expect(readCommand(body)).toEqual(command);
  });

  it.each([
    "please /magis resolve",
    "/magisresolve",
    "> /magis resolve",
    "text\n/magis resolve",
    "",
    "/ magis resolve",
  ])("finds no command in %j", (body) => {
    expect(readCommand(body)).toBeUndefined();
  });
});

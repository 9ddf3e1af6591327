import { describe, expect, it } from "@jest/globals";
import { runProgram, startBySmallProcess } from "./run-program.ts";

const task = (script: string, input: string | Buffer = "") => ({
  command: process.execPath,
  args: ["-e", script],
  env: { GREETING: "hello", ABSENT: undefined },
  input,
});

async function tryPrograms(): Promise<void> {
  const bytes = Buffer.from([0, 255, 13, 10]);
  const echo = "process.stdin.pipe(process.stdout); console.error(process.env.GREETING, process.env.ABSENT)";
  const { code, out, err } = await runProgram(task(echo, bytes));
  expect({ code, out: Buffer.from(out), err: Buffer.from(err).toString() }).toEqual({
    code: 0,
    out: bytes,
    err: "hello undefined\n",
  });
  const ends = [3, 0, 7].map((end) => runProgram(task(`process.exit(${end})`)));
  expect((await Promise.all(ends)).map((end) => end.code)).toEqual([3, 0, 7]);
  await expect(runProgram({ ...task(""), command: "no-such-program" })).rejects.toThrow("ENOENT");
}

describe("runProgram", () => {
  it("gives the output as bytes, and the exit code", tryPrograms);

  it("does the same when a small process starts the programs", async () => {
    const { stop } = startBySmallProcess();
    try {
      await tryPrograms();
    } finally {
      await stop();
    }
  });
});

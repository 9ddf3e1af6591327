import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { keptInProcess } from "../../kept-in-process.ts";
import type { Ended, Task } from "./program-runner.ts";
import { RUNNER } from "./run-program.ts";

const THREAD = new URL("./program-thread.js", import.meta.url);

/**
 * Runs a program by a small process, as `runProgram` does, and waits for its end where it stands. Throws when it cannot be
 * started or ends with another code than 0, with what it said.
 */
export function runProgramNow(task: Task): Buffer {
  const { code, out, err, fault } = keptInProcess("program-thread", startThread)(task);
  if (fault !== undefined) throw new Error(fault);
  if (code !== 0) {
    const said = Buffer.from(err).toString();
    throw Object.assign(new Error(`Command failed: ${[task.command, ...task.args].join(" ")}\n${said}`), {
      status: code,
    });
  }
  return Buffer.from(out.buffer, out.byteOffset, out.byteLength);
}

/** A thread that asks the small process while this one stands still. */
function startThread(): (task: Task) => Ended {
  const { port1, port2 } = new MessageChannel();
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port: port2, ended, runner: RUNNER, execArgv: process.execArgv };
  const thread = new Worker(THREAD, { workerData, transferList: [port2] });
  thread.unref();
  return (task) => {
    Atomics.store(ended, 0, 0);
    port1.postMessage(task);
    Atomics.wait(ended, 0, 0);
    return receiveMessageOnPort(port1)?.message as Ended;
  };
}

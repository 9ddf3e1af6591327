import { fork } from "node:child_process";
import { workerData } from "node:worker_threads";

// A thread of `run-program-now.ts`: hands what it is asked on to a small process, and wakes who waits for the end.
const { port, ended, runner, execArgv } = workerData;

function answer(how) {
  port.postMessage(how);
  Atomics.store(ended, 0, 1);
  Atomics.notify(ended, 0);
}

const child = fork(runner, { serialization: "advanced", execArgv });
child.on("message", (message) => answer(message.ended));
child.once("exit", () => answer({ code: null, out: Buffer.of(), err: Buffer.of(), fault: "the runner has ended" }));
child.unref();
child.channel.unref();
port.on("message", (task) => child.send({ id: 0, task }));

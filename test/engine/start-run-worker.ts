import { fork } from "node:child_process";
import { once } from "node:events";
import { isMagisError } from "../../src/model/error.ts";
import type { Delivery } from "../../src/model/run-request.ts";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import type { PortAnswer, PortCall } from "./remote-port.ts";
import type { RunWorkerOptions } from "./run-worker.ts";

/** Finds the port that a worker's call is meant for. */
export type Ports = (call: PortCall) => object;

/** Whether a call is carried out but never answered. */
export type Withheld = (call: PortCall) => boolean;

export interface RunWorker {
  readonly logs: readonly string[];
  deliver(delivery: Delivery): void;
  /** Withholds the answers to calls that `which` picks; resolves when `count` of them have been carried out. */
  withhold(which: Withheld, count: number): Promise<void>;
  /** SIGKILL; resolves when it is gone. */
  end(): Promise<void>;
}

type Message = Partial<PortCall> & { readonly ready?: true; readonly refused?: string; readonly log?: string };

/** Starts the product as a process of its own whose GitHub and model are `ports`, which outlive it. */
export async function startRunWorker(path: string, options: RunWorkerOptions, ports: Ports): Promise<RunWorker> {
  const env = { ...process.env, WORKER_OPTIONS: JSON.stringify(options), NODE_OPTIONS: "" };
  const child = fork(path, { env, execArgv: [...NODE_FLAGS], serialization: "advanced" });
  const logs: string[] = [];
  let withheld: Withheld = () => false;
  let held = () => {};
  const gone = once(child, "exit");
  const end = async () => {
    child.kill("SIGKILL");
    await gone;
  };
  const answer = async (call: PortCall) => {
    const done = await carryOut(ports, call);
    if (withheld(call)) return held();
    if (child.connected) child.send(done, () => undefined);
  };
  const ready = new Promise<void>((resolve, reject) => {
    gone.then(() => reject(new Error(`the worker ended before it was ready:\n${logs.join("\n")}`)));
    child.on("message", (message: Message) => {
      if (message.log !== undefined) logs.push(message.log);
      if (message.call !== undefined) void answer(message as PortCall);
      if (message.ready) resolve();
      if (message.refused !== undefined) reject(new Error(message.refused));
    });
  });
  await ready;
  return {
    logs,
    deliver: (delivery) => void child.send({ delivery }),
    withhold: (which, count) =>
      new Promise((resolve) => {
        let left = count;
        withheld = which;
        held = () => {
          left -= 1;
          if (left === 0) resolve();
        };
      }),
    end,
  };
}

async function carryOut(ports: Ports, { call, method, given, ...rest }: PortCall): Promise<PortAnswer> {
  try {
    const port = ports({ call, method, given, ...rest });
    const value: unknown = await Reflect.apply(Reflect.get(port, method), port, [...given]);
    return { answered: call, value };
  } catch (error) {
    const { message } = error as Error;
    const known = isMagisError(error) && { code: error.code, data: error.data as Record<string, unknown> };
    return { answered: call, error: { message, ...known } };
  }
}

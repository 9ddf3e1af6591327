import { fork } from "node:child_process";
import { once } from "node:events";
import { isMagisError } from "../../src/model/error.ts";
import type { Delivery } from "../../src/model/run-request.ts";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import type { PortAnswer, PortCall } from "./remote-port.ts";
import type { RunWorkerOptions } from "./run-worker.ts";

/** The ports that this process holds for a worker, by name. */
export type Ports = (name: string) => object;

/** Says whether the worker is to die now: the call has been carried out, and its answer is not given. */
export type Killing = (call: PortCall) => boolean;

export interface RunWorker {
  readonly logs: readonly string[];
  deliver(delivery: Delivery): void;
  /** Kills it with SIGKILL at the call that `killing` names, between its effect and its answer; resolves when it is gone. */
  killAt(killing: Killing): Promise<void>;
  end(): Promise<void>;
}

type Message = Partial<PortCall> & { readonly ready?: true; readonly refused?: string; readonly log?: string };

/** Starts the product as a process of its own whose GitHub and model are `ports`, which outlive it. */
export async function startRunWorker(path: string, options: RunWorkerOptions, ports: Ports): Promise<RunWorker> {
  const env = { ...process.env, WORKER_OPTIONS: JSON.stringify(options), NODE_OPTIONS: "" };
  const child = fork(path, { env, execArgv: [...NODE_FLAGS], serialization: "advanced" });
  const logs: string[] = [];
  let killing: Killing = () => false;
  const gone = once(child, "exit");
  const end = async () => {
    child.kill("SIGKILL");
    await gone;
  };
  const answer = async (call: PortCall) => {
    const done = await carryOut(ports(call.port), call);
    if (killing(call)) return void child.kill("SIGKILL");
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
    async killAt(next) {
      killing = next;
      await gone;
    },
    end,
  };
}

async function carryOut(port: object, { call, method, given }: PortCall): Promise<PortAnswer> {
  try {
    const value: unknown = await Reflect.apply(Reflect.get(port, method), port, [...given]);
    return { answered: call, value };
  } catch (error) {
    const { message } = error as Error;
    const known = isMagisError(error) && { code: error.code, data: error.data as Record<string, unknown> };
    return { answered: call, error: { message, ...known } };
  }
}

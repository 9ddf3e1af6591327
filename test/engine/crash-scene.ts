import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Delivery, Trigger } from "../../src/model/run-request.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { createFakeModel } from "../fakes/create-fake-model.ts";
import { createFakeRepository } from "../fakes/create-fake-repository.ts";
import { projectRoot } from "../world/project-root.ts";
import { type CompiledWorker, compileWorker } from "./compile-worker.ts";
import { crashScript } from "./crash-script.ts";
import { removeTemplate, startedDirectory, until } from "./in-process.ts";
import type { PortCall } from "./remote-port.ts";
import { type Killing, type RunWorker, startRunWorker } from "./start-run-worker.ts";

const ISSUE = 7;
const FILES = { "greet.txt": "helo\nworld\nend\n", ".github/pull_request_template.md": "## Checklist\n" };

/**
 * The product as a process that dies, with a GitHub and a model that outlive it. Each case gets a repository of its own
 * and the same process.
 */
export async function startCrashScene() {
  const compiled: CompiledWorker = await compileWorker("run-worker");
  const dataDir = await startedDirectory();
  const options = { dataDir, prompts: join(projectRoot(), "prompts") };
  let place = opened();
  let worker: RunWorker;
  let deliveries = 0;
  const ports = (name: string) => place.ports(name);
  const start = async () => {
    worker = await startRunWorker(compiled.path, options, ports);
  };
  await start();

  const deliver = (trigger: Trigger, issue: number, actor = "ana") => {
    deliveries += 1;
    const repository = { owner: "ana", name: place.name, installationId: 1 };
    const at = new Date().toISOString();
    const text = trigger.kind === "label" && { text: { title: "greet.txt has a typo", body: "Say Hello." } };
    const delivery: Delivery = {
      ...{ id: `d${deliveries}`, repository, issue, actor, actorIsBot: false, trigger, ...text, at },
    };
    worker.deliver(delivery);
  };
  return {
    /** Another repository, on which nothing has happened. */
    open() {
      place = opened();
      return place;
    },
    /** Lets an event happen, and kills the process at the call that `killing` names, after its effect and before its answer. */
    async killedAt(killing: Killing, happen: () => void): Promise<void> {
      const dead = worker.killAt(killing);
      happen();
      await dead;
      await start();
    },
    deliver,
    label: () => deliver({ kind: "label", label: "magis" }, ISSUE),
    until: (condition: () => boolean, what: string) =>
      until(
        condition,
        `${what}\n${worker.logs.slice(-15).join("\n")}\n${JSON.stringify(place.state.comments, null, 1)}`,
        60_000,
      ),
    logs: () => worker.logs,
    async close() {
      await worker.end();
      await compiled.remove();
      await removeTemplate();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let places = 0;

/** A repository on the host, its issue, and the model that answers there. */
function opened() {
  places += 1;
  const { host, state, faults } = createFakeHost(FILES);
  state.issue = { ...state.issue, labels: ["magis"] };
  const { model, calls } = createFakeModel(crashScript);
  const fake = (at: string) => createFakeRepository(state.objects, at);
  const clone = { open: async (at: string) => new Map(fake(at).entries) };
  const all: Readonly<Record<string, object>> = { host, model, clone };
  return {
    name: `shop-${places}`,
    state,
    calls,
    ports: (name: string) => all[name] ?? fake(name.replace("repository ", "")),
    /** how often the host was asked for a write */
    writes: (method: string) => faults.count(method),
    pull: () => state.pullRequests[0],
    tip: () => state.objects.refs.get(`refs/heads/${state.pullRequests[0]?.branch}`) ?? "",
  };
}

/** A call of a method whose first text contains `words`. */
export const calls =
  (method: string, words = "") =>
  (call: PortCall) =>
    call.method === method && JSON.stringify(call.given).includes(words);

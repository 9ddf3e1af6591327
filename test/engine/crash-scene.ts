import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Delivery, Trigger } from "../../src/model/run-request.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { createFakeModel } from "../fakes/create-fake-model.ts";
import { createFakeRepository } from "../fakes/create-git-objects.ts";
import { projectRoot } from "../world/project-root.ts";
import { type CompiledWorker, compileWorker } from "./compile-worker.ts";
import { crashScript } from "./crash-script.ts";
import { removeTemplate, startedDirectory, until } from "./in-process.ts";
import type { PortCall } from "./remote-port.ts";
import { type RunWorker, startRunWorker } from "./start-run-worker.ts";

const ISSUE = 7;

type Host = ReturnType<typeof createFakeHost>;
type Model = ReturnType<typeof createFakeModel>;

export interface Place {
  readonly name: string;
  readonly state: Host["state"];
  readonly calls: Model["calls"];
  isMeantBy(call: PortCall): boolean;
  port(call: PortCall): object;
  /** how often the host was asked for a write */
  writes(method: string): number;
  pull(): Host["state"]["pullRequests"][number] | undefined;
  /** the commit at the head of the pull request's branch */
  tip(): string;
}

/** A place, what happens there, and the call at which its run stops: its method, and a text in its arguments. */
export interface Case {
  readonly place: Place;
  readonly happens: () => void;
  readonly method: string;
  readonly words?: string;
}

/**
 * The product as a process that dies, with a GitHub and a model that outlive it. Each case gets a repository of its own;
 * all share the process and its death.
 */
export async function startCrashScene() {
  const compiled: CompiledWorker = await compileWorker("run-worker");
  const dataDir = await startedDirectory();
  const options = { dataDir, prompts: join(projectRoot(), "prompts") };
  let worker: RunWorker;
  let deliveries = 0;
  const ports = (call: PortCall) => {
    const place = places.find((one) => one.isMeantBy(call));
    if (place === undefined) throw new Error(`${call.port} ${call.method}: no place is meant`);
    return place.port(call);
  };
  const start = async () => {
    worker = await startRunWorker(compiled.path, options, ports);
  };
  await start();

  const deliver = (place: Place, trigger: Trigger, issue: number, actor = "ana") => {
    deliveries += 1;
    const repository = { owner: "ana", name: place.name, installationId: 1 };
    const at = new Date().toISOString();
    const text = trigger.kind === "label" && { text: { title: place.state.issue.title, body: "Say Hello." } };
    const delivery: Delivery = {
      id: `d${deliveries}`,
      repository,
      issue,
      actor,
      actorIsBot: false,
      trigger,
      ...text,
      at,
    };
    worker.deliver(delivery);
  };
  return {
    /**
     * Lets all happen, and kills the process once each case waits at its call: after its effect and before its answer.
     * Gives how often each place had been asked for that write by then.
     */
    async killedAt(cases: readonly Case[]): Promise<ReadonlyMap<Place, number>> {
      const stopped = new Map<Place, number>();
      const isStopped = (call: PortCall) => {
        const found = cases.find(({ place }) => place.isMeantBy(call));
        const { place, method, words = "" } = found ?? {};
        if (place === undefined || stopped.has(place) || call.method !== method) return false;
        if (!JSON.stringify(call.given).includes(words)) return false;
        stopped.set(place, place.writes(method));
        return true;
      };
      const all = worker.withhold(isStopped, cases.length);
      for (const { happens } of cases) happens();
      await all;
      await worker.end();
      await start();
      return stopped;
    },
    deliver,
    label: (place: Place) => deliver(place, { kind: "label", label: "magis" }, ISSUE),
    until: (condition: () => boolean, what: string) =>
      until(condition, `${what}\n${worker.logs.slice(-15).join("\n")}`),
    logs: () => worker.logs,
    async close() {
      await worker.end();
      await compiled.remove();
      await removeTemplate();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const places: Place[] = [];

/** Opens another repository with an issue and a model. The issue's title and the file tell which one a call means. */
export function openPlace(): Place {
  const name = `shop-${places.length + 1}`;
  const sign = `${name}:`;
  const files = { "greet.txt": `helo\nworld\n${sign}\n`, ".github/pull_request_template.md": "## Checklist\n" };
  const { host, state, faults } = createFakeHost(files, { issue: { title: `${sign} greet.txt has a typo` } });
  state.issue = { ...state.issue, labels: ["magis"] };
  const { model, calls } = createFakeModel(crashScript);
  const fake = (at: string) => createFakeRepository(state.objects, at);
  const clone = { open: async (at: string) => new Map(fake(at).entries) };
  const all: Readonly<Record<string, object>> = { [`host ${name}`]: host, [`clone ${name}`]: clone, model };
  const place: Place = {
    name,
    state,
    calls,
    isMeantBy: ({ port, given }: PortCall) =>
      port === "model" ? JSON.stringify(given).includes(sign) : port.split(" ")[1] === name,
    port: ({ port }: PortCall) => all[port] ?? fake(port.split(" ")[2] ?? ""),
    writes: (method: string) => faults.count(method),
    pull: () => state.pullRequests[0],
    tip: () => state.objects.refs.get(`refs/heads/${state.pullRequests[0]?.branch}`) ?? "",
  };
  places.push(place);
  return place;
}

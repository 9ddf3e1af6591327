import { describe, expect, it } from "@jest/globals";
import { COMMANDS, readCommand, VERBS } from "../../../src/data/command.ts";
import type { Delivery } from "../../../src/data/run-request.ts";
import { asksForWork, endsWork } from "../../../src/data/run-request.ts";
import { createAdmission } from "../../../src/webhooks/admission/admit.ts";
import type { AdmissionDependencies } from "../../../src/webhooks/admission/dependencies.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";
import { createFakeStore } from "../../fakes/create-fake-store.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";

/** What comes of a command on an issue whose run works, where the repository's settings have a fault. */
async function given(body: string) {
  const fake = createFakeHost({ "a.txt": "a\n" });
  const at = "2026-01-03T00:00:00Z";
  const comment = { id: 50, nodeId: "n", author: "ben", byBot: false, body, createdAt: at, updatedAt: at };
  fake.state.comments.push(comment);
  const request = sampleRequest();
  const command = readCommand(body);
  if (!command) throw new Error(`${body} is no command`);
  const delivery: Delivery = {
    id: "delivery-2",
    repository: request.repository,
    issue: request.issue,
    actor: "ben",
    actorIsBot: false,
    trigger: { kind: "other-command", commentId: 50, command, on: "issue" },
    at,
  };
  const fault = { file: ".github/magis.yml", key: "draft", line: 3, message: "It is neither true nor false." };
  const deps = {
    openCodeHost: async () => ({ ...fake.host, permissionOf: async () => "write" }),
    store: createFakeStore().store,
    log: createFakeLog().log,
    budget: { money: 5, tokens: 1000, minutes: 30 },
    label: "magis",
    allowedBots: [],
    readSettings: async () => ({ faults: [fault] }),
    queue: {
      unfinished: async (_: unknown, issue: number) => (issue === request.issue ? [request] : []),
      place: async () => ({ ahead: 0 }),
      unadmitted: async () => [],
    },
  } as unknown as AdmissionDependencies;
  const decision = await createAdmission(deps)(delivery);
  const said = fake.state.comments.filter(({ author }) => author === fake.host.login).map(({ body: text }) => text);
  return { delivery, decision, said: said.join("") };
}

describe("a command where the settings have a fault", () => {
  it.each(VERBS)("starts no work, but still ends work and answers: %s", async (verb) => {
    const { delivery, decision, said } = await given(`/magis ${verb}`);
    const { effect } = COMMANDS[verb];
    expect([asksForWork(delivery), endsWork(delivery)]).toEqual([effect === "starts work", effect === "ends work"]);
    expect(said.includes("my configuration in this repository has faults")).toBe(effect === "starts work");
    expect(decision !== undefined).toBe(effect === "ends work");
    expect(said === "").toBe(effect === "ends work");
  });

  it("answers an unknown command and reports no fault in the settings", async () => {
    const { delivery, said } = await given("/magis reslove");
    expect([asksForWork(delivery), endsWork(delivery)]).toEqual([false, false]);
    expect(said).toContain("my configuration in this repository has faults");
  });
});

import { describe, expect, it } from "@jest/globals";
import { COMMANDS, readCommand, VERBS } from "../../../src/data/command.ts";
import { asksForWork, endsWork } from "../../../src/data/run-request.ts";
import { createAdmission } from "../../../src/webhooks/admission/admit.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { admissionDependencies, commentOf } from "./admitting.ts";

/** What comes of a command on an issue whose run works, where the repository's settings have a fault. */
async function given(body: string) {
  const fake = createFakeHost({}, { comments: [commentOf(50, body)] });
  const command = readCommand(body);
  if (!command) throw new Error(`${body} is no command`);
  const delivery = sampleDelivery({ trigger: { kind: "other-command", commentId: 50, command, on: "issue" } });
  const fault = { file: ".github/magis.yml", key: "draft", line: 3, message: "It is neither true nor false." };
  const { queue, ...rest } = admissionDependencies();
  const decision = await createAdmission({
    ...rest,
    openCodeHost: async () => fake.host,
    readSettings: async () => ({ faults: [fault] }),
    queue: { ...queue, unfinished: async () => [sampleRequest()] },
  })(delivery);
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

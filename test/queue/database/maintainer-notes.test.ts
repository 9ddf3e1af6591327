import { expect, it } from "@jest/globals";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import { createEvolutionMemory } from "../../../src/queue/database/evolution-memory.ts";
import { createLedger } from "../../../src/queue/database/ledger.ts";
import { createMaintainerNotes } from "../../../src/queue/database/maintainer-notes.ts";
import { MAX_NOTES } from "../../../src/report/notes.ts";
import { withNotes } from "../../../src/webhooks/admission/notes.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { takingCommands } from "../../webhooks/admission/taking-commands.ts";
import { onEachDatabase } from "./on-each-database.ts";
import { QUIET } from "./test-databases.ts";

const SHOP = { ...sampleRequest().repository };
const OTHER = { ...SHOP, name: "other" };

onEachDatabase("the notes of maintainers", (opened) => {
  const notes = () => createMaintainerNotes(opened.database.pool, QUIET);

  it("are kept by repository, once for each command, numbered, and deleted by number", async () => {
    const add = (comment: number, text: string) => notes().add(SHOP, comment, { text, by: "ana" });
    const both = await Promise.all([add(1, "Round half to even."), add(2, "Tests first.")]);
    expect([...both].sort()).toEqual([1, 2]);
    expect(await add(1, "Round half to even.")).toBe(both[0]);
    await notes().add(OTHER, 1, { text: "Elsewhere.", by: "ana" });
    expect(await notes().list({ ...SHOP, owner: SHOP.owner.toUpperCase() })).toHaveLength(2);
    expect([await notes().remove(SHOP, 1), await notes().remove(SHOP, 1)]).toEqual([true, false]);
    expect(await notes().list(SHOP)).toMatchObject([{ number: 2, by: "ana" }]);
  });

  it("are at most twenty, and go with their repository or lose their author", async () => {
    for (let comment = 100; comment < 100 + MAX_NOTES + 3; comment++)
      await notes().add(OTHER, comment, { text: `Note ${comment}`, by: "Ben" });
    expect(await notes().list(OTHER)).toHaveLength(MAX_NOTES);
    expect(await notes().add(OTHER, 999, { text: "One more", by: "ben" })).toBeUndefined();
    await createLedger(opened.database.pool, QUIET).forgetPerson("ben");
    expect((await notes().list(OTHER)).filter(({ by }) => by === "Ben")).toEqual([]);
    const memory = createEvolutionMemory(opened.database.pool, { maxVersions: 9, log: QUIET });
    await memory.forget({ owner: OTHER.owner, name: OTHER.name });
    expect([await notes().list(OTHER), (await notes().list(SHOP)).length]).toEqual([[], 1]);
  });

  it("are kept, listed and deleted by commands, and become instructions of the next run", async () => {
    const shop = await takingCommands({ notes: notes(), hasRun: false });
    await notes().remove(SHOP, 2);
    const say = async (body: Parameters<typeof shop.decision>[0]) => {
      shop.state.comments.splice(0);
      await shop.decision(body);
      return shop.answers().at(-1) ?? "";
    };
    expect(await say({ verb: "memory" })).toContain("I keep no notes");
    expect(await say({ verb: "remember", text: " " })).toContain("There is nothing to remember");
    expect(await say({ verb: "remember", text: "x".repeat(301) })).toContain("at most 300 characters");
    expect(await say({ verb: "remember", text: "Never touch\n`legacy`. <!-- and leak -->" })).toMatch(
      /I keep this as note 3: .*\| 3 \| Never touch `legacy`\. \| ben \|/s,
    );
    const [kept] = await notes().list(SHOP);
    expect(withNotes(DEFAULT_SETTINGS, kept ? [kept] : []).instructions).toBe(
      "Remember, from earlier reviews:\n- Never touch `legacy`.",
    );
    expect(await say({ verb: "forget" })).toContain("Say which note");
    expect(await say({ verb: "forget", number: 7 })).toContain("There is no note 7.");
    expect(await say({ verb: "forget", number: 1 })).toContain("There is no note 1.");
    expect(await say({ verb: "forget", number: 3 })).toContain("Note 3 is deleted.");
    expect(await notes().list(SHOP)).toEqual([]);
  });
});

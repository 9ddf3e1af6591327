import { afterEach, describe, expect, it } from "@jest/globals";
import { createAsk } from "../../../src/commands/doctor/ask.ts";
import { checkModel, checkPrices } from "../../../src/commands/doctor/check-model.ts";
import { type RouteServer, type Routes, startRoutes } from "./start-routes.ts";

let server: RouteServer;
afterEach(() => server?.close());

async function provider(routes: Routes, limitMs = 5_000) {
  server = await startRoutes(routes);
  return { ask: createAsk(new AbortController().signal, limitMs), baseUrl: server.url, apiKey: "sk-key" };
}
const refused = { status: 401, body: { error: { type: "authentication_error", message: "invalid x-api-key" } } };
const unknown = { status: 404, body: { error: { type: "not_found_error", message: "model: quick" } } };

describe("checkModel", () => {
  it("asks the models endpoint with the key", async () => {
    const access = await provider({
      "GET /v1/models/quick": ({ headers }) =>
        headers["x-api-key"] === "sk-key" ? { body: { id: "quick" } } : refused,
    });
    expect(await checkModel(access, "M", "quick", "magis")).toMatchObject({ level: "ok" });
    expect(await checkModel({ ...access, apiKey: "sk-other" }, "M", "quick", "magis")).toMatchObject({
      level: "fault",
      text: expect.stringContaining("invalid x-api-key"),
    });
  });

  it("reports a model that does not exist, and a key that may not use it", async () => {
    const access = await provider({ "GET /v1/models/quick": unknown });
    expect(await checkModel(access, "MAGIS_MODEL_FAST", "quick", "magis")).toMatchObject({
      level: "fault",
      remedy: expect.stringContaining("MAGIS_MODEL_FAST"),
    });
    server.routes["GET /v1/models/quick"] = { status: 403 };
    expect(await checkModel(access, "M", "quick", "magis")).toMatchObject({ level: "fault" });
  });

  it("does not take a gateway's missing address for a missing model, and never makes a call that costs", async () => {
    const error = { type: "not_found_error", message: "no route for GET /v1/models/quick" };
    const access = await provider({ "GET /v1/models/quick": { status: 404, body: { error } } });
    expect(await checkModel(access, "M", "quick", "magis")).toMatchObject({
      level: "warning",
      remedy: expect.stringContaining("--call"),
    });
    expect(server.asked.map(({ route }) => route)).toEqual(["GET /v1/models/quick"]);
  });

  it("reports silence", async () => {
    const access = await provider({ "GET /v1/models/quick": "never" }, 100);
    expect(await checkModel(access, "M", "quick", "magis")).toMatchObject({
      level: "fault",
      text: expect.stringContaining("0.1 s"),
    });
    await server.close();
    expect(await checkModel(access, "M", "quick", "magis")).toMatchObject({
      level: "fault",
      text: expect.stringContaining("refuses connections"),
    });
  });
});

describe("checkPrices", () => {
  it("reports a model without a price", () => {
    expect(checkPrices(["a"], { a: { input: 1, output: 2 } })).toMatchObject({ level: "ok" });
    expect(checkPrices(["a", "b"], { a: { input: 1, output: 2 } })).toMatchObject({
      level: "fault",
      remedy: expect.stringContaining("b=input/output"),
    });
  });
});

import { afterEach, describe, expect, it } from "@jest/globals";
import { createAsk } from "../../../src/cli/doctor/ask.ts";
import { checkModel, checkModelCall, checkPrices } from "../../../src/cli/doctor/check-model.ts";
import { type RouteServer, type Routes, startRoutes } from "./start-routes.ts";

let server: RouteServer;
afterEach(() => server?.close());

async function provider(routes: Routes, limitMs = 5_000) {
  server = await startRoutes(routes);
  return { ask: createAsk(new AbortController().signal, limitMs), baseUrl: server.url, apiKey: "sk-key" };
}
const refused = { status: 401, body: { error: { type: "authentication_error", message: "invalid x-api-key" } } };
const unknown = { status: 404, body: { error: { type: "not_found_error", message: "model: quick" } } };
const COUNT = "POST /v1/messages/count_tokens";

describe("checkModel", () => {
  it("asks the models endpoint with the key", async () => {
    const access = await provider({
      "GET /v1/models/quick": ({ headers }) =>
        headers["x-api-key"] === "sk-key" ? { body: { id: "quick" } } : refused,
    });
    expect(await checkModel(access, "M", "quick", "magis")).toMatchObject({ level: "ok", check: "model of M" });
    expect(await checkModel({ ...access, apiKey: "sk-other" }, "M", "quick", "magis")).toMatchObject({
      level: "fault",
      text: expect.stringContaining("invalid x-api-key"),
    });
  });

  it("tells of a model that is not there", async () => {
    const access = await provider({
      "GET /v1/models/quick": unknown,
      [COUNT]: unknown,
      "GET /v1/models": { body: { data: [] } },
    });
    expect(await checkModel(access, "MAGIS_MODEL_FAST", "quick", "magis")).toMatchObject({
      level: "fault",
      remedy: expect.stringContaining("MAGIS_MODEL_FAST"),
    });
  });

  it("counts tokens where a gateway has no models endpoint, and never makes a call that costs", async () => {
    const access = await provider({ [COUNT]: { body: { input_tokens: 8 } } });
    expect(await checkModel(access, "M", "quick", "magis")).toMatchObject({ level: "ok" });
    server.routes[COUNT] = refused;
    expect(await checkModel(access, "M", "quick", "magis")).toMatchObject({ level: "fault" });
    server.routes[COUNT] = { status: 403 };
    expect(await checkModel(access, "M", "quick", "magis")).toMatchObject({ level: "fault" });
    server.routes[COUNT] = { status: 404 };
    expect(await checkModel(access, "M", "quick", "magis")).toMatchObject({
      level: "warning",
      remedy: expect.stringContaining("--call"),
    });
    expect(server.asked.map(({ route }) => route)).not.toContain("POST /v1/messages");
  });

  it("tells of silence", async () => {
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

describe("prices and the paid call", () => {
  it("says what the call cost", async () => {
    const access = await provider({
      "POST /v1/messages": { body: { usage: { input_tokens: 10, output_tokens: 2 } } },
    });
    expect(await checkModelCall(access, "quick", { input: 1, output: 5 })).toMatchObject({
      level: "ok",
      text: "It answered: 10 tokens in, 2 out, $0.000020.",
    });
    expect(JSON.parse(server.asked[0]?.body ?? "")).toMatchObject({ model: "quick", max_tokens: 16 });
    server.routes["POST /v1/messages"] = refused;
    expect(await checkModelCall(access, "quick", undefined)).toMatchObject({ level: "fault" });
  });

  it("tells of a model without a price", async () => {
    expect(await checkPrices(["a", "a"], { a: { input: 1, output: 2 } })).toMatchObject({ level: "ok" });
    expect(await checkPrices(["a", "b"], { a: { input: 1, output: 2 } })).toMatchObject({
      level: "fault",
      remedy: expect.stringContaining("b=input/output"),
    });
  });
});

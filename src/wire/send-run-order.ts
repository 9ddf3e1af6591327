import { z } from "zod";
import type { SendRunOrder } from "../cli/request-command.ts";
import { workingEnvFile } from "../config/environment/own-env-file.ts";
import { type Environment, readRequestConfig } from "../config/environment/read-config.ts";
import { RUNS_PATH, signRunRequest } from "../github/server/run-requests.ts";
import { MagisError } from "../model/error.ts";
import { parseJson } from "../text/bounded.ts";
import { ownStateFolder } from "./own-state.ts";

const LIMIT_MS = 60_000;

const answerShape = z.object({ run: z.string(), issue: z.string(), page: z.string().optional() });

/** Signs requests for runs and sends them to the bot. Throws CONFIGURATION_INVALID and HOST_UNREACHABLE. */
export function createRunOrderSender(environment: Environment): SendRunOrder {
  return async (order, chosen) => {
    const { url, secret } = readRequestConfig(workingEnvFile(environment, ownStateFolder(environment)), environment);
    if (secret === undefined) throw new MagisError("CONFIGURATION_INVALID", "Set MAGIS_API_SECRET as the bot has it.");
    const address = `${(chosen ?? url).replace(/\/+$/, "")}${RUNS_PATH}`;
    if (!URL.canParse(address)) throw new MagisError("CONFIGURATION_INVALID", `${address} is no address.`);
    const body = JSON.stringify(order);
    const headers = {
      "content-type": "application/json",
      ...signRunRequest(secret, body, Math.floor(Date.now() / 1000)),
    };
    const signal = AbortSignal.timeout(LIMIT_MS);
    const sent = fetch(address, { method: "POST", body, headers, signal, redirect: "error" });
    const response = await sent.catch((error: unknown) => {
      throw new MagisError("HOST_UNREACHABLE", `The bot cannot be reached at ${address}.`, {}, error);
    });
    const text = await response.text();
    const parsed = parseJson(text, { length: 10_000 });
    const { data } = answerShape.safeParse(parsed.fault === undefined ? parsed.value : undefined);
    if (response.status === 202 && data) return data;
    return { refused: text.slice(0, 1000).trim() || `The bot answered ${response.status}.` };
  };
}

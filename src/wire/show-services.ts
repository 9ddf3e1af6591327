import { readFile } from "node:fs/promises";
import type { ShowServices } from "../cli/show/create-show-command.ts";
import { writeWhole } from "../evaluation/results/write-whole.ts";
import type { Log } from "../ports/log.ts";
import { sendRequest } from "./send-request.ts";

/** Where nothing says how wide it is. */
const COLUMNS = 100;

/** What `magis show` needs: the bot or its database, files, and the terminal that standard output is, if it is one. */
export function showServices(log: Log): ShowServices {
  const { isTTY, columns } = process.stdout;
  return {
    send: (request) => sendRequest(request, log),
    readText: async (file) => {
      try {
        return { text: await readFile(file, "utf8") };
      } catch (error) {
        return { fault: `${file} cannot be read: ${reason(error)}. A kept run is named OWNER/REPO#N or by its id.` };
      }
    },
    writeText: async (file, text) => {
      try {
        await writeWhole(file, text);
        return undefined;
      } catch (error) {
        return { fault: `${file} cannot be written: ${reason(error)}.` };
      }
    },
    // hasColors() knows of NO_COLOR and of terminals that have none.
    terminal: { columns: columns ?? COLUMNS, colours: isTTY === true && process.stdout.hasColors() },
  };
}

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));

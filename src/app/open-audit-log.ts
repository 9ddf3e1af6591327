import { pino } from "pino";
import type { Audit } from "../data/audit.ts";
import { MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import type { OpenRepository } from "../git/repository.ts";

/**
 * Opens the audit log: lines of JSON with a time, added to `file`, which only its owner may read and which may be
 * rotated by copying and truncating it. Gives nothing without a file. A line that cannot be written later is reported
 * in the log. Throws CONFIGURATION_INVALID when the file cannot be opened.
 */
export function openAuditLog(file: string | undefined, log: Log): Audit | undefined {
  if (file === undefined) return undefined;
  const destination = openFile(file);
  destination.on("error", (error) => log.error({ error }, "the audit log cannot be written"));
  return (entry) => void destination.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
}

function openFile(file: string): ReturnType<typeof pino.destination> {
  try {
    return pino.destination({ dest: file, append: true, mkdir: true, mode: 0o600, sync: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The audit log ${file} of MAGIS_AUDIT_LOG cannot be written: ${reason}.`;
    throw new MagisError("CONFIGURATION_INVALID", message, {}, error);
  }
}

/** The same port, whose pushes are recorded. */
export function withAudit(open: OpenRepository, audit: Audit | undefined): OpenRepository {
  if (audit === undefined) return open;
  return async (source) => {
    const repository = await open(source);
    const push = async (commit: string, ref: string): Promise<void> => {
      const began = performance.now();
      const end = (status: number) => {
        const milliseconds = Math.round(performance.now() - began);
        audit({ what: "write", repository: nameOf(source.url), method: "git push", place: ref, status, milliseconds });
      };
      try {
        await repository.push(commit, ref);
        end(200);
      } catch (error) {
        end(0);
        throw error;
      }
    };
    return { ...repository, push };
  };
}

/** `OWNER/REPO` of an address that ends in it. */
const nameOf = (url: string) => new URL(url).pathname.replace(/^\/|\.git$/g, "");

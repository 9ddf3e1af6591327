import { isMagisError } from "../data/error.ts";
import type { MoneyLimit, RunLimits } from "../data/limits.ts";
import { readRecord } from "../data/read-record.ts";
import type { RunRecord } from "../data/run-record.ts";
import type { RunRequest } from "../data/run-request.ts";
import type { RunResult } from "../data/run-state.ts";
import type { Budget } from "../data/spend.ts";
import type { PromptLibrary } from "../models/prompt-library.ts";
import { budgetOf } from "../run/budget.ts";
import type { RunStore } from "../run/runs.ts";

export interface AccountsInput {
  store: RunStore;
  prompts: PromptLibrary;
  /** the operator's, for runs whose repository sets none */
  budget: Budget;
  limits: OperatorsLimits;
}

/** US dollars; absent: no limit. */
interface OperatorsLimits {
  day?: number;
  month?: number;
  /** the rest are of a month */
  organisation?: number;
  repository?: number;
  person?: number;
  openPullRequests: number;
}

/** What the engine asks about a run to enter it in the ledger. */
export function createAccounts({ store, prompts, budget, limits }: AccountsInput) {
  /** Figures of a record that another version kept are left out. */
  async function recordOf(root: string): Promise<Partial<RunRecord>> {
    try {
      return readRecord(await store.record(root));
    } catch (error) {
      if (isMagisError(error, "RECORD_UNREADABLE")) return {};
      throw error;
    }
  }

  return {
    budgetOf: (request: RunRequest) => budgetOf(request, budget).money,
    limitsOf: (request: RunRequest) => limitsOf(request, limits),
    roleOf: (promptId: string) => prompts.prompts.get(promptId)?.role ?? "other",

    /** `given`: the run's result; absent: what its state says of its end. */
    async factsOf(request: RunRequest, given: RunResult | undefined) {
      const { root, work } = request;
      const result = given ?? (await store.state(root))?.result;
      const record = await recordOf(root);
      const published = result?.kind === "published" ? result : undefined;
      const rounds = Math.max(0, ...(record.work?.outcomes ?? []).map(({ attempts }) => attempts.at(-1)?.round ?? 0));
      return {
        outcome: result?.kind,
        opened: work.kind === "resolve" ? published?.pullRequest.number : undefined,
        head: record.commit?.id,
        rounds: rounds > 0 ? rounds : undefined,
        proof: published?.proof && (published.proof.proved ? ("proved" as const) : ("unproved" as const)),
      };
    },
  };
}

/** Limits in the files of the repository and its owner replace the operator's, and are never above them. */
function limitsOf({ settings, work }: RunRequest, limits: OperatorsLimits): RunLimits {
  const { day, month, person } = limits;
  const organisation = settings?.ownersMonth ?? limits.organisation;
  const repository = settings?.budget.month ?? limits.repository;
  const all: readonly (Omit<MoneyLimit, "most"> & { most: number | undefined })[] = [
    { scope: "bot", period: "day", most: day },
    { scope: "bot", period: "month", most: month },
    { scope: "organisation", period: "month", most: organisation },
    { scope: "repository", period: "month", most: repository },
    { scope: "person", period: "month", most: person },
  ];
  const money = all.flatMap(({ most, ...limit }) => (most === undefined ? [] : [{ ...limit, most }]));
  const openPulls = settings?.openPullRequests ?? limits.openPullRequests;
  return { money, openPulls: work.kind === "resolve" ? openPulls : undefined };
}

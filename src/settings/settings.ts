import type { z } from "zod";
import type { Budget } from "../domain/spend/budget.ts";
import type { ModelTier } from "../ports/language-model.ts";
import type { settingsSchema } from "./settings-schema.ts";

type Keys = z.output<typeof settingsSchema>;

/** What one repository has decided, complete: its file over the organisation's over the operator's and the defaults. */
export interface Settings {
  readonly label: string;
  /** absent: the repository's default branch */
  readonly baseBranch?: string;
  readonly draft: boolean;
  readonly approval: Keys["approval"];
  readonly models: Readonly<Record<ModelTier, string>>;
  /** absent where the model's own default is to hold */
  readonly effort: Readonly<Partial<Record<ModelTier, NonNullable<Keys["effort"]["fast"]>>>>;
  readonly candidates: number;
  readonly reviewRounds: number;
  readonly budget: Budget;
  readonly ignore: readonly string[];
  readonly protect: readonly string[];
  readonly unprotect: readonly string[];
  /** template of a branch's name, for `branchOf` */
  readonly branch: string;
  /** template of a commit's first line, for `commitSubject` */
  readonly commit: string;
  readonly signOff: boolean;
  readonly allowedBots: readonly string[];
  readonly ciRounds: number;
  readonly language: string;
  readonly instructions: string;
}

/** What the operator of the bot allows, and what holds where a repository says nothing. */
export interface OperatorLimits {
  /** names of the models that may be named: those with a price */
  readonly models: readonly string[];
  /** the most that a run may use, and what it may use when no file says less */
  readonly budget: Budget;
  readonly defaults: Pick<
    Settings,
    "label" | "draft" | "models" | "effort" | "candidates" | "reviewRounds" | "allowedBots"
  >;
}

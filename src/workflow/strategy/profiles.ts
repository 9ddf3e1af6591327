import type { RunSettings } from "../../model/settings.ts";
import type { Strategy } from "../run/strategy.ts";
import { lean } from "./lean/lean.ts";
import { paper } from "./paper/paper.ts";

/** The profiles by their names; a profile is its folder, its prompts' folder, and its entry here. */
export const PROFILES: Readonly<Record<RunSettings["profile"], Strategy>> = { lean, paper };

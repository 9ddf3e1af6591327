import type { RunState } from "../data/run-state.ts";
import { type LanguageModel, lookupsIn, type RecordedCall, type ToolCall } from "../models/language-model.ts";
import type { RunStore } from "../run/runs.ts";

/** Hears what a run does and keeps, as it happens. */
export interface RunWatcher {
  state?(state: RunState): void;
  call?(call: RecordedCall): void;
  /**
   * A role, such as the Manager, asks the model. The returned function is called when the call ends, with the lookups
   * that the answer asks for.
   */
  asking?(role: string): (lookups: readonly ToolCall[]) => void;
}

/** `store`, reporting to `watcher`. */
export function watchedStore(store: RunStore, watcher: RunWatcher): RunStore {
  return {
    ...store,
    async recordCall(runId, call) {
      await store.recordCall(runId, call);
      watcher.call?.(call);
    },
    async openWriter(...asked) {
      const writer = await store.openWriter(...asked);
      return {
        ...writer,
        async saveState(state) {
          await writer.saveState(state);
          watcher.state?.(state);
        },
      };
    },
  };
}

/** `model`, reporting its calls to a watcher, each with the role that `roleOf` gives for its prompt. */
export function watchedModel(
  model: LanguageModel,
  { asking }: RunWatcher,
  roleOf: (promptId: string) => string,
): LanguageModel {
  if (!asking) return model;
  return {
    worstCase: (request) => model.worstCase(request),
    async complete(request, signal) {
      const answered = asking(roleOf(request.promptId));
      let lookups: readonly ToolCall[] = [];
      try {
        const answer = await model.complete(request, signal);
        lookups = lookupsIn(answer.blocks ?? []);
        return answer;
      } finally {
        answered(lookups);
      }
    },
  };
}

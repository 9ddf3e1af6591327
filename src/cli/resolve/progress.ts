import type { RunState, TaskState } from "../../model/run-state.ts";
import { formatMoney } from "../../model/spend.ts";
import type { RecordedCall } from "../../ports/runs.ts";
import { terminalText } from "../terminal-text.ts";

const TASK_WORDS: Readonly<Partial<Record<TaskState["status"], string>>> = {
  working: "is being worked on",
  approved: "approved by QA",
  open: "QA comments are open",
  unchanged: "no change needed",
  failed: "failed",
};

/** Says a line for each thing that changes while a run works: phases, tasks, and each call with the cost so far. */
export function createProgress(say: (line: string) => void): {
  state(state: RunState): void;
  call(call: RecordedCall): void;
} {
  const said = new Set<string>();
  const tell = (line: string) => say(terminalText(line).replaceAll("\n", " "));
  let calls = 0;
  let money = 0;

  const once = (key: string, line: string) => {
    if (said.has(key)) return;
    said.add(key);
    tell(line);
  };
  return {
    state({ phases, tasks }) {
      for (const { name, status, detail } of phases) {
        if (status === "working") once(`${name} working`, `${name} …`);
        if (status === "done") once(`${name} done`, `${name}: ${detail ?? "done"}`);
      }
      for (const { id, path, title, status } of tasks) {
        once(`${id} ${path}`, `  ${id} ${path}: ${title}`);
        const text = TASK_WORDS[status];
        if (text !== undefined) once(`${id} ${path} ${status}`, `  ${id} ${text}`);
      }
    },
    call({ promptId, elapsed, failure, ...call }) {
      calls += 1;
      money += call.money;
      const took = `${(elapsed / 1000).toFixed(1)} s`;
      const end = failure === undefined ? "" : `, failed: ${failure}`;
      tell(`    call ${calls}: ${promptId}, ${took}, ${formatMoney(money)} so far${end}`);
    },
  };
}

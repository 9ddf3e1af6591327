import type { RunState, TaskState } from "../../data/run-state.ts";
import { formatMoney } from "../../data/spend.ts";
import type { Question } from "../../data/verdict.ts";
import type { RecordedCall, ToolCall } from "../../models/language-model.ts";
import { lookupText, withoutCode } from "../../report/run/call-text.ts";
import { figure } from "../../text/counted.ts";
import { terminalText } from "../../text/strip-escapes.ts";
import { formatClock, startLiveLine } from "../../text/terminal-text.ts";
import type { CliContext } from "../cli-command.ts";

const TASK_WORDS: Readonly<Partial<Record<TaskState["status"], string>>> = {
  working: "is being worked on",
  approved: "approved by QA",
  mended: "mended by QA",
  open: "QA comments are open",
  unchanged: "no change needed",
  failed: "failed",
};

/** Shows a run's progress. */
export interface Progress {
  state(state: RunState): void;
  call(call: RecordedCall): void;
  /** A role's call begins. Call the returned function with the look-ups that its answer asks for. */
  asking(role: string): (lookups: readonly ToolCall[]) => void;
  /**
   * A check of the change begins. Call the returned function with the result, or with undefined when the check was
   * stopped.
   */
  checking(on: Question["ask"]): (ended: EndedCheck | undefined) => void;
  /** Hides the live line while a person is asked something. */
  aside<T>(ask: () => Promise<T>): Promise<T>;
  /** Removes the live line. */
  stop(): void;
}

/** A check's result, with `words` when it did not pass. `asWanted`: it was meant to fail. */
interface EndedCheck {
  state: "green" | "red" | "unknown";
  words: string;
  asWanted?: boolean;
}

const CHECKED = {
  base: "the commit as it is",
  red: "the new tests without the change",
  green: "the whole change",
} as const;

/**
 * How often to say that a long check is still running when there is no live line. Writing also notices a closed pipe.
 */
const ALIVE_MS = 30_000;

const ENDED = { green: "passes", red: "fails", unknown: "came to no verdict" } as const;

/** How many lines of a failure to show at once; the run's record has the rest. */
const FIRST_LINES = 10;

/** The first lines of a check's output, indented, with a note when there are more. */
export function firstLines(words: string): readonly string[] {
  const lines = words.split("\n").filter((line) => line.trim() !== "");
  const more = lines.length - FIRST_LINES;
  const note = more > 0 ? [`    [${figure(more, "more line")}]`] : [];
  return [...lines.slice(0, FIRST_LINES).map((line) => `    ${line}`), ...note];
}

/**
 * Prints a line for each change of phase or task while a run works. Calls, look-ups, time and cost go to the live line,
 * or to lines of their own when there is none. Says so when `signal` aborts.
 */
export function createProgress({ progress, live, signal }: Pick<CliContext, "progress" | "live" | "signal">): Progress {
  const said = new Set<string>();
  const tell = (line: string) => progress(oneLine(line));
  const pulse = live && createPulse(live);
  let calls = 0;
  let money = 0;

  const once = (key: string, line: string) => {
    if (said.has(key)) return;
    said.add(key);
    tell(line);
  };
  const cancel = () => {
    pulse?.show({ phase: "cancelling" });
    tell("Cancelling: what is under way is ended. Ctrl-C again ends at once.");
  };
  signal.addEventListener("abort", cancel, { once: true });
  return {
    state({ phases, tasks, note }) {
      if (note !== undefined) once(`note ${note}`, note);
      for (const { name, status, detail } of phases) {
        if (status === "working") once(`${name} working`, `${name} …`);
        if (status === "done") once(`${name} done`, `${name}: ${detail ?? "done"}`);
      }
      for (const { id, path, title, status } of tasks) {
        once(`${id} ${path}`, `  ${id} ${path}: ${title}`);
        const text = TASK_WORDS[status];
        if (text !== undefined) once(`${id} ${path} ${status}`, `  ${id} ${text}`);
      }
      const phase = phases.find(({ status }) => status === "working")?.name;
      if (phase !== undefined && !signal.aborted) pulse?.show({ phase });
    },
    call({ promptId, elapsed, failure, ...call }) {
      calls += 1;
      money += call.money;
      pulse?.show({ money });
      const took = `${(elapsed / 1000).toFixed(1)} s`;
      const end = failure === undefined ? "" : `, failed${reasonOf(failure)}`;
      if (!pulse || failure !== undefined)
        tell(`    call ${calls}: ${promptId}, ${took}, ${formatMoney(money)} so far${end}`);
    },
    asking(role) {
      const answered = pulse?.asked(role);
      return (lookups) => {
        answered?.(lookups);
        if (!pulse && lookups.length > 0) tell(`    ${role} looks up: ${lookups.map(lookupText).join("; ")}`);
      };
    },
    checking: (on) => watchCheck(on, tell, pulse),
    aside: (ask) => (pulse ? pulse.aside(ask) : ask()),
    stop() {
      signal.removeEventListener("abort", cancel);
      pulse?.stop();
    },
  };
}

/** A provider's refusal ends the run, whose last sentence then says why. */
function reasonOf(failure: string): string {
  return failure.startsWith("MODEL_") ? "" : `: ${withoutCode(failure)}`;
}

/** Reports a check: that it runs, for how long, and how it ended. */
function watchCheck(
  on: Question["ask"],
  tell: (line: string) => void,
  pulse: ReturnType<typeof createPulse> | undefined,
): ReturnType<Progress["checking"]> {
  const began = performance.now();
  const took = () => performance.now() - began;
  const where = CHECKED[on];
  const soFar = () => `check of ${where}, ${formatClock(took())}`;
  if (!pulse) tell(`check of ${where} …`);
  const alive = pulse ? undefined : setInterval(() => tell(`${soFar()} …`), ALIVE_MS);
  const done = pulse?.runs(soFar);
  return (ended) => {
    clearInterval(alive);
    done?.();
    if (!ended) return;
    const { state, words, asWanted } = ended;
    const verdict = `${ENDED[state]}${asWanted ? ", as it should" : ""}`;
    tell(`check of ${where}: ${verdict} (${(took() / 1000).toFixed(1)} s)`);
    if (state === "green" || asWanted) return;
    for (const line of words.trim() === "" ? ["    It printed nothing."] : firstLines(words)) tell(line);
  };
}

const oneLine = (text: string) => terminalText(text).replaceAll("\n", " ");

/** The live line of a run: cost, phase, the roles at work and their look-ups. */
function createPulse(live: (line: string) => void) {
  /** calls under way, the latest last */
  const open = new Set<{ role: string }>();
  /** each role's latest look-ups */
  const lookedUp = new Map<string, string>();
  /** anything else under way */
  const running = new Set<() => string>();
  let shown = { phase: "opening the repository", money: 0 };
  let isAside = false;

  const roles = () =>
    [...new Set([...open].map(({ role }) => role))].reverse().map((role) => {
      const at = [...open].filter((one) => one.role === role).length;
      const words = lookedUp.get(role);
      return `${role}${at > 1 ? ` (${at})` : ""}${words === undefined ? "" : `, looked up ${words}`}`;
    });
  const { draw, stop } = startLiveLine(
    (line) => (isAside ? undefined : live(line)),
    () =>
      [`${formatMoney(shown.money)}  ${shown.phase}`, ...[...running].map((text) => text()), ...roles()].join(" · "),
  );
  return {
    stop,
    runs(text: () => string) {
      running.add(text);
      draw();
      return () => void running.delete(text);
    },
    async aside<T>(ask: () => Promise<T>): Promise<T> {
      live("");
      isAside = true;
      try {
        return await ask();
      } finally {
        isAside = false;
      }
    },
    show(changes: Partial<typeof shown>) {
      shown = { ...shown, ...changes };
      draw();
    },
    asked(role: string) {
      const one = { role };
      open.add(one);
      draw();
      return (lookups: readonly ToolCall[]) => {
        open.delete(one);
        if (lookups.length > 0) lookedUp.set(role, lookups.map(lookupText).join("; "));
        else lookedUp.delete(role);
        draw();
      };
    },
  };
}

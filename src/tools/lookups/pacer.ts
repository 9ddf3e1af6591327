import { nextTurn } from "../../text/next-turn.ts";

const WORK_A_TURN = 2_000_000;

/** Gives `pause(work)`, work in bytes: lets others run now and then, so that a long search does not hold them up. */
export function createPacer(): (work: number) => Promise<void> {
  let done = 0;
  return async (work) => {
    done += work;
    if (done < WORK_A_TURN) return;
    done = 0;
    await nextTurn();
  };
}

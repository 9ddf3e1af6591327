/** Minutes since midnight; the end is not part of the slot. */
export interface Slot {
  readonly start: number;
  readonly end: number;
}

export interface Booking extends Slot {
  readonly title: string;
}

/** Do two slots share any time? */
export function overlaps(a: Slot, b: Slot): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** Throws unless the slot lies within a day and is not empty. */
export function checkSlot({ start, end }: Slot): void {
  if (!(start >= 0 && start < end && end <= 1440)) throw new RangeError(`not a slot of a day: ${start} to ${end}`);
}

import { type Booking, overlaps, type Slot } from "./slot.js";

const DAY_END = 1440;

/** The first slot of `length` minutes from `from` on that is free of `bookings` (sorted by start). */
export function proposeSlot(bookings: readonly Booking[], from: number, length: number): Slot | undefined {
  let start = from;
  for (const booking of bookings) {
    if (overlaps(booking, { start, end: start + length })) start = booking.end + 1;
  }
  const slot = { start, end: start + length };
  return slot.end <= DAY_END ? slot : undefined;
}

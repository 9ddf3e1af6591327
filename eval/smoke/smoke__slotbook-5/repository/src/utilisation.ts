import type { Room } from "./room.js";

/** The share of the day, 0 to 1, for which a room is booked. */
export function utilisation(room: Room): number {
  const minutes = room.bookings().reduce((sum, { start, end }) => sum + end - start, 0);
  return minutes / 1440;
}

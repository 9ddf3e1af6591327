import { proposeSlot } from "./propose-slot.js";
import { type Booking, checkSlot, overlaps, type Slot } from "./slot.js";

export class Room {
  readonly name: string;
  readonly #bookings: Booking[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** Books the room or throws with the title of the meeting that has it. */
  book(title: string, start: number, end: number): void {
    const wanted = { title, start, end };
    checkSlot(wanted);
    const taken = this.#bookings.find((booking) => overlaps(booking, wanted));
    if (taken) throw new Error(`taken by ${taken.title}`);
    this.#bookings.push(wanted);
    this.#bookings.sort((a, b) => a.start - b.start);
  }

  /** The first free slot of `length` minutes that starts at `from` or later, if the day has one. */
  propose(from: number, length: number): Slot | undefined {
    return proposeSlot(this.#bookings, from, length);
  }

  bookings(): readonly Booking[] {
    return this.#bookings;
  }
}

export { Room } from "./room.js";
export { utilisation } from "./utilisation.js";
export type { Booking, Slot } from "./slot.js";

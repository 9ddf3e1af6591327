import { checkInvoice } from "./check-invoice.js";

/** The net amount of an invoice, in cents, before any discount. */
export function netAmount(invoice) {
  return invoice.lines.reduce((sum, line) => sum + line.quantity * line.price, 0);
}

/** What the customer gets off, in cents. */
export function discountAmount(invoice) {
  return Math.trunc((netAmount(invoice) * (invoice.discount ?? 0)) / 100);
}

/** What the customer has to pay, in cents; negative for a credit note. */
export function totalAmount(invoice) {
  checkInvoice(invoice);
  return netAmount(invoice) - discountAmount(invoice);
}

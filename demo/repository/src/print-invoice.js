import { discountAmount, netAmount, totalAmount } from "./invoice.js";
import { formatCents } from "./money.js";

/** An invoice as lines of text, amounts to the right. */
export function printInvoice(invoice) {
  const total = totalAmount(invoice);
  const rows = invoice.lines.map(({ item, quantity, price }) => [`${quantity} x ${item}`, quantity * price]);
  if (invoice.discount) rows.push(["net", netAmount(invoice)], [`discount ${invoice.discount} %`, -discountAmount(invoice)]);
  rows.push(["total", total]);
  return rows.map(([label, cents]) => `${label.padEnd(24)}${formatCents(cents).padStart(10)}`).join("\n");
}

/** Throws when an invoice cannot be worked out, saying which line is to blame. */
export function checkInvoice({ lines, discount = 0 }) {
  if (!Array.isArray(lines) || lines.length === 0) throw new Error("an invoice needs at least one line");
  lines.forEach(({ quantity, price }, index) => {
    if (!Number.isInteger(quantity)) throw new Error(`line ${index + 1}: the quantity must be a whole number`);
    if (!Number.isInteger(price)) throw new Error(`line ${index + 1}: the price must be in whole cents`);
  });
  if (discount < 0 || discount > 100) throw new Error("a discount is between 0 and 100 percent");
}

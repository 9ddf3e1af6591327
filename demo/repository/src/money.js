/** Whole cents as people read them: 1234 is "12.34". */
export function formatCents(cents) {
  const sign = cents < 0 ? "-" : "";
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A price as people write it, "12.34" or "12", in whole cents. */
export function parseCents(text) {
  const match = /^(-?)(\d+)(?:\.(\d{2}))?$/.exec(text.trim());
  if (!match) throw new Error(`"${text}" is not an amount of money`);
  const [, sign, units, cents = "00"] = match;
  return (sign ? -1 : 1) * (Number(units) * 100 + Number(cents));
}

interface ScriptedFile {
  summary: string;
  /** to this issue; `no` where it is absent */
  verdict?: "change" | "read";
  reason?: string;
  /** what matters most in it */
  names?: readonly string[];
}

/** What the scripted model, as the Repository Custodian, has to say about the files of the demo's repository. */
export const FILES: Readonly<Record<string, ScriptedFile>> = {
  "src/money.js": {
    summary: "Amounts of money in whole cents: formatCents shows them, parseCents reads them. No rounding.",
    verdict: "change",
    names: ["formatCents"],
    reason: "The issue asks for a helper next to formatCents, which is here.",
  },
  "src/invoice.js": {
    summary: "Works out an invoice: netAmount, discountAmount (cuts fractions off with Math.trunc), totalAmount.",
    verdict: "change",
    names: ["discountAmount"],
    reason: "discountAmount cuts the fraction off; this is the defect.",
  },
  "README.md": {
    summary: "What till does and how it promises to round.",
    verdict: "read",
    reason: "It says what rounding is promised, halves and credit notes included.",
  },
  "src/print-invoice.js": { summary: "printInvoice shows an invoice as text, with net amount, discount and total." },
  "src/check-invoice.js": { summary: "checkInvoice refuses invoices that cannot be worked out." },
  "bin/till.js": { summary: "The command: reads an invoice from standard input and prints it." },
  "tools/export.py": { summary: "Writes the lines of all invoices of a folder to one CSV file." },
  "package.json": { summary: "Names the package, its command and its test script." },
  "test/invoice.test.js": { summary: "Cases for totals, discounts that divide evenly, printing and refusals." },
  "test/money.test.js": { summary: "Cases for showing and reading amounts." },
};

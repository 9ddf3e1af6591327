interface ScriptedFile {
  /** P2 */
  readonly summary: string;
  /** P3: why it matters; absent where it does not */
  readonly relevant?: string;
  /** P4 */
  readonly task?: { readonly title: string; readonly description: string };
  /** P5 and P6 */
  readonly developer?: { readonly title: string; readonly description: string };
  /** P8 */
  readonly qaEngineer?: { readonly title: string; readonly description: string };
}

/** What the scripted model has to say about the files of the demo's repository. */
export const FILES: Readonly<Record<string, ScriptedFile>> = {
  "src/money.js": {
    summary: "Amounts of money in whole cents: formatCents shows them, parseCents reads them. No rounding.",
    relevant: "The issue asks for a helper next to formatCents, which is here.",
    task: {
      title: "Add roundCents",
      description:
        "Export a function `roundCents(cents)` next to `formatCents` that rounds an amount with a fraction to the nearest whole cent as the README promises.",
    },
    developer: {
      title: "Money Arithmetic Developer",
      description:
        "Knows how JavaScript rounds, what happens to negative halves and to -0, and keeps helpers small and documented.",
    },
    qaEngineer: {
      title: "Numerics QA Engineer",
      description:
        "Checks rounding with concrete values on both sides of zero, at halves and at zero itself, against the README's promise.",
    },
  },
  "src/invoice.js": {
    summary: "Works out an invoice: netAmount, discountAmount (cuts fractions off with Math.trunc), totalAmount.",
    relevant: "discountAmount cuts the fraction off; this is the defect.",
    task: {
      title: "Round discounts",
      description:
        "In `discountAmount`, replace `Math.trunc` by the rounding helper of `src/money.js`, so that a discount is rounded to the nearest cent.",
    },
    developer: {
      title: "Invoice Developer",
      description:
        "Knows how net amount, discount and total depend on each other, and changes nothing else in the invoice's arithmetic.",
    },
    qaEngineer: {
      title: "Invoicing QA Engineer",
      description:
        "Works out whole invoices and credit notes by hand and compares; looks at every caller of discountAmount.",
    },
  },
  "src/print-invoice.js": { summary: "printInvoice shows an invoice as text, with net amount, discount and total." },
  "src/check-invoice.js": { summary: "checkInvoice refuses invoices that cannot be worked out." },
  "bin/till.js": { summary: "The command: reads an invoice from standard input and prints it." },
  "tools/export.py": { summary: "Writes the lines of all invoices of a folder to one CSV file." },
  "README.md": { summary: "What till does and how it promises to round." },
  "package.json": { summary: "Names the package, its command and its test script." },
  "test/rounding.test.js": {
    summary: "Cases for discounts that do not divide evenly, credit notes and halves.",
    relevant: "It says what roundCents must do, and fails at the moment.",
  },
  "test/invoice.test.js": { summary: "Cases for totals, discounts that divide evenly, printing and refusals." },
  "test/money.test.js": { summary: "Cases for showing and reading amounts." },
};

/** What the scripted model, as the Manager, makes of the demo's issue: cause, tasks, team, order, title. It drafts no edits. */
export const PLAN = {
  fails: true,
  at: "src/invoice.js:10",
  reason:
    "`discountAmount` in `src/invoice.js` cuts the fraction of a cent off with `Math.trunc`, where the README promises the nearest cent, halves away from zero. It is the only place that does; `totalAmount` and `printInvoice` use what it gives.",
  tasks: [
    {
      path: "src/money.js",
      action: "modify",
      title: "Add roundCents",
      description:
        "Export a function `roundCents(cents)` next to `formatCents` that rounds an amount with a fraction to the nearest whole cent as the README promises.",
      places: ["README.md:5-10"],
      developer: "Money Arithmetic Developer: Knows how JavaScript rounds, and keeps helpers small and documented.",
    },
    {
      path: "src/invoice.js",
      action: "modify",
      title: "Round discounts",
      description:
        "In `discountAmount`, replace `Math.trunc` by `roundCents` of `src/money.js`, so that a discount is rounded to the nearest cent.",
      developer:
        "Invoice Developer: Knows how net amount, discount and total depend on each other, and changes nothing else.",
    },
    {
      path: "test/rounding.test.js",
      action: "create",
      title: "Test discounts that do not divide evenly",
      description:
        "Cover the issue's example (15 % on 3 × 3.35 is 1.51, the total 8.54) and a credit note, which must be the negative of its invoice. Use only what `src/invoice.js` exports already.",
      developer: "Test Developer: Writes tests that fail for one reason only.",
    },
  ],
  order: 'run("t3");\nconcurrently(run("t1"), run("t2"));',
  agreed:
    "`roundCents(cents)` is exported from `src/money.js`, takes an amount in cents with a fraction and gives whole cents.",
  title: "fix: round discounts to the nearest cent",
};

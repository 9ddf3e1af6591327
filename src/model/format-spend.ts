import type { Spend } from "./spend.ts";

/** `23 calls, 84,210 tokens, $0.41, 2 min 10 s` */
export function formatSpend({ calls, tokens, money, elapsed }: Spend): string {
  return `${calls} ${calls === 1 ? "call" : "calls"}, ${count(tokens)} ${tokens === 1 ? "token" : "tokens"}, ${formatMoney(money)}, ${formatTime(elapsed)}`;
}

/** Dollars and cents; fractions of a cent are shown while the sum is small. */
export function formatMoney(money: number): string {
  return `$${money > 0 && money < 0.1 ? money.toFixed(4) : money.toFixed(2)}`;
}

function formatTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const count = (number: number) => number.toLocaleString("en-US");

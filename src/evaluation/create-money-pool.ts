/** US dollars that several instances share. */
export interface MoneyPool {
  /** what is neither spent nor held; infinite when there is no limit */
  left(): number;
  /** what is spent */
  spent(): number;
  /**
   * Holds back `wanted`, or what is left when that is less but not below `least`. Undefined when there is less than
   * `least`. What it gives back has to be settled once, with what was really used.
   */
  hold(wanted: number, least: number): { readonly money: number; settle(used: number): void } | undefined;
}

/** A pool of `total`, from which `spent` is gone already. As nothing is used that was not held, it cannot be exceeded. */
export function createMoneyPool(total: number, spent: number): MoneyPool {
  const held = new Set<{ readonly money: number }>();
  let used = spent;
  const left = () => total - used - [...held].reduce((sum, { money }) => sum + money, 0);
  return {
    left,
    spent: () => used,
    hold(wanted, least) {
      const money = Math.min(wanted, left());
      if (money < Math.min(least, wanted)) return undefined;
      const own = { money };
      held.add(own);
      const settle = (really: number) => {
        if (held.delete(own)) used += really;
      };
      return { money, settle };
    },
  };
}

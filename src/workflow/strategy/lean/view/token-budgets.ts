/** What a view may take, in characters: four are about a token. */
export interface TokenBudgets {
  readonly toChange: ChangeBudgets;
  /** of the files that are only context: all together, and one */
  readonly context: { readonly all: number; readonly one: number };
  /** of the lines elsewhere that use what may have to change */
  readonly uses: number;
  readonly tests: TestBudgets;
}

/** Of the files that may have to change. */
interface ChangeBudgets {
  /** a file up to this size is shown whole */
  readonly whole: number;
  /** of a longer one, beside what is named in it: imports, callers and callees, lines near to the issue */
  readonly besideNamed: number;
  /** of one in which nothing is named */
  readonly unnamed: number;
  /** of any one, however much is named */
  readonly one: number;
  /** of the first file, of each further one, and of all together */
  readonly first: number;
  readonly further: number;
  readonly all: number;
}

/** Of the likeliest test file, and of further ones: declarations by name, similar cases, characters of its lines. */
export type TestBudgets = readonly { readonly names: number; readonly cases: number; readonly characters: number }[];

/** For the Manager, who plans and can look up more. */
export const MANAGER_BUDGETS: TokenBudgets = {
  toChange: {
    whole: 8_000,
    besideNamed: 3_000,
    unnamed: 7_500,
    one: 12_000,
    first: 12_000,
    further: 3_000,
    all: 36_000,
  },
  context: { all: 2_800, one: 1_200 },
  uses: 1_200,
  tests: [
    { names: 4, cases: 3, characters: 2_600 },
    { names: 4, cases: 2, characters: 1_200 },
  ],
};

/** For the Custodian, who only chooses lines: its tier costs a fraction of the Manager's. */
export const CUSTODIAN_BUDGETS: TokenBudgets = {
  toChange: {
    whole: 14_000,
    besideNamed: 12_000,
    unnamed: 16_000,
    one: 22_000,
    first: 22_000,
    further: 5_000,
    all: 44_000,
  },
  context: { all: 7_000, one: 3_000 },
  uses: 1_800,
  tests: [
    { names: 40, cases: 5, characters: 5_000 },
    { names: 25, cases: 3, characters: 2_500 },
    { names: 15, cases: 1, characters: 1_000 },
  ],
};

/** How the engine's workflows and queues are called in the database; not to be changed while runs are unfinished. */
export const WORKFLOWS = { deliver: "deliver", resolve: "resolve", abandon: "abandon" } as const;
export const QUEUES = { deliveries: "deliveries", runs: "runs" } as const;

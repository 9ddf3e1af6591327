import whole from "./jest.config.js";
import { unitSuites } from "./test/unit-suites.js";

const { globalSetup: _bot, globalTeardown: _its, ...rest } = whole;

/**
 * `npm run test:unit`: every suite that starts no program. It needs no build. One worker more than for
 * the whole: of these few, three wait for seconds.
 * @type {import("jest").Config}
 */
// biome-ignore lint/style/noDefaultExport: Jest takes its configuration as a default export
export default { ...rest, maxWorkers: 6, testMatch: unitSuites().map((path) => `<rootDir>/${path}`) };

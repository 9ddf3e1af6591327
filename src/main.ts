import { processEnvironment } from "./config/environment/read-config.ts";
import { serve } from "./wire/serve.ts";

await serve(processEnvironment());

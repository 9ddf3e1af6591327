// Builds the smoke instances into a folder: node build/eval/build.js FOLDER
import { buildInstances } from "./build-instances.ts";

async function main(): Promise<void> {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error("usage: build FOLDER");
  const { instancesFile, mirrors } = await buildInstances(folder);
  console.log(`instances ${instancesFile}\nmirrors   ${mirrors}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

// What agents see: the rest of the profile imports this file only.
export { viewDiff } from "./diffs.ts";
export { linedFiles, seenIn } from "./excerpts.ts";
export { type ViewedFile, viewForCustodian } from "./for-custodian.ts";
export { type FileView, viewForDeveloper } from "./for-developer.ts";
export { type FaultOf, type LinesToChooseFrom, viewForManager } from "./for-manager.ts";
export { type QaView, viewForQa } from "./for-qa.ts";
export { exampleLines, isNote } from "./notes.ts";
export {
  linesOf,
  lookupRoom,
  type Overlay,
  openRepositoryView,
  type RepositoryView,
  whyNot,
} from "./repository-view.ts";

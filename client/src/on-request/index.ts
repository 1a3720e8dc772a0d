/**
 * Commands that reach beyond this machine, exports, and questions that few ask, in a bundle of their own that is
 * loaded when the first of them is called. The language server does the work; here the user is shown what it would be,
 * and asked.
 */
export { captureSnapshot, refreshSnapshot } from './capture-snapshot.ts';
export { chooseNodes } from './choose-nodes.ts';
export { chooseSources } from './choose-sources.ts';
export { chooseComparison, chooseOther } from './compare-with.ts';
export { exportReport } from './export-report.ts';
export { fetchRemotes } from './fetch-remotes.ts';
export { upgrade } from './upgrade.ts';

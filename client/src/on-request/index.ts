/**
 * Commands that reach beyond this machine, and a question that few workspaces make, in a bundle of their own that is
 * loaded when the first of them is called. The language server does the work; here the user is shown what it would be,
 * and asked.
 */
export { captureSnapshot, refreshSnapshot } from './capture-snapshot.ts';
export { chooseNodes } from './choose-nodes.ts';
export { fetchRemotes } from './fetch-remotes.ts';
export { upgrade } from './upgrade.ts';

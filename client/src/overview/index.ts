/** What the side bar needs when somebody first looks at it, and the sample that its empty view offers. */
export { copyName, findReferences } from './actions.ts';
export { continueSample, openSample } from './sample.ts';
export { rowsOf } from './rows.ts';

/** What belongs together in a file; loaded with the first question for it. */
export { foldingRanges } from './folding-ranges.ts';
export { selectionRanges } from './selection-ranges.ts';

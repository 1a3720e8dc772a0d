/** What belongs together in a file, and which files it names; loaded with the first question for it. */
export { documentLinks } from './document-links.ts';
export { foldingRanges } from './folding-ranges.ts';
export { selectionRanges } from './selection-ranges.ts';

/** What answers where things are and who names them; loaded with the first such question. */
export { definition } from './definition.ts';
export { mayBeEvicted, mayEvict, preparePreemptionHierarchy } from './hierarchy.ts';
export { linkedRanges } from './linked.ts';
export { highlights, references } from './references.ts';
export { prepareRename, rename } from './rename.ts';
export { documentSymbols, workspaceSymbols } from './symbols.ts';

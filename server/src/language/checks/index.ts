/**
 * The rules and all that they judge with: a third of the server. It is loaded when the first manifest is open in an
 * editor, see `Session.checks`.
 */
export { Checker } from './rule-runner.ts';
export { fixAllActions, quickFixes, waysOn } from './repairs.ts';
export { valuesFileOf } from './refactorings.ts';
export { rewrites } from './rewrites.ts';

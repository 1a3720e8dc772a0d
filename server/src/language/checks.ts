/**
 * The rules and all that they judge with: a third of the server. It is loaded when the first manifest is open in an
 * editor, see `Session.checks`.
 */
export { ofObjects, PlacedFindings, quietRules, refusedSources } from './applied-findings.ts';
export { Checker } from './check-file.ts';
export { placedDiagnosticsInSteps } from './file-diagnostics.ts';
export { fixAllActions, quickFixes } from './repairs.ts';

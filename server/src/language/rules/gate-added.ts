import { valueAt } from '../value-at.ts';
import { removeEntry } from './support/edits.ts';
import { podUpdateFindings } from './support/pod-update-findings.ts';
import type { ObjectRule } from './rule.ts';

export const gateAdded: ObjectRule = {
  code: 'gate-added',
  title: 'A scheduling gate is added to a pod that exists already',
  severity: 'error',
  scope: 'object',
  check: (subject) => podUpdateFindings(subject, 'gate-added'),
  fix({ fact, path }) {
    // The finding points at the name; the gate is the item that has it.
    const gate = path?.slice(0, -1);
    const list = gate?.slice(0, -1);
    if (fact === undefined || gate === undefined || list === undefined) return [];
    const gates = valueAt(fact.manifest.value, list);
    const isOnly = Array.isArray(gates) && gates.length === 1;
    return [{ title: 'Take back the gate', preferred: true, edits: [removeEntry(fact, isOnly ? list : gate)] }];
  },
};

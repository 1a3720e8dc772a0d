import { classValueOutOfRange } from './class-value-out-of-range.ts';
import { gateAdded } from './gate-added.ts';
import { gatedNodeAffinity } from './gated-node-affinity.ts';
import { gatedNodeSelector } from './gated-node-selector.ts';
import { preemptionPolicyMismatch } from './preemption-policy-mismatch.ts';
import { priorityMismatch } from './priority-mismatch.ts';
import { reservedClassName } from './reserved-class-name.ts';
import type { Rule } from './rule.ts';
import { severalGlobalDefaults } from './several-global-defaults.ts';
import { unknownPriorityClass } from './unknown-priority-class.ts';
import { wrongType } from './wrong-type.ts';
import { yamlProblems } from './yaml-problems.ts';

/** Every rule, in the order in which the settings list them. */
export const rules: readonly Rule[] = [
  ...yamlProblems,
  wrongType,
  unknownPriorityClass,
  priorityMismatch,
  preemptionPolicyMismatch,
  reservedClassName,
  classValueOutOfRange,
  severalGlobalDefaults,
  gateAdded,
  gatedNodeSelector,
  gatedNodeAffinity,
];

export const rulesByCode: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.code, rule]));

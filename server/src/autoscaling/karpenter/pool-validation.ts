import { isLabelValue, isQualifiedName } from '../../kubernetes/label-syntax.ts';
import type { Taint } from '../../kubernetes/objects.ts';
import { isRestrictedLabel, nodePoolKey, restrictedText, stableKey, wellKnownValues } from './labels.ts';
import type { NodePool, RequirementWithMinValues } from './objects.ts';
import { integerOf } from './requirement.ts';

const operators: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte']);
const effects: ReadonlySet<string> = new Set(['NoSchedule', 'PreferNoSchedule', 'NoExecute', '']);

// Source: apimachinery/pkg/util/validation (IsQualifiedName, IsValidLabelValue), the text of the usual mistake
const nameText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** Why a pool cannot be ready; empty when nothing is wrong. Source: karpenter pkg/apis/v1/nodepool_validation.go RuntimeValidate */
export function poolProblems(pool: NodePool): readonly string[] {
  return [
    ...Object.entries(pool.templateLabels)
      .sort()
      .flatMap(([key, value]) => labelProblems(key, value)),
    ...taintProblems(pool),
    ...pool.requirements.flatMap((requirement) => {
      const problems = requirementProblems(requirement);
      return problems.length === 0 ? [] : [`invalid value: ${problems.join('; ')} in requirements, restricted`];
    }),
    ...pool.requirements
      .filter(({ key }) => key === nodePoolKey)
      .map(({ key }) => `invalid key: "${key}" in requirements, restricted`),
  ];
}

function labelProblems(key: string, value: string): readonly string[] {
  return [
    ...(key === nodePoolKey ? [`invalid key name "${key}" in labels, restricted`] : []),
    ...(isQualifiedName(key) ? [] : [`invalid key name "${key}" in labels, "${nameText}"`]),
    ...(isLabelValue(value) ? [] : [`invalid value: ${value} for label[${key}], ${valueText}`]),
    ...(isRestrictedLabel(key) ? [`invalid key name "${key}" in labels, ${restrictedText(key)}`] : []),
  ];
}

function taintProblems({ taints, startupTaints }: NodePool): readonly string[] {
  const seen = new Set<string>();
  const check = (list: readonly Taint[], field: string): readonly string[] =>
    list.flatMap(({ key, value = '', effect }) => {
      const pair = `${key}=${effect}`;
      const isTwice = seen.has(pair);
      seen.add(pair);
      return [
        ...(isQualifiedName(key) ? [] : [`invalid value: ${nameText} in ${field}`]),
        ...(value === '' || isQualifiedName(value) ? [] : [`invalid value: ${nameText} in ${field}`]),
        ...(effects.has(effect) ? [] : [`invalid value: "${effect}" in ${field}`]),
        ...(isTwice ? [`duplicate taint Key/Effect pair ${pair}`] : []),
      ];
    });
  return [...check(taints, 'taints'), ...check(startupTaints, 'startupTaints')];
}

/** Of a pool, and of what pods require. Source: karpenter pkg/apis/v1/nodeclaim_validation.go ValidateRequirement */
export function requirementProblems(requirement: RequirementWithMinValues): readonly string[] {
  const { operator, values = [], minValues } = requirement;
  const key = stableKey(requirement.key);
  const problems: string[] = [];
  if (!operators.has(operator)) {
    problems.push(`key ${key} has an unsupported operator ${operator} not in [${[...operators].join(' ')}]`);
  }
  if (isRestrictedLabel(key)) problems.push(restrictedText(key));
  const known = operator === 'In' ? wellKnownValues.get(key) : undefined;
  if (known !== undefined) {
    const valid = values.filter((value) => known.includes(value));
    if (valid.length === 0) {
      const set = `map[${known.map((value) => `${value}:{}`).join(' ')}]`;
      problems.push(
        `no valid values found in [${values.join(' ')}] for ${key}, expected one of: ${set}, got: [${values.join(' ')}]`,
      );
    } else if (minValues !== undefined && valid.length < minValues) {
      problems.push(
        `not enough valid values found in [${values.join(' ')}] for ${key}, expected at least ${minValues} valid values from: ` +
          `[${known.join(' ')}], got: ${valid.length}`,
      );
    }
  }
  if (!isQualifiedName(key)) problems.push(`key ${key} is not a qualified name, ${nameText}`);
  for (const value of values) {
    if (!isLabelValue(value)) problems.push(`invalid value ${value} for key ${key}, ${valueText}`);
  }
  if (operator === 'In' && values.length === 0) problems.push(`key ${key} with operator In must have a value defined`);
  if (operator === 'In' && minValues !== undefined && values.length < minValues) {
    problems.push(`key ${key} with operator In must have at least minimum number of values defined in 'values' field`);
  }
  if (['Gt', 'Lt', 'Gte', 'Lte'].includes(operator)) {
    const bound = values.length === 1 ? integerOf(values[0]!) : undefined;
    if (bound === undefined || bound < 0) {
      problems.push(`key ${key} with operator ${operator} must have a single positive integer value`);
    }
  }
  return problems;
}

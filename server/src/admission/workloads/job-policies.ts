import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Job } from '../../kubernetes/objects.ts';
import { duplicate, invalid, invalidFormat, notSupported, required, tooLong, tooMany } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goNumber, goString } from '../format/go-zero.ts';
import { validateNonNegative } from '../format/int-or-percent.ts';
import { byteLength, dnsSubdomainProblems, qualifiedNameProblems } from '../format/names.ts';

/**
 * When a job counts as failed or as done, and who runs it.
 * Source for this file: validatePodFailurePolicy, validateSuccessPolicy, validateManagedBy in
 * pkg/apis/batch/validation/validation.go
 */

type JobSpec = NonNullable<Job['spec']>;
type FailureRule = NonNullable<JobSpec['podFailurePolicy']>['rules'][number];

const maxFailureRules = 20;
const maxConditions = 20;
const maxExitCodes = 255;
const maxSuccessRules = 20;
const maxSucceededIndexesBytes = 64 * 1024;
const maxManagedByBytes = 63;

export function validatePolicies(spec: JobSpec, at: FieldPath): FieldError[] {
  return [
    ...validateFailurePolicy(spec, at.child('podFailurePolicy')),
    ...validateSuccessPolicy(spec, at.child('successPolicy')),
  ];
}

export function validateManagedBy(managedBy: string | undefined, at: FieldPath): FieldError[] {
  if (managedBy === undefined) return [];
  if (managedBy === '') return [required(at)];
  const slash = managedBy.indexOf('/');
  const errors: FieldError[] = [];
  if (slash <= 0 || slash === managedBy.length - 1) {
    errors.push(invalid(at, managedBy, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  } else {
    const domain = managedBy.slice(0, slash);
    append(errors, invalidFormat(at, domain, dnsSubdomainProblems(domain)));
    if (!/^[a-zA-Z0-9/\-._~%!$&'()*+,;=:]+$/.test(managedBy.slice(slash + 1))) {
      errors.push(
        invalid(
          at,
          managedBy.slice(slash + 1),
          "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
        ),
      );
    }
  }
  if (byteLength(managedBy) > maxManagedByBytes) {
    errors.push(tooLong(at, maxManagedByBytes));
  }
  return errors;
}

function validateFailurePolicy(
  { podFailurePolicy, template, backoffLimitPerIndex }: JobSpec,
  at: FieldPath,
): FieldError[] {
  if (podFailurePolicy === undefined) return [];
  const rulesAt = at.child('rules');
  const rules = goList(podFailurePolicy.rules);
  const errors: FieldError[] = [];
  if (rules.length > maxFailureRules) errors.push(tooMany(rulesAt, rules.length, maxFailureRules));
  const names = new Set(
    [...goList(template.spec?.containers), ...goList(template.spec?.initContainers)].map(({ name }) => name),
  );
  rules.forEach((rule, index) => {
    append(errors, validateFailureRule(rule, backoffLimitPerIndex !== undefined, names, rulesAt.index(index)));
  });
  return errors;
}

function validateFailureRule(
  rule: FailureRule,
  perIndex: boolean,
  containers: ReadonlySet<string>,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const action = goString(rule.action);
  const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
  if (action === '') {
    errors.push(
      required(at.child('action'), `valid values: [${actions.map((each) => JSON.stringify(each)).join(' ')}]`),
    );
  } else if (action === 'FailIndex') {
    if (!perIndex) {
      const detail = 'requires the backoffLimitPerIndex to be set';
      errors.push(invalid(at.child('action'), action, detail));
    }
  } else if (!actions.includes(action)) {
    errors.push(notSupported(at.child('action'), action, actions));
  }
  const { onExitCodes, onPodConditions } = rule;
  if (onExitCodes !== undefined) append(errors, validateExitCodes(onExitCodes, containers, at.child('onExitCodes')));
  const conditions = goList(onPodConditions);
  const conditionsAt = at.child('onPodConditions');
  if (conditions.length > maxConditions) errors.push(tooMany(conditionsAt, conditions.length, maxConditions));
  conditions.forEach((pattern, index) => {
    const place = conditionsAt.index(index);
    const type = goString(pattern.type);
    append(errors, invalidFormat(place.child('type'), type, qualifiedNameProblems(type)));
    // What is not written is True: SetDefaults_PodFailurePolicyOnPodConditionsPattern of pkg/apis/batch/v1/defaults.go.
    const statuses = ['False', 'True', 'Unknown'];
    const status = goString(pattern.status) || 'True';
    if (!statuses.includes(status)) errors.push(notSupported(place.child('status'), status, statuses));
  });
  if (onExitCodes !== undefined && conditions.length > 0) {
    errors.push(invalid(at, undefined, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  }
  if (onExitCodes === undefined && conditions.length === 0) {
    errors.push(invalid(at, undefined, 'specifying one of OnExitCodes and OnPodConditions is required'));
  }
  return errors;
}

function validateExitCodes(
  exitCodes: NonNullable<FailureRule['onExitCodes']>,
  containers: ReadonlySet<string>,
  at: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const operator = goString(exitCodes.operator);
  const operators = ['In', 'NotIn'];
  if (operator === '') {
    errors.push(required(at.child('operator'), 'valid values: ["In" "NotIn"]'));
  } else if (!operators.includes(operator)) {
    errors.push(notSupported(at.child('operator'), operator, operators));
  }
  const { containerName } = exitCodes;
  if (containerName !== undefined && !containers.has(containerName)) {
    errors.push(
      invalid(
        at.child('containerName'),
        containerName,
        'must be one of the container or initContainer names in the pod template',
      ),
    );
  }
  const valuesAt = at.child('values');
  const values = goList(exitCodes.values);
  if (values.length === 0) {
    errors.push(invalid(valuesAt, values, 'at least one value is required'));
  } else if (values.length > maxExitCodes) {
    errors.push(tooMany(valuesAt, values.length, maxExitCodes));
  }
  const isSorted = values.every((value, index) => index === 0 || values[index - 1]! <= value);
  const seen = new Set<number>();
  values.forEach((value, index) => {
    const place = valuesAt.index(index);
    if (operator === 'In' && value === 0) {
      errors.push(invalid(place, value, 'must not be 0 for the In operator'));
    }
    if (seen.has(value)) errors.push(duplicate(place, value));
    seen.add(value);
  });
  if (!isSorted) errors.push(invalid(valuesAt, values, 'must be ordered'));
  return errors;
}

function validateSuccessPolicy({ successPolicy, completions, completionMode }: JobSpec, at: FieldPath): FieldError[] {
  if (successPolicy === undefined) return [];
  if (completionMode !== 'Indexed') return [invalid(at, successPolicy, 'requires indexed completion mode')];
  const rulesAt = at.child('rules');
  const rules = goList(successPolicy.rules);
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    errors.push(required(rulesAt, 'at least one rules must be specified when the successPolicy is specified'));
  }
  if (rules.length > maxSuccessRules) errors.push(tooMany(rulesAt, rules.length, maxSuccessRules));
  rules.forEach((rule, index) => {
    const place = rulesAt.index(index);
    const { succeededCount, succeededIndexes } = rule;
    if (succeededCount === undefined && succeededIndexes === undefined) {
      errors.push(required(place, 'at least one of succeededCount or succeededIndexes must be specified'));
    }
    let total = goNumber(completions);
    if (succeededIndexes !== undefined) {
      const indexesAt = place.child('succeededIndexes');
      if (byteLength(succeededIndexes) > maxSucceededIndexesBytes) {
        errors.push(tooLong(indexesAt, maxSucceededIndexesBytes));
      }
      const counted = countIndexes(succeededIndexes, goNumber(completions));
      if (typeof counted === 'string') {
        total = 0;
        errors.push(invalid(indexesAt, succeededIndexes, `error parsing succeededIndexes: ${counted}`));
      } else {
        total = counted;
      }
    }
    if (succeededCount !== undefined) {
      const countAt = place.child('succeededCount');
      append(errors, validateNonNegative(succeededCount, countAt));
      if (succeededCount > goNumber(completions)) {
        errors.push(
          invalid(
            countAt,
            succeededCount,
            `must be less than or equal to ${goNumber(completions)} (the number of specified completions)`,
          ),
        );
      }
      if (succeededIndexes !== undefined && succeededCount > total) {
        errors.push(
          invalid(
            countAt,
            succeededCount,
            `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
          ),
        );
      }
    }
  });
  return errors;
}

/** How many indexes `1,3-5` names, or what is wrong with it. Source: validateIndexesFormat */
function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let last = -1;
  let total = 0;
  for (const interval of text.split(',')) {
    const limits = interval.split('-');
    if (limits.length > 2) {
      return `the fragment "${interval}" violates the requirement that an index interval can have at most two parts separated by '-'`;
    }
    const numbers: number[] = [];
    for (const limit of limits) {
      if (!/^[+-]?\d+$/.test(limit)) {
        return `cannot convert string to integer for index: "${limit}"`;
      }
      const number = Number(limit);
      if (number >= completions) return `too large index: "${limit}"`;
      if (numbers[0] === undefined && number <= last && last >= 0) {
        return `non-increasing order, previous: ${last}, current: ${number}`;
      }
      numbers.push(number);
    }
    const [first = 0, end = first] = numbers;
    if (numbers.length === 2 && first >= end) return `non-increasing order, previous: ${first}, current: ${end}`;
    total += end - first + 1;
    last = end;
  }
  return total;
}

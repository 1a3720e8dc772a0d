import { nearestNames } from '../../util/nearest-names.ts';
import { isList, isObject, valueAt } from '../../util/values.ts';
import type { Path } from '../../kubernetes/json.ts';
import { holdsVariable } from '../../kubernetes/placeholders.ts';
import { writtenOf } from '../index/pools.ts';
import { changeToMeant } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';

interface Problem {
  readonly path: Path;
  readonly message: string;
  readonly near?: string | undefined;
}

const policies = ['WhenEmpty', 'WhenEmptyOrUnderutilized'];
const reasonsKnown = ['Underutilized', 'Empty', 'Drifted'];
const durations = /^(?:(?:\d+[smh])+|Never)$/;

/** What the schema of NodePools refuses. Source: karpenter pkg/apis/v1/nodepool.go, nodeclaim.go, the markers of validation */
export const invalidNodePool: ObjectRule = {
  code: 'invalid-node-pool',
  title: 'A NodePool that the API server refuses',
  severity: 'error',
  scope: 'object',
  *check({ fact }) {
    if (fact.kind !== 'NodePool' || fact.manifest.apiVersion !== 'karpenter.sh/v1') return;
    for (const { path, message, near } of problemsOf(writtenOf(fact))) {
      yield findingAt(fact, path, message, near === undefined ? {} : { value: near });
    }
  },
  fix: changeToMeant,
};

function* problemsOf(written: unknown): Iterable<Problem> {
  const at = (...path: Path): unknown => valueAt(written, path);
  const weight = at('spec', 'weight');
  yield* upTo(100, weight, ['spec', 'weight']);
  const requirements = at('spec', 'template', 'spec', 'requirements');
  for (const [index, requirement] of (isList(requirements) ? requirements : []).entries()) {
    const path = ['spec', 'template', 'spec', 'requirements', index, 'minValues'];
    yield* upTo(50, valueAt(requirement, ['minValues']), path);
  }
  if (typeof weight === 'number' && at('spec', 'replicas') !== undefined) {
    yield { path: ['spec', 'weight'], message: "spec: Invalid value: 'weight' is not supported on static NodePools" };
  }
  yield* oneOf(
    at('spec', 'disruption', 'consolidationPolicy'),
    ['spec', 'disruption', 'consolidationPolicy'],
    policies,
  );
  for (const path of [
    ['spec', 'disruption', 'consolidateAfter'],
    ['spec', 'template', 'spec', 'expireAfter'],
  ]) {
    const value = at(...path);
    if (typeof value === 'string' && !durations.test(value) && !holdsVariable(value)) {
      yield {
        path,
        message: `${textOf(path)}: Invalid value: "${value}": ${textOf(path)} in body should match '^(([0-9]+(s|m|h))+|Never)$'`,
      };
    }
  }
  const budgets = at('spec', 'disruption', 'budgets');
  for (const [index, budget] of (isList(budgets) ? budgets : []).entries()) {
    if (isObject(budget)) yield* problemsOfBudget(budget, ['spec', 'disruption', 'budgets', index]);
  }
}

function* problemsOfBudget(budget: Readonly<Record<string, unknown>>, path: Path): Iterable<Problem> {
  const { nodes, reasons, schedule, duration } = budget;
  if ((schedule === undefined) !== (duration === undefined)) {
    yield { path, message: "spec.disruption.budgets: Invalid value: 'schedule' must be set with 'duration'" };
  }
  if (typeof nodes === 'string' && !/^(?:(?:100|\d{1,2})%|\d+)$/.test(nodes) && !holdsVariable(nodes)) {
    const own = [...path, 'nodes'];
    const message = `${textOf(own)}: Invalid value: "${nodes}": ${textOf(own)} in body should match '^((100|[0-9]{1,2})%|[0-9]+)$'`;
    yield { path: own, message };
  }
  for (const [at, reason] of (isList(reasons) ? reasons : []).entries()) {
    yield* oneOf(reason, [...path, 'reasons', at], reasonsKnown);
  }
}

/** A number from 1 on. */
function* upTo(most: number, value: unknown, path: Path): Iterable<Problem> {
  if (typeof value !== 'number' || (value >= 1 && value <= most)) return;
  const bound = value < 1 ? 'greater than or equal to 1' : `less than or equal to ${most}`;
  yield { path, message: `${textOf(path)}: Invalid value: ${value}: ${textOf(path)} in body should be ${bound}` };
}

function* oneOf(value: unknown, path: Path, known: readonly string[]): Iterable<Problem> {
  if (typeof value !== 'string' || known.includes(value) || holdsVariable(value)) return;
  // What v1beta1 called it.
  const near = value === 'WhenUnderutilized' ? 'WhenEmptyOrUnderutilized' : nearestNames(value, known, 2)[0];
  const supported = known.map((each) => `"${each}"`).join(', ');
  yield { path, near, message: `${textOf(path)}: Unsupported value: "${value}": supported values: ${supported}` };
}

function textOf(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}

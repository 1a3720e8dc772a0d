import { say } from '../../util/say.ts';
import { valueAt } from '../../util/values.ts';
import { type FieldType, StructType, typeAt } from '../../kubernetes/api/index.ts';
import type { Json, Path } from '../../kubernetes/json.ts';
import { stableKey, wellKnownLabels, wellKnownValues } from '../../autoscaling/karpenter/labels.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { poolTypes } from '../index/pool-types.ts';
import type { Choice } from './context.ts';
import { knownNodes } from './known.ts';

const text: FieldType = { kind: 'string', goType: 'string', values: [] };
const isOptional = { pointer: false, omitEmpty: true, required: false, retainsKeys: false, embedded: [] };
const struct = (fields: Readonly<Record<string, FieldType>>): FieldType =>
  new StructType('karpenter.sh/v1', 'NodePool', () =>
    Object.entries(fields).map(([name, type]) => ({ name, type, ...isOptional })),
  );
const requirement = struct({ key: text, operator: text, values: { kind: 'list', item: text } });
const root = struct({
  spec: struct({
    template: struct({ spec: struct({ requirements: { kind: 'list', item: requirement } }) }),
    disruption: struct({
      consolidationPolicy: text,
      budgets: { kind: 'list', item: struct({ reasons: { kind: 'list', item: text } }) },
    }),
  }),
});

/** The fields of a NodePool for which values are known. */
export function nodePoolType(path: Path): FieldType | undefined {
  return typeAt(root, path);
}

/** Source: karpenter pkg/apis/v1/nodeclaim.go, the validation of `operator` */
const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'];
/** Source: karpenter pkg/apis/v1/nodepool.go */
const policies = ['WhenEmptyOrUnderutilized', 'WhenEmpty'];
const reasons = ['Underutilized', 'Empty', 'Drifted'];

/** What may stand at a place of a NodePool. */
export function* nodePoolValues(
  fact: Fact | undefined,
  value: Json,
  path: Path,
  facts: FactsReader,
): Generator<Choice> {
  const plain = (labels: readonly string[]): readonly Choice[] => labels.map((label) => ({ label, detail: '' }));
  const field = path.findLast((step) => typeof step === 'string');
  if (field === 'consolidationPolicy') yield* plain(policies);
  if (field === 'reasons') yield* plain(reasons);
  if (field === 'operator') yield* plain(operators);
  if (field === 'key') {
    for (const label of wellKnownLabels) yield { label, detail: say`well-known label` };
    for (const { thing } of knownNodes(facts).labels.keys()) yield { label: thing, detail: say`on nodes` };
  }
  if (field !== 'values') return;
  const key = valueAt(value, [...path.slice(0, path.lastIndexOf('values')), 'key']);
  if (typeof key !== 'string') return;
  const types = poolTypes();
  const found = fact === undefined ? undefined : types?.typesOfPool(fact, facts);
  const known = types === undefined || found === undefined ? [] : types.valuesOf(found, stableKey(key));
  const listed = new Set([...(wellKnownValues.get(stableKey(key)) ?? []), ...known]);
  for (const label of listed) yield { label, detail: say`of instance types` };
  for (const { thing } of knownNodes(facts).labels.values(key)) yield { label: thing, detail: say`on nodes` };
}

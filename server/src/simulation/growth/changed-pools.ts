import { isList, isObject, valueAt } from '../../util/values.ts';
import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { nodePoolKey } from '../../autoscaling/karpenter/labels.ts';
import { readNodePool } from '../../autoscaling/karpenter/objects.ts';
import {
  areCompatible,
  labelRequirements,
  selectorRequirements,
  together,
} from '../../autoscaling/karpenter/requirements.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { keyOfObject, nameOf } from '../../kubernetes/names.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { KubeObject, Node } from '../../kubernetes/objects.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import { stripped } from '../../kubernetes/scheduling-fields.ts';

/** Kinds that say what new nodes are like. */
const kinds: ReadonlySet<string> = new Set([
  'NodePool',
  'EC2NodeClass',
  'AKSNodeClass',
  'NodeClass',
  'MachineDeployment',
  'MachineSet',
  'MachinePool',
  'ComputeClass',
]);

/** What the API server fills in nowhere: what is not written of it has gone. */
const withoutDefaults: readonly (readonly string[])[] = [
  ['spec', 'limits'],
  ['spec', 'weight'],
  ['spec', 'template', 'metadata', 'labels'],
  ['spec', 'template', 'spec', 'taints'],
  ['spec', 'template', 'spec', 'startupTaints'],
];

/** What changed pools mean for nodes that are there, and for those to come. */
export function changedPools(
  before: readonly KubeObject[],
  now: readonly KubeObject[],
  nodes: readonly Node[],
): readonly string[] {
  const stored = new Map<string, JsonObject>();
  for (const object of before) {
    const key = keyOfObject(object);
    if (isPoolObject(object) && kinds.has(object.kind ?? '') && !stored.has(key)) stored.set(key, object.written);
  }
  return now.flatMap((object) => {
    const was = isPoolObject(object) ? stored.get(keyOfObject(object)) : undefined;
    if (was === undefined || !isPoolObject(object)) return [];
    const { apiVersion = '', kind = '', written } = object;
    // What a snapshot leaves out is no difference.
    const [old, next] = [was, written].map((each) => stripped(each, apiVersion, kind)) as [JsonObject, JsonObject];
    const isOther =
      differs(next['spec'], old['spec']) ||
      differs(valueAt(next, ['metadata', 'annotations']), valueAt(old, ['metadata', 'annotations']));
    const isGone = withoutDefaults.some(
      (path) => valueAt(old, path) !== undefined && valueAt(next, path) === undefined,
    );
    if (!isOther && !isGone) return [];
    const text = say`${kind} ${nameOf(object)}: new nodes are made as it says now`;
    return [kind === 'NodePool' ? nodePoolText(text, written, isOtherTemplate(old, next), nodes) : text];
  });
}

/** Whether something is written otherwise than it is stored, which has more. */
function differs(written: unknown, stored: unknown): boolean {
  if (isObject(written) && isObject(stored)) {
    const keys = Object.keys(written).filter((key) => key !== 'replicas');
    return keys.some((key) => differs(valueAt(written, [key]), valueAt(stored, [key])));
  }
  if (isList(written) && isList(stored)) {
    return written.length !== stored.length || written.some((each, index) => differs(each, stored[index]));
  }
  // `100` and `"100"` are one amount.
  const [own, other] = [written, stored].map((each) => (isScalar(each) ? String(each) : JSON.stringify(each)));
  return written !== undefined && own !== other;
}

/** Source: NodePool.Hash in karpenter pkg/apis/v1/nodepool.go */
function isOtherTemplate(old: JsonObject, next: JsonObject): boolean {
  const [was, is] = [old, next].map((each) => {
    const { requirements: _requirements, ...spec } = mapOf(valueAt(each, ['spec', 'template', 'spec']));
    return { metadata: valueAt(each, ['spec', 'template', 'metadata']), spec };
  });
  return (
    differs(is, was) ||
    withoutDefaults.slice(2).some((path) => {
      return valueAt(old, path) !== undefined && valueAt(next, path) === undefined;
    })
  );
}

/** Source: karpenter pkg/controllers/nodeclaim/disruption/drift.go (areStaticFieldsDrifted, areRequirementsDrifted) */
function nodePoolText(text: string, written: JsonObject, isOther: boolean, nodes: readonly Node[]): string {
  const pool = readNodePool(written);
  const own = nodes.filter(({ metadata }) => labelValue(metadata?.labels, nodePoolKey) === pool.name);
  const drifted = own.filter(({ metadata: { labels = {} } = {} }) => {
    const known = pool.requirements.filter(({ key }) => Object.hasOwn(labels, key));
    return isOther || !areCompatible(together(labelRequirements(labels)), together(selectorRequirements(known)));
  });
  if (own.length === 0) return text;
  if (drifted.length === 0) {
    return own.length === 1 ? say`${text}; its only node stays` : say`${text}; its ${own.length} nodes stay`;
  }
  const which = own.length === 1 ? say`its only node` : say`${drifted.length} of its ${count(own.length, 'node')}`;
  return say`${text}; Karpenter replaces ${which} (drift), as its budgets and what it can make allow`;
}

function isScalar(value: unknown): boolean {
  return !isObject(value) && !isList(value);
}

function mapOf(value: unknown): JsonObject {
  return isObject(value) ? (value as JsonObject) : {};
}

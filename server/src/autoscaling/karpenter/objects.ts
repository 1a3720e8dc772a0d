import { isList, isObject, valueAt } from '../../util/values.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import type { ResourceList, Taint } from '../../kubernetes/objects.ts';
import { type ResourceAmounts, readResourceList } from '../../kubernetes/pod-resources.ts';

/** As NodePools and NodeClaims write a requirement; also how one expression of a node affinity reads. */
export interface RequirementWithMinValues {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
  readonly minValues?: number;
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

interface Metadata {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly isBeingDeleted: boolean;
}

interface NodeSpec {
  readonly requirements: readonly RequirementWithMinValues[];
  readonly taints: readonly Taint[];
  readonly startupTaints: readonly Taint[];
}

/** A NodePool (karpenter.sh/v1), as far as scheduling depends on it. Source: karpenter pkg/apis/v1/nodepool.go */
export interface NodePool extends Metadata, NodeSpec {
  readonly nodeClass: { readonly group: string; readonly kind: string; readonly name: string };
  readonly templateLabels: Readonly<Record<string, string>>;
  /** Undefined where no limit is set at all. */
  readonly limits: ResourceAmounts | undefined;
  readonly weight: number;
  readonly isStatic: boolean;
  /** Undefined where the pool has no status: it has not been looked at by Karpenter. */
  readonly conditions: readonly Condition[] | undefined;
  /** Undefined when it is `Never`. */
  readonly consolidateAfter: string | undefined;
  readonly consolidationPolicy: string;
  readonly budgets: readonly Budget[];
}

/** How many nodes of a pool may be disrupted at once. */
export interface Budget {
  readonly nodes: string;
  readonly reasons: readonly string[];
  readonly schedule?: string;
  readonly duration?: string;
}

/** A NodeClaim (karpenter.sh/v1): a node that was asked for. */
export interface NodeClaim extends Metadata, NodeSpec {
  readonly providerId: string;
  /** Empty until its node is there. */
  readonly nodeName: string;
  readonly capacity: ResourceAmounts;
  readonly allocatable: ResourceAmounts;
  readonly conditions: readonly Condition[];
  readonly hasTerminationGracePeriod: boolean;
}

/** What makes Karpenter see types otherwise than they are offered. Source: karpenter pkg/apis/v1alpha1/nodeoverlay.go */
export interface NodeOverlay {
  readonly name: string;
  readonly weight: number;
  readonly requirements: NodePool['requirements'];
  /** Of extended resources. */
  readonly capacity: ResourceAmounts;
}

export function readNodeOverlay(value: JsonObject): NodeOverlay {
  const spec = valueAt(value, ['spec']);
  return {
    name: readMetadata(value).name,
    weight: number(valueAt(spec, ['weight'])) ?? 0,
    requirements: readNodeSpec(spec).requirements,
    capacity: readAmounts(valueAt(spec, ['capacity'])),
  };
}

/** Never throws: what has the wrong type counts as absent. */
export function readNodePool(value: JsonObject): NodePool {
  const at = (...path: readonly string[]): unknown => valueAt(value, path);
  const limits = at('spec', 'limits');
  const conditions = at('status', 'conditions');
  const consolidateAfter = text(at('spec', 'disruption', 'consolidateAfter'), '0s');
  const reference = ['spec', 'template', 'spec', 'nodeClassRef'];
  return {
    ...readMetadata(value),
    ...readNodeSpec(at('spec', 'template', 'spec')),
    nodeClass: {
      group: text(at(...reference, 'group')),
      kind: text(at(...reference, 'kind')),
      name: text(at(...reference, 'name')),
    },
    templateLabels: texts(at('spec', 'template', 'metadata', 'labels')),
    limits: isObject(limits) ? readAmounts(limits) : undefined,
    weight: number(at('spec', 'weight')) ?? 0,
    isStatic: number(at('spec', 'replicas')) !== undefined,
    conditions: isList(conditions) ? readConditions(conditions) : undefined,
    consolidateAfter: consolidateAfter === 'Never' ? undefined : consolidateAfter,
    consolidationPolicy: text(at('spec', 'disruption', 'consolidationPolicy'), 'WhenEmptyOrUnderutilized'),
    budgets: readBudgets(at('spec', 'disruption', 'budgets')),
  };
}

export function readNodeClaim(value: JsonObject): NodeClaim {
  const at = (...path: readonly string[]): unknown => valueAt(value, path);
  return {
    ...readMetadata(value),
    ...readNodeSpec(at('spec')),
    providerId: text(at('status', 'providerID')),
    nodeName: text(at('status', 'nodeName')),
    capacity: readAmounts(at('status', 'capacity')),
    allocatable: readAmounts(at('status', 'allocatable')),
    conditions: readConditions(at('status', 'conditions')),
    hasTerminationGracePeriod: at('spec', 'terminationGracePeriod') !== undefined,
  };
}

export function hasCondition({ conditions }: Pick<NodeClaim, 'conditions'>, type: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}

function readMetadata(value: JsonObject): Metadata {
  return {
    name: text(valueAt(value, ['metadata', 'name'])),
    uid: text(valueAt(value, ['metadata', 'uid'])),
    labels: texts(valueAt(value, ['metadata', 'labels'])),
    annotations: texts(valueAt(value, ['metadata', 'annotations'])),
    isBeingDeleted: text(valueAt(value, ['metadata', 'deletionTimestamp'])) !== '',
  };
}

function readNodeSpec(spec: unknown): NodeSpec {
  return {
    requirements: objects(valueAt(spec, ['requirements'])).map((requirement) => {
      const { values, minValues } = requirement;
      return {
        key: text(requirement['key']),
        operator: text(requirement['operator']),
        ...(isList(values) ? { values: values.map((each) => scalar(each, '')) } : {}),
        ...(number(minValues) === undefined ? {} : { minValues: number(minValues)! }),
      };
    }),
    taints: readTaints(valueAt(spec, ['taints'])),
    startupTaints: readTaints(valueAt(spec, ['startupTaints'])),
  };
}

export function readTaints(list: unknown): readonly Taint[] {
  return objects(list).map((taint) => {
    const value = text(taint['value']);
    return { key: text(taint['key']), effect: text(taint['effect']), ...(value === '' ? {} : { value }) };
  });
}

function readBudgets(list: unknown): readonly Budget[] {
  // Source: the default of spec.disruption.budgets in the CRD.
  if (!isList(list)) return [{ nodes: '10%', reasons: [] }];
  return objects(list).map((budget) => ({
    nodes: scalar(budget['nodes'], '10%'),
    reasons: isList(budget['reasons']) ? budget['reasons'].map(String) : [],
    ...(text(budget['schedule']) === '' ? {} : { schedule: text(budget['schedule']) }),
    ...(text(budget['duration']) === '' ? {} : { duration: text(budget['duration']) }),
  }));
}

function readConditions(list: unknown): readonly Condition[] {
  return objects(list).map(({ type, status }) => ({ type: text(type), status: text(status) }));
}

export function readAmounts(value: unknown): ResourceAmounts {
  if (!isObject(value)) return new Map();
  const entries = Object.entries(value).filter(([, each]) => typeof each === 'string' || typeof each === 'number');
  return readResourceList(Object.fromEntries(entries) as ResourceList);
}

function objects(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isList(list) ? list.filter(isObject) : [];
}

function texts(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, scalar(each, '')]));
}

function scalar(value: unknown, otherwise: string): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : otherwise;
}

function text(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

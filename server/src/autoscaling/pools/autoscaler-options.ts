import { isList, valueAt } from '../../util/values.ts';
import { nameOf } from '../../kubernetes/names.ts';
import { expanderConfigMap, type PoolObject } from '../../kubernetes/pool-kinds.ts';
import { type AutoscalerOptions, defaultOptions, type Priorities } from '../cluster-autoscaler/groups.ts';

/** OpenShift's names of expanders. Source: openshift/cluster-autoscaler-operator pkg/apis/autoscaling/v1 */
const expanderNames: ReadonlyMap<string, string> = new Map([
  ['LeastWaste', 'least-waste'],
  ['Priority', 'priority'],
  ['Random', 'random'],
]);

/**
 * How Cluster Autoscaler is set: by OpenShift's ClusterAutoscaler, or by the flags of what runs it. A
 * ConfigMap of the priority expander without either says that this is the expander that is used.
 */
export function autoscalerOptions(
  pools: readonly PoolObject[],
  flags: readonly string[],
  readPriorities: (text: string) => Priorities | undefined,
): AutoscalerOptions {
  const map = pools.find((each) => each.kind === 'ConfigMap' && nameOf(each) === expanderConfigMap);
  const text = map === undefined ? undefined : valueAt(map.written, ['data', 'priorities']);
  const priorities = typeof text === 'string' ? readPriorities(text) : undefined;
  const ofOpenShift = pools.find((each) => each.kind === 'ClusterAutoscaler');
  const set = ofOpenShift === undefined ? optionsOf(flags) : openShiftOptions(ofOpenShift);
  const usual = priorities === undefined ? {} : { expanders: ['priority', 'least-waste'] };
  return { ...defaultOptions, ...usual, ...set, ...(priorities === undefined ? {} : { priorities }) };
}

/** Source: openshift/cluster-autoscaler-operator pkg/apis/autoscaling/v1/clusterautoscaler_types.go */
function openShiftOptions({ written }: PoolObject): Partial<AutoscalerOptions> {
  const at = (...path: readonly string[]): unknown => valueAt(written, ['spec', ...path]);
  const number = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);
  const cores = number(at('resourceLimits', 'cores', 'max'));
  const memory = number(at('resourceLimits', 'memory', 'max'));
  const expanders = at('expanders');
  const named = isList(expanders)
    ? expanders.flatMap((each) => expanderNames.get(typeof each === 'string' ? each : '') ?? [])
    : [];
  return {
    expendableBelow: number(at('podPriorityThreshold')) ?? defaultOptions.expendableBelow,
    mostNodes: number(at('resourceLimits', 'maxNodesTotal')) ?? 0,
    balancesSimilarGroups: at('balanceSimilarNodeGroups') === true,
    ...(cores === undefined ? {} : { mostCores: BigInt(cores) }),
    ...(memory === undefined ? {} : { mostMemoryBytes: gibibytes(memory) }),
    ...(named.length === 0 ? {} : { expanders: named }),
  };
}

/** Source: cluster-autoscaler/config/flags/flags.go */
function optionsOf(words: readonly string[]): Partial<AutoscalerOptions> {
  const flags = new Map(
    words.flatMap((word) => {
      const [, name, value = 'true'] = /^--?([a-z-]+)(?:=(.*))?$/.exec(word) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    }),
  );
  const whole = (name: string): number | undefined => {
    const value = flags.get(name) ?? '';
    return /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
  };
  /** `0:320` */
  const most = (name: string): number | undefined => {
    const value = /^\d+:(\d{1,15})$/.exec(flags.get(name) ?? '')?.[1];
    return value === undefined ? undefined : Number(value);
  };
  const [cores, memory] = [most('cores-total'), most('memory-total')];
  const expander = flags.get('expander') ?? '';
  return {
    balancesSimilarGroups: flags.get('balance-similar-node-groups') === 'true',
    mostNodes: whole('max-nodes-total') ?? defaultOptions.mostNodes,
    expendableBelow: whole('expendable-pods-priority-cutoff') ?? defaultOptions.expendableBelow,
    mostNodesPerScaleUp: whole('max-nodes-per-scaleup') ?? defaultOptions.mostNodesPerScaleUp,
    ...(cores === undefined ? {} : { mostCores: BigInt(cores) }),
    ...(memory === undefined ? {} : { mostMemoryBytes: gibibytes(memory) }),
    ...(expander === '' ? {} : { expanders: expander.split(',') }),
  };
}

function gibibytes(amount: number): bigint {
  return BigInt(amount) * 1024n ** 3n;
}

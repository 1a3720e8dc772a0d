import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { highestUserDefinablePriority } from '../../admission/priority/priority-class.ts';
import { isQuantityError, parseQuantity } from '../../kubernetes/quantity.ts';
import type { Scenario } from '../cluster/input.ts';
import type { DrainOptions, NodeModel, Operation, ScenarioEvent, Target, Verb, WrittenTaint } from './operation.ts';

/** What is wrong with the text of an operation. */
export interface OperationProblem {
  readonly problem: string;
}

/** How each operation is written. */
export const operationForms: Readonly<Record<Verb, string>> = {
  drain:
    'drain node/NAME [--ignore-daemonsets] [--delete-emptydir-data] [--force] [--disable-eviction] [--grace-period=SECONDS]',
  cordon: 'cordon node/NAME',
  uncordon: 'uncordon node/NAME',
  add: 'add COUNT nodes like NODE [CPU:MEMORY[:PODS]] [KEY=VALUE], add COUNT nodes CPU:MEMORY[:PODS] [KEY=VALUE]',
  remove: 'remove node/NAME, remove pdb/NAMESPACE/NAME',
  delete: 'delete KIND/NAMESPACE/NAME',
  ungate: 'ungate KIND/NAMESPACE/NAME',
  arrive: 'arrive KIND/NAMESPACE/NAME',
  finish: 'finish KIND/NAMESPACE/NAME',
  unready: 'unready KIND/NAMESPACE/NAME',
  scale: 'scale KIND/NAMESPACE/NAME REPLICAS',
  priority: 'priority KIND/NAMESPACE/NAME CLASS',
  class: 'class NAME value=NUMBER | preemptionPolicy=Never, where NUMBER is from -2147483648 to 1000000000',
  request: 'request KIND/NAMESPACE/NAME cpu=200m [memory=1Gi]',
  budget: 'budget pdb/NAMESPACE/NAME minAvailable=1 | maxUnavailable=1 | unhealthyPodEvictionPolicy=AlwaysAllow',
  quota: 'quota quota/NAMESPACE/NAME requests.cpu=4 [pods=20]',
  limit: 'limit nodepool/NAME cpu=100 [memory=1Ti], limit GROUP nodes=5',
  tolerate: 'tolerate KIND/NAMESPACE/NAME KEY[=VALUE][:EFFECT]',
  label: 'label node/NAME KEY=VALUE | KEY-',
  taint: 'taint node/NAME KEY[=VALUE]:EFFECT | KEY[:EFFECT]-',
  fail: 'fail node/NAME',
  pressure: 'pressure node/NAME KIND/NAMESPACE/NAME=MEMORY [KIND/NAMESPACE/NAME=MEMORY]',
};

const verbs = Object.keys(operationForms) as readonly Verb[];

/** What kinds are called on a command line. */
const kinds: ReadonlyMap<string, string> = new Map(
  [
    ['Node', 'node', 'nodes', 'no'],
    ['Pod', 'pod', 'pods', 'po'],
    ['Deployment', 'deployment', 'deployments', 'deploy'],
    ['ReplicaSet', 'replicaset', 'replicasets', 'rs'],
    ['ReplicationController', 'replicationcontroller', 'replicationcontrollers', 'rc'],
    ['StatefulSet', 'statefulset', 'statefulsets', 'sts'],
    ['DaemonSet', 'daemonset', 'daemonsets', 'ds'],
    ['Job', 'job', 'jobs'],
    ['CronJob', 'cronjob', 'cronjobs', 'cj'],
    ['PodDisruptionBudget', 'poddisruptionbudget', 'poddisruptionbudgets', 'pdb', 'budget'],
    ['ResourceQuota', 'resourcequota', 'resourcequotas', 'quota'],
    ['PriorityClass', 'priorityclass', 'priorityclasses', 'pc', 'class'],
  ].flatMap(([kind = '', ...names]) => names.map((name) => [name, kind] as const)),
);
/** Those that look like what they stand for. */
const longNames = [...kinds.keys()].filter((name) => name.length > 2);

/** A Job's replicas are its parallelism. */
const scalable: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'Job',
]);
export function isScalable(kind: string): boolean {
  return scalable.has(kind);
}

const clusterKinds: ReadonlySet<string> = new Set(['Node', 'PriorityClass']);

/** A year. */
const mostSeconds = 366 * 24 * 60 * 60;

/** Reads an operation with its time: `drain node/a at 60s`. */
export function parseEvent(text: string): ScenarioEvent | OperationProblem {
  const timed = /^(.*\S)\s+at\s+(\S+)\s*$/.exec(text);
  const at = timed === null ? null : parseSeconds(timed[2]!);
  if (timed !== null && at === null) return { problem: say`'${timed[2]!}' is no time; write 60s, 5m or 1h` };
  if (at !== null && at > mostSeconds) return { problem: say`'${timed![2]!}' is more than a year, 8784h` };
  const operation = parseOperation(timed === null ? text : timed[1]!);
  if ('problem' in operation) return operation;
  // Autoscalers are asked when everything has settled.
  if (operation.verb === 'limit' && at !== null && at > 0) {
    return { problem: say`'${text.trim()}': a limit counts from the start; write it without a time` };
  }
  return { operation, at, text: text.trim() };
}

/** A number of seconds, or `90s`, `5m`, `1h30m`; null for anything else. */
export function parseSeconds(text: string): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/.exec(text);
  if (parts === null || text === '') return null;
  const [, hours = '0', minutes = '0', seconds = '0'] = parts;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Reads an operation as `--what-if` takes it. */
export function parseOperation(text: string): Operation | OperationProblem {
  const [first = '', ...words] = text.trim().split(/\s+/);
  const verb = verbs.find((each) => each === first.toLowerCase());
  if (verb === undefined) {
    if (first === '') return { problem: say`no operation is named` };
    const [near] = nearestNames(first.toLowerCase(), verbs, 2);
    return {
      problem:
        near === undefined
          ? say`unknown operation '${first}'; known are ${verbs.join(', ')}`
          : say`unknown operation '${first}'; did you mean ${near}?`,
    };
  }
  const operation = read(verb, words);
  if (operation !== null) return operation;
  const [kind = '', ...name] = (words[0] ?? '').split('/');
  const near = kinds.has(kind.toLowerCase())
    ? undefined
    : nearestNames(kind.toLowerCase(), longNames, Math.ceil(kind.length / 4)).find(
        (each) => read(verb, [[each, ...name].join('/'), ...words.slice(1)]) !== null,
      );
  return {
    problem:
      near === undefined
        ? say`'${text.trim()}' is not understood; write ${operationForms[verb]}`
        : say`unknown kind '${kind}'; did you mean ${near}?`,
  };
}

function read(verb: Verb, words: readonly string[]): Operation | null {
  const target = parseTarget(words[0] ?? '');
  const node = target?.kind === 'Node' ? target.name : null;
  const second = words[1] ?? '';
  const isLast = words.length === 2;
  switch (verb) {
    case 'drain': {
      const options = readDrainOptions(words.slice(1));
      return node === null || options === null ? null : { verb, node, options };
    }
    case 'cordon':
    case 'uncordon':
    case 'fail':
      return node === null || words.length !== 1 ? null : { verb, node };
    case 'add':
      return readAdd(words);
    case 'remove':
      if (target === null || words.length !== 1) return null;
      return target.kind === 'Node' || target.kind === 'PodDisruptionBudget' ? { verb, target } : null;
    case 'delete':
    case 'ungate':
    case 'arrive':
    case 'finish':
    case 'unready':
      return target === null || words.length !== 1 ? null : { verb, target };
    case 'scale':
      return target !== null && scalable.has(target.kind) && isLast && /^\d+$/.test(second)
        ? { verb, target, replicas: Number(second) }
        : null;
    case 'priority':
      return target !== null && isLast ? { verb, target, className: second } : null;
    case 'class':
      return readClass(words);
    case 'request': {
      const requests = readPairs(words.slice(1));
      return target === null || requests === null || !areQuantities(Object.values(requests))
        ? null
        : { verb, target, requests };
    }
    case 'budget': {
      if (target?.kind !== 'PodDisruptionBudget' || !isLast) return null;
      const policy = /^unhealthyPodEvictionPolicy=(AlwaysAllow|IfHealthyBudget)$/.exec(second)?.[1];
      if (policy !== undefined) return { verb, target, bound: 'unhealthyPodEvictionPolicy', value: policy };
      const [, bound, value = ''] = /^(minAvailable|maxUnavailable)=(\d+%?)$/.exec(second) ?? [];
      if (bound !== 'minAvailable' && bound !== 'maxUnavailable') return null;
      return { verb, target, bound, value: value.endsWith('%') ? value : Number(value) };
    }
    case 'quota': {
      const hard = readPairs(words.slice(1));
      return target?.kind !== 'ResourceQuota' || hard === null || !areQuantities(Object.values(hard))
        ? null
        : { verb, target, hard };
    }
    case 'limit': {
      const pool = parsePool(words[0] ?? '');
      const limits = readPairs(words.slice(1));
      if (pool === null || limits === null || !areQuantities(Object.values(limits))) return null;
      const isGroup = pool.kind !== 'NodePool';
      const isSize = Object.entries(limits).every(([key, value]) => key === 'nodes' && /^\d+$/.test(value));
      return isGroup && !isSize ? null : { verb, target: pool, limits };
    }
    case 'tolerate': {
      const taint = readTaint(second);
      if (target === null || taint === null || !isLast) return null;
      const { key, value, effect } = taint;
      const toleration = {
        key,
        ...(value === undefined ? { operator: 'Exists' as const } : { operator: 'Equal' as const, value }),
        ...(effect === null ? {} : { effect }),
      };
      return { verb, target, toleration };
    }
    case 'label': {
      const removed = /^([^=\s]+)-$/.exec(second)?.[1];
      const [, key, value] = /^([^=\s]+)=(\S*)$/.exec(second) ?? [];
      if (node === null || !isLast) return null;
      if (removed !== undefined) return { verb, node, key: removed, value: null };
      return key === undefined || value === undefined ? null : { verb, node, key, value };
    }
    case 'pressure': {
      const usage = readPairs(words.slice(1));
      if (node === null || usage === null || !areAmountsOfBytes(Object.values(usage))) return null;
      const targets = Object.entries(usage).map(([name, memory]) => ({ target: parseTarget(name), memory }));
      return targets.every((each): each is typeof each & { readonly target: Target } => each.target !== null)
        ? { verb, node, usage: targets }
        : null;
    }
    case 'taint': {
      const removes = second.endsWith('-');
      const taint = readTaint(removes ? second.slice(0, -1) : second);
      if (node === null || taint === null || !isLast || (!removes && taint.effect === null)) return null;
      return { verb, node, taint, removes };
    }
  }
}

/** Reads `kind/name` or `kind/namespace/name`; null for anything else. */
export function parseTarget(text: string): Target | null {
  const [kindName = '', ...rest] = text.split('/');
  const kind = kinds.get(kindName.toLowerCase());
  if (kind === undefined || rest.some((part) => part === '')) return null;
  if (clusterKinds.has(kind)) return rest.length === 1 ? { kind, namespace: '', name: rest[0]! } : null;
  if (rest.length === 1) return { kind, namespace: 'default', name: rest[0]! };
  return rest.length === 2 ? { kind, namespace: rest[0]!, name: rest[1]! } : null;
}

/** The scenario in which one workload arrives: `Deployment/shop/cart`, `deploy/cart`; null for anything else. */
export function workloadScenario(text: string): Scenario | null {
  const target = parseTarget(text);
  if (target === null) return null;
  const { kind, ...named } = target;
  return { kind: 'workload', workloadKind: kind, ...named };
}

/** Kinds of pools; a node group is written in an eksctl ClusterConfig. */
const poolKinds = ['NodePool', 'NodeGroup', 'MachineDeployment', 'MachineSet', 'MachinePool'] as const;

/** Reads `nodepool/general`, `machinedeployment/workers`, `nodegroup/ng-1`. */
function parsePool(text: string): Target | null {
  const [kindName = '', ...rest] = text.split('/');
  const kind = poolKinds.find((each) => each.toLowerCase() === kindName.toLowerCase());
  const [name = '', more] = rest;
  return kind === undefined || name === '' || more !== undefined ? null : { kind, namespace: '', name };
}

function readDrainOptions(flags: readonly string[]): DrainOptions | null {
  let options: DrainOptions = {
    ignoreDaemonSets: false,
    deleteEmptyDirData: false,
    force: false,
    disableEviction: false,
  };
  for (const flag of flags) {
    const seconds = /^--grace-period=(\d+)$/.exec(flag)?.[1];
    if (flag === '--ignore-daemonsets') options = { ...options, ignoreDaemonSets: true };
    else if (flag === '--delete-emptydir-data') options = { ...options, deleteEmptyDirData: true };
    else if (flag === '--force') options = { ...options, force: true };
    else if (flag === '--disable-eviction') options = { ...options, disableEviction: true };
    else if (seconds !== undefined) options = { ...options, gracePeriodSeconds: Number(seconds) };
    else return null;
  }
  return options;
}

function areQuantities(texts: readonly string[]): boolean {
  return texts.every((text) => !text.startsWith('-') && !isQuantityError(parseQuantity(text)));
}

/** Less than a byte is a slip of the pen: `900m` for `900Mi`. */
function areAmountsOfBytes(texts: readonly string[]): boolean {
  return texts.every((text) => {
    const quantity = parseQuantity(text);
    return !isQuantityError(quantity) && (quantity.nanos === 0n || quantity.nanos >= 1_000_000_000n);
  });
}

/** More nodes than any cluster has. Source: https://kubernetes.io/docs/setup/best-practices/cluster-large */
const mostNodes = 5000;

function readAdd(words: readonly string[]): Operation | null {
  const [amount = '', noun = '', ...rest] = words;
  const count = Number(amount);
  if (!/^\d+$/.test(amount) || count > mostNodes || !/^nodes?$/.test(noun)) return null;
  const copiesNode = rest[0] === 'like';
  const [model = '', ...more] = copiesNode ? rest.slice(1) : rest;
  const like = model === '' ? null : parseNodeModel(model);
  if (like === null || 'node' in like !== copiesNode) return null;
  const resized = copiesNode && more[0]?.includes('=') === false ? parseNodeModel(more.shift()!) : undefined;
  if (resized === null || (resized !== undefined && 'node' in resized)) return null;
  const labels = more.length === 0 ? undefined : readPairs(more);
  if (labels === null) return null;
  return {
    verb: 'add',
    count,
    like,
    ...(resized === undefined ? {} : { size: resized }),
    ...(labels === undefined ? {} : { labels }),
  };
}

/** Reads the name of a node, or `CPU:MEMORY[:PODS]`; null for anything else. */
export function parseNodeModel(text: string): NodeModel | null {
  if (!text.includes(':')) {
    const node = text.replace(/^(?:node|nodes|no)\//, '');
    return node === '' ? null : { node };
  }
  const [cpu = '', memory = '', pods = '110', ...more] = text.split(':');
  return more.length > 0 || !areQuantities([cpu, memory, pods]) ? null : { cpu, memory, pods };
}

function readClass([name = '', ...words]: readonly string[]): Operation | null {
  const pairs = readPairs(words);
  if (
    name === '' ||
    pairs === null ||
    Object.keys(pairs).some((key) => key !== 'value' && key !== 'preemptionPolicy')
  ) {
    return null;
  }
  const { value, preemptionPolicy } = pairs;
  if (value !== undefined && !isClassValue(value)) return null;
  if (preemptionPolicy !== undefined && preemptionPolicy !== 'Never' && preemptionPolicy !== 'PreemptLowerPriority') {
    return null;
  }
  return {
    verb: 'class',
    name: name.replace(/^(?:priorityclass|pc|class)\//, ''),
    ...(value === undefined ? {} : { value: Number(value) }),
    ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }),
  };
}

/** What the API server takes as the value of a class that is not its own. */
function isClassValue(text: string): boolean {
  return /^-?\d+$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) <= highestUserDefinablePriority;
}

/** `a=1 b=2`; null for anything else, and for nothing. */
function readPairs(words: readonly string[]): Readonly<Record<string, string>> | null {
  const pairs = words.map((word) => /^([^=]+)=(.+)$/.exec(word));
  if (words.length === 0 || !pairs.every((pair) => pair !== null)) return null;
  return Object.fromEntries(pairs.map(([, key, value]) => [key!, value!]));
}

const effects = ['NoSchedule', 'NoExecute', 'PreferNoSchedule'] as const;

function readTaint(text: string): WrittenTaint | null {
  const [, key, value, written] = /^([^=:\s]+)(?:=([^:\s]*))?(?::(\w+))?$/.exec(text) ?? [];
  const effect = written === undefined ? null : effects.find((each) => each === written);
  if (key === undefined || effect === undefined) return null;
  return { key, ...(value === undefined ? {} : { value }), effect };
}

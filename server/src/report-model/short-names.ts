import { say } from '../util/say.ts';
import { runToEnd } from '../util/steps.ts';
import type { ReportPod, ReportWorkload } from './report.ts';

/** Names as people say them. A name is cut only where what is left is unambiguous on the page. */
export interface ShortNames {
  pod(index: number): string;
  workload(index: number): string;
  node(index: number): string;
  /** What was cut off the names of nodes; empty where nothing was. */
  readonly cut: string;
}

interface Named {
  readonly pods: readonly ReportPod[];
  readonly workloads: readonly ReportWorkload[];
  readonly nodes: readonly { readonly name: string }[];
}

/** Pods between two yields. */
const atOnce = 2_000;

/** Fewer letters of a node's name say too little. */
const fewestLetters = 4;

/** Those of a report are asked for by many of its readers. */
const known = new WeakMap<Named['pods'], { readonly of: Named; readonly names: ShortNames }>();

export function shortNames(named: Named): ShortNames {
  return runToEnd(namesInSteps(named));
}

/** As `shortNames`. */
export function* namesInSteps(named: Named): Generator<void, ShortNames> {
  const { pods, workloads, nodes } = named;
  const before = known.get(pods);
  if (before?.of.workloads === workloads && before.of.nodes === nodes) return before.names;
  const names = yield* made(named);
  known.set(pods, { of: { pods, workloads, nodes }, names });
  return names;
}

function* made({ pods, workloads, nodes }: Named): Generator<void, ShortNames> {
  const workloadNames = shortWorkloads(workloads);
  const nodeNames = shortNodes(nodes.map(({ name }) => name));
  const podNames = yield* shortPods(
    pods,
    workloads,
    workloadNames,
    new Map(nodes.map(({ name }, index) => [name, nodeNames.names[index] ?? name])),
  );
  return {
    pod: (index) => podNames[index] ?? '',
    workload: (index) => workloadNames[index] ?? '',
    node: (index) => nodeNames.names[index] ?? '',
    cut: nodeNames.cut,
  };
}

/** A namespace stands before a name only where two workloads share it; then the kind, where both are the same. */
function shortWorkloads(workloads: readonly ReportWorkload[]): string[] {
  const byName = countBy(workloads, ({ name }) => name);
  const byPlace = countBy(workloads, ({ namespace, name }) => `${namespace}/${name}`);
  return workloads.map(({ kind, namespace, name }) => {
    if (byName.get(name) === 1) return name;
    const place = namespace === '' ? name : `${namespace}/${name}`;
    return byPlace.get(`${namespace}/${name}`) === 1 ? place : `${kind} ${place}`;
  });
}

/** The workload and the ordinal, else the node of a DaemonSet's pod that has no name of its own yet, else the last letters, else the name as it is: the first that no other pod has. */
function* shortPods(
  pods: readonly ReportPod[],
  workloads: readonly ReportWorkload[],
  workloadNames: readonly string[],
  shortNodeNames: ReadonlyMap<string, string>,
): Generator<void, string[]> {
  const perWorkload = countBy(pods, ({ workload }) => String(workload));
  const formsOf = ({ name, workload }: ReportPod): string[] => {
    const owner = workload === null ? undefined : workloads[workload];
    if (workload === null || owner === undefined || !name.startsWith(owner.name)) return [name];
    const own = workloadNames[workload] ?? owner.name;
    const rest = name.slice(owner.name.length);
    if (rest === '' || perWorkload.get(String(workload)) === 1) return [own, name];
    const onNode = shortNodeNames.get(rest.slice(1));
    if (onNode !== undefined) return [`${own} ${onNode}`, name];
    const ordinal = ordinalOf(rest);
    const last = rest.slice(rest.lastIndexOf('-') + 1);
    // An ordinal alone is already the whole name of a pod of a StatefulSet.
    return [...new Set([...(ordinal === undefined ? [] : [`${own}-${ordinal}`]), `${own} ${last}`, name])];
  };
  const forms: string[][] = [];
  const counts = new Map<string, number>();
  for (const [index, pod] of pods.entries()) {
    if (index % atOnce === atOnce - 1) yield;
    const own = formsOf(pod);
    forms.push(own);
    for (const form of own) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  yield;
  return forms.map((each, index) => each.find((form) => counts.get(form) === 1) ?? pods[index]?.name ?? '');
}

/** Of a StatefulSet or an indexed Job, and of the pods that a simulation makes. */
function ordinalOf(rest: string): string | undefined {
  return /-(\d{1,4})-[a-z0-9]{5}$/.exec(rest)?.[1] ?? /-(\d{1,5})$/.exec(rest)?.[1];
}

/** At the end of the name of a node of a what-if, which no name of a node of a cluster has. */
const tried = /\+\d+$/;

/** What all names begin and end with, cut at `.` and `-`, is left out while every name keeps four letters. */
function shortNodes(names: readonly string[]): { readonly names: readonly string[]; readonly cut: string } {
  const whole = { names, cut: '' };
  // Those of a what-if are called after another, or after nobody: `general-a+1`, `added+1`.
  const own = names.filter((name) => !tried.test(name));
  if (own.length < 2 || new Set(names).size < names.length) return whole;
  const prefix = startOf(commonStart(own), own);
  const suffix = upToBreak(commonEnd(own));
  for (const [start, end] of [
    [prefix, suffix],
    ['', suffix],
    [prefix, ''],
  ] as const) {
    if (start === '' && end === '') continue;
    const without = (name: string): string =>
      name.startsWith(start) && name.endsWith(end) ? name.slice(start.length, name.length - end.length) : name;
    const cut = names.map((name) => {
      const number = tried.exec(name)?.[0] ?? '';
      return `${without(name.slice(0, name.length - number.length))}${number}`;
    });
    const fits =
      cut.every((name) => name.length >= fewestLetters) &&
      own.every((name) => start.length + end.length + without(name).length === name.length);
    if (fits && new Set(cut).size === cut.length) {
      return {
        names: cut,
        cut: say`names without ${[start === '' ? '' : `${start}…`, end].filter(Boolean).join(' ')}`,
      };
    }
  }
  return whole;
}

function commonStart(names: readonly string[]): string {
  let common = names[0] ?? '';
  for (const name of names) while (!name.startsWith(common)) common = common.slice(0, -1);
  return common;
}

function commonEnd(names: readonly string[]): string {
  let common = names[0] ?? '';
  for (const name of names) while (!name.endsWith(common)) common = common.slice(1);
  return common;
}

/** The longest part of a common start that ends at a break, but for one between figures, as in an address. */
function startOf(common: string, names: readonly string[]): string {
  for (let at = common.length; at > 0; at--) {
    const isBreak = common[at - 1] === '-' || common[at - 1] === '.';
    const isInFigures = /\d/.test(common[at - 2] ?? '') && names.some((name) => /\d/.test(name[at] ?? ''));
    if (isBreak && !isInFigures) return common.slice(0, at);
  }
  return '';
}

/** The part of a common end that begins at a break. */
function upToBreak(common: string): string {
  const dot = common.indexOf('.');
  const dash = common.indexOf('-');
  const at = dot < 0 || dash < 0 ? Math.max(dot, dash) : Math.min(dot, dash);
  return at < 0 ? '' : common.slice(at);
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

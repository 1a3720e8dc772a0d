import { addTo } from '../../util/maps.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { isObject, valueAt } from '../../util/values.ts';
import { count, list } from '../../util/words.ts';
import {
  compileNodeSelector,
  compileNodeSelectorTerm,
  compileRequiredNodeAffinity,
  selectableNode,
} from '../../kubernetes/node-selector.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { Node, NodeSelector, PodSpec, Taint } from '../../kubernetes/objects.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import { labelValue } from '../../kubernetes/labels.ts';
import { impossibleValue, meantNodeLabel, nearLabel } from '../../kubernetes/meant-label.ts';
import { misspeltPool } from '../../kubernetes/misspelt-class.ts';
import { currentLabel } from '../../kubernetes/renamed-labels.ts';
import { asRegistered } from '../../kubernetes/registered-node.ts';
import { requirementText } from '../../kubernetes/requirement-text.ts';
import { taintOwner } from '../../kubernetes/taint-owner.ts';
import { computeClassKey, nodePoolKey } from '../../autoscaling/karpenter/labels.ts';
import { derived } from '../index/derived.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { poolLabels, poolsFor } from '../index/pools.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { appendItem, fixAt, renameKey, replaceScalar, setValue } from './support/edits.ts';
import { keptByKey } from './support/kept.ts';
import { findingAt } from './support/narrow.ts';
import { addedAffinityOf } from './support/scheduler-configuration.ts';
import type { Fix, ObjectRule } from './support/rule.ts';

export const noNodeMatches: ObjectRule = {
  code: 'no-node-matches',
  title: 'No known node has the labels that a pod asks for, or all that have them carry a taint it does not tolerate',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts, release }) {
    const { template } = fact;
    if (template === undefined || isStoredPod(fact)) return;
    const nodes = facts.ofKind('Node');
    const { spec, path } = template;
    if (nodes.length === 0) {
      for (const { at, message, near, isUnseen } of labelsOfNoNode(spec, facts)) {
        yield findingAt(fact, [...path, 'spec', ...at], message, {
          ...(near === undefined ? {} : { value: JSON.stringify(near) }),
          ...(isUnseen === true ? { absence } : {}),
        });
      }
      return;
    }
    if (spec.nodeName !== undefined && spec.nodeName !== '') return;
    const added = addedAffinityOf(facts, spec, release);
    const outlook = outlookFor(spec, added, facts);
    if (outlook === 'some' || poolsFor(spec, facts).length > 0) return;
    const renamed = outlook === 'none' ? [...renamedLabels(template, nodes)] : [];
    for (const { key, current, path: at } of renamed) {
      const then = fact.kind === 'DaemonSet' ? say`this DaemonSet has no pods` : say`these pods would stay pending`;
      const message = say`No known node has the label ${key}, which is called ${current} now: ${then}.`;
      yield findingAt(fact, at, message, { absence });
    }
    if (renamed.length > 0) return;
    // DaemonSets tolerate what their controller adds; on no node they have no pods, which may be meant.
    if (fact.kind === 'DaemonSet') return;
    if (outlook === 'none' && added !== undefined && outlookFor(spec, undefined, facts) !== 'none') {
      const asked = spec.schedulerName === undefined ? [] : ['schedulerName'];
      const message = say`None of the ${count(nodes.length, 'known node')} matches both these pods and the node affinity that the profile of their scheduler adds: they would stay pending.`;
      yield findingAt(fact, [...path, 'spec', ...asked], message, { absence });
      return;
    }
    if (outlook === 'none') {
      const part = spec.nodeSelector === undefined ? ['affinity', 'nodeAffinity'] : ['nodeSelector'];
      const absent = selectedOfNone(spec, nodes);
      const message =
        absent.length > 0
          ? say`None of the ${count(nodes.length, 'known node')} has ${list(absent)}: these pods would stay pending.`
          : say`None of the ${count(nodes.length, 'known node')} matches the node selector and affinity of these pods: they would stay pending.`;
      const labels = [...nodes.map(labelsOf), ...poolLabels(facts).map((label) => Object.fromEntries([label]))];
      const near = absent.flatMap((label) => nearLabel(label, labels) ?? []).join(', ');
      const told = near === '' ? message : say`${message} Did you mean "${near}"?`;
      yield findingAt(fact, [...path, 'spec', ...part], told, { absence });
      return;
    }
    const { key, value: written = '', effect } = outlook;
    const value = written === '' ? '' : `=${written}`;
    const message = say`Every node that these pods may run on has a taint that they do not tolerate, such as ${key}${value}:${effect}: they would stay pending.`;
    yield findingAt(fact, [...path, 'spec', 'tolerations'], message, { value: JSON.stringify(outlook), absence });
  },
  fix: fixAt((fact, path, { facts }, written) => {
    if (written !== undefined) {
      const taint = JSON.parse(written) as Taint | string;
      if (typeof taint === 'string') return [meantInstead(fact, path, taint)];
      // A taint that something else is to take away, or that keeps applications off, is not for pods to tolerate.
      return taintOwner(taint.key) === 'own' ? [toleration(fact, path, taint)] : [];
    }
    if (path.at(-1) === 'key') {
      const key = currentLabel(String(valueAt(fact.manifest.value, path)));
      const edits = key === undefined ? [] : [replaceScalar(fact, path, key)];
      return key === undefined ? [] : [{ title: say`Change to ${key}`, preferred: true, edits }];
    }
    const current = path.at(-2) === 'nodeSelector' ? currentLabel(String(path.at(-1))) : undefined;
    return current === undefined
      ? nearLabels(fact, path, facts)
      : [{ title: say`Change to ${current}`, preferred: true, edits: [renameKey(fact, path, current)] }];
  }),
};

const absence = { of: 'Node' } as const;

/** What is asked for that no node has, as `key=value` or `key in (a,b)`: of several terms each may do. */
function selectedOfNone({ nodeSelector = {}, affinity }: PodSpec, nodes: readonly Fact[]): readonly string[] {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const expressions = terms.length === 1 ? (terms[0]?.matchExpressions ?? []) : [];
  return [
    ...Object.entries(nodeSelector)
      .filter(([key, value]) => nodes.every((node) => labelValue(labelsOf(node), key) !== value))
      .map(([key, value]) => `${key}=${value}`),
    ...expressions
      .filter((each) => {
        const term = compileNodeSelectorTerm({ matchExpressions: [each] });
        return nodes.every(({ object }) => !term.matches(selectableNode(asRegistered(object as Node))));
      })
      .map(requirementText),
  ];
}

interface OfNoNode {
  readonly at: Path;
  readonly message: string;
  readonly near: string | undefined;
  /** What is not seen may bring a node that has it. */
  readonly isUnseen?: boolean;
}

/** Labels whose value is the name of what makes the node. */
const namesOfPools: ReadonlyMap<string, 'NodePool' | 'ComputeClass'> = new Map([
  [nodePoolKey, 'NodePool'],
  [computeClassKey, 'ComputeClass'],
]);

/**
 * Keys that are nearly labels that every cluster has, values of those that no node can have, and names that are nearly
 * those of pools.
 */
function* labelsOfNoNode({ nodeSelector = {}, affinity }: PodSpec, facts: FactsReader): Iterable<OfNoNode> {
  for (const [key, value] of Object.entries(nodeSelector)) {
    yield* ofNoNode(key, ['nodeSelector', key], [{ value, at: ['nodeSelector', key] }], facts);
  }
  const required = ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];
  const { nodeSelectorTerms = [] } = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? {};
  for (const [term, { matchExpressions = [] }] of nodeSelectorTerms.entries()) {
    for (const [index, { key, operator, values = [] }] of matchExpressions.entries()) {
      if (operator !== 'In' && operator !== 'Exists') continue;
      const at = [...required, term, 'matchExpressions', index];
      yield* ofNoNode(
        key,
        [...at, 'key'],
        values.map((value, place) => ({ value, at: [...at, 'values', place] })),
        facts,
      );
    }
  }
}

function* ofNoNode(
  key: string,
  at: Path,
  values: readonly { readonly value: string; readonly at: Path }[],
  facts: FactsReader,
): Iterable<OfNoNode> {
  const label = meantNodeLabel(key);
  if (label !== undefined) {
    yield { at, message: say`Kubernetes gives nodes no label ${key}. Did you mean "${label}"?`, near: label };
    return;
  }
  const kind = namesOfPools.get(key);
  const pools = kind === undefined ? [] : facts.ofKind(kind).map(({ name }) => name);
  for (const { value, at: place } of values) {
    const pool = misspeltPool(value, pools);
    const impossible = impossibleValue(key, value) ?? (pool === undefined ? undefined : { near: pool });
    if (impossible === undefined) continue;
    const { near } = impossible;
    const message = say`No node has ${key}=${value}: these pods would stay pending.`;
    const told = near === undefined ? message : say`${message} Did you mean "${near}"?`;
    yield { at: place, message: told, near, isUnseen: pool !== undefined };
  }
}

/** The key of a selector is a key of its map; all else is a value. */
function meantInstead(fact: Fact, path: Path, near: string): Fix {
  const isKey = path.at(-2) === 'nodeSelector' && near.includes('/');
  const edit = isKey ? renameKey(fact, path, near) : replaceScalar(fact, path, near);
  return { title: say`Change to ${near}`, preferred: true, edits: [edit] };
}

function toleration(fact: Fact, path: Path, { key, value = '', effect }: Taint): Fix {
  const written = { key, ...(value === '' ? { operator: 'Exists' } : { operator: 'Equal', value }), effect };
  const title = say`Tolerate ${key}${value === '' ? '' : `=${value}`}:${effect}`;
  const isList = Array.isArray(valueAt(fact.manifest.value, path));
  return { title, edits: [isList ? appendItem(fact, path, written) : setValue(fact, path, [written])] };
}

/** Labels of nodes that differ by a letter or two from those that are asked for. */
function nearLabels(fact: Fact, path: Path, facts: FactsReader): readonly Fix[] {
  if (path.at(-1) !== 'nodeSelector') return [];
  const known = new Set([...nodesByLabel(facts).keys(), ...poolLabels(facts).map((label) => label.join('='))]);
  const asked = valueAt(fact.manifest.value, path);
  return Object.entries(isObject(asked) ? asked : {}).flatMap(([key, value]): Fix[] => {
    if (typeof value !== 'string' || known.has(`${key}=${value}`)) return [];
    const ofKey = [...known].filter((label) => label.startsWith(`${key}=`));
    if (ofKey.length > 0) {
      const values = ofKey.map((label) => label.slice(key.length + 1));
      return nearestNames(value, values, mostChanges)
        .slice(0, offered)
        .map((near) => ({
          title: say`Change to ${near}`,
          edits: [replaceScalar(fact, [...path, key], near)],
        }));
    }
    const keys = new Set([...known].map((label) => label.slice(0, label.indexOf('='))));
    return nearestNames(key, keys, mostChanges)
      .slice(0, offered)
      .map((near) => ({
        title: say`Change to ${near}`,
        edits: [renameKey(fact, [...path, key], near)],
      }));
  });
}

/** Letters by which a label may differ from the one that is meant. */
const mostChanges = 3;
const offered = 3;

/** A label that is selected by the name that it had, and that no node carries under it. */
function* renamedLabels(
  { spec, path }: NonNullable<Fact['template']>,
  nodes: readonly Fact[],
): Generator<{ readonly key: string; readonly current: string; readonly path: Path }> {
  const has = (key: string): boolean =>
    nodes.some(({ object }) => labelValue(object.metadata?.labels, key) !== undefined);
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const terms = spec.affinity?.nodeAffinity?.[required]?.nodeSelectorTerms ?? [];
  const written = [
    ...Object.keys(spec.nodeSelector ?? {}).map((key) => ({ key, path: ['nodeSelector', key] as Path })),
    ...terms.flatMap(({ matchExpressions = [] }, at) =>
      matchExpressions.map(({ key }, index) => ({
        key,
        path: ['affinity', 'nodeAffinity', required, 'nodeSelectorTerms', at, 'matchExpressions', index, 'key'] as Path,
      })),
    ),
  ];
  for (const { key, path: below } of written) {
    const current = currentLabel(key);
    if (current !== undefined && !has(key) && has(current)) yield { key, current, path: [...path, 'spec', ...below] };
  }
}

/** Whether some node takes the pods, none is selected, or the taint that keeps them from the first that is. */
type Outlook = 'some' | 'none' | Taint;

const kept = keptByKey<Outlook>();

/** Pods that ask for the same have the same outlook. */
function outlookFor(spec: PodSpec, added: NodeSelector | undefined, facts: FactsReader): Outlook {
  const key = JSON.stringify([spec.nodeSelector, spec.affinity?.nodeAffinity, spec.tolerations, added]);
  return kept(facts.ofKind('Node'), key, () => findNode(spec, added, candidates(spec, facts)));
}

/** The nodes with the rarest of the labels that a pod selects by. */
function candidates({ nodeSelector = {} }: PodSpec, facts: FactsReader): readonly Fact[] {
  const byLabel = nodesByLabel(facts);
  let fewest = facts.ofKind('Node');
  for (const label of Object.entries(nodeSelector)) {
    const nodes = byLabel.get(label.join('=')) ?? [];
    if (nodes.length < fewest.length) fewest = nodes;
  }
  return fewest;
}

function labelsOf({ object }: Fact): Readonly<Record<string, string>> | undefined {
  return asRegistered(object).metadata?.labels;
}

const nodesByLabel = derived(['Node'], (nodes) => {
  const byLabel = new Map<string, Fact[]>();
  for (const fact of nodes) {
    for (const label of Object.entries(labelsOf(fact) ?? {})) {
      addTo(byLabel, label.join('='), fact);
    }
  }
  return byLabel;
});

function findNode(spec: PodSpec, added: NodeSelector | undefined, nodes: readonly Fact[]): Outlook {
  const required = compileRequiredNodeAffinity(spec);
  const byProfile = added === undefined ? undefined : compileNodeSelector(added);
  let named: Taint | undefined;
  for (const { object } of nodes) {
    const node = asRegistered(object);
    if (!required.matches(selectableNode(node)) || byProfile?.matches(selectableNode(node)) === false) continue;
    const taint = firstUntolerated(node.spec?.taints, spec.tolerations, NO_SCHEDULE_EFFECTS);
    if (taint === undefined) return 'some';
    if (named === undefined || worth(taint) > worth(named)) named = taint;
  }
  return named ?? 'none';
}

/** A control plane is closed to all pods; what is worth a word is a taint that goes, or one that is meant for some. */
function worth({ key }: Taint): number {
  return ['reserved', 'condition', 'own'].indexOf(taintOwner(key));
}

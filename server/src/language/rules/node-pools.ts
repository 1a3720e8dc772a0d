import { nearestNames } from '../../util/nearest-names.ts';
import { say } from '../../util/say.ts';
import { count, grouped } from '../../util/words.ts';
import type { Path } from '../../kubernetes/json.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { compareQuantities, formatQuantity } from '../../kubernetes/quantity.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS, taintText } from '../../kubernetes/taints.ts';
import {
  archKey,
  autoModeDomain,
  autoModeLabels,
  awsDomain,
  capacityTypeKey,
  doNotDisruptKey,
  hostnameKey,
  instanceTypeKey,
  isRestrictedLabel,
  osKey,
  stableKey,
  wellKnownLabels,
  wellKnownValues,
} from '../../autoscaling/karpenter/labels.ts';
import { valueAt } from '../../util/values.ts';
import { derived } from '../index/derived.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { poolTypes } from '../index/pool-types.ts';
import { nodePoolOf, writtenOf } from '../index/pools.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { changeToMeant, fixAt, removeEntry, renameKey, replaceScalar, replaceWord } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule } from './support/rule.ts';

const requirementsPath: Path = ['spec', 'template', 'spec', 'requirements'];
const labelsPath: Path = ['spec', 'template', 'metadata', 'labels'];

/** Letters by which a label or a value may differ from the one that is meant. */
const mostChanges = 2;

/** The label, of those that nodes of a pool may have, that a key is likely meant for. */
function meantLabel(key: string, known: ReadonlySet<string>): string | undefined {
  const [near] = nearestNames(key, known, mostChanges);
  if (near !== undefined) return near;
  const slash = key.indexOf('/');
  const domain = slash < 0 ? '' : key.slice(0, slash);
  const isOfProvider = /(?:^|\.)(?:karpenter\.sh|k8s\.aws|kubernetes\.io)$/.test(domain) || domain === autoModeDomain;
  if (domain !== '' && !isOfProvider) return undefined;
  const name = key.slice(slash + 1);
  return [...known].find((label) => label.endsWith(`/${name}`));
}

/** What nodes of EKS Auto Mode may have: its own labels in the place of those of Karpenter's AWS provider. */
const ofAutoMode: ReadonlySet<string> = new Set([
  ...[...wellKnownLabels].filter((label) => !label.startsWith(`${awsDomain}/`)),
  ...autoModeLabels,
]);

interface LabelProblem {
  readonly message: string;
  readonly near: string | undefined;
  /** Whether Karpenter makes no node for it. */
  readonly isRefused: boolean;
}

/** Undefined for labels that Karpenter or EKS Auto Mode knows, and for those that are anybody's own. */
function labelProblem(key: string, isAutoMode: boolean): LabelProblem | undefined {
  const known = isAutoMode ? ofAutoMode : wellKnownLabels;
  if (known.has(stableKey(key))) return undefined;
  const near = meantLabel(key, known);
  const meant = near === undefined ? '' : say` Did you mean "${near}"?`;
  if (isAutoMode || !isRestrictedLabel(key)) {
    if (near === undefined) return undefined;
    const message = isAutoMode ? say`EKS Auto Mode has no label ${key}.` : say`Karpenter knows no label ${key}.`;
    return { near, message: say`${message}${meant}`, isRefused: false };
  }
  const message = say`Karpenter: using label ${key} is not allowed as it might interfere with the internal provisioning logic.`;
  return { near, message: say`${message}${meant}`, isRefused: true };
}

export const poolUnknownLabel: ObjectRule = {
  code: 'pool-unknown-label',
  title: 'A label that Karpenter does not know or does not allow',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind === 'NodePool') {
      const pool = nodePoolOf(fact);
      const places = [
        ...pool.requirements.map(({ key }, index) => ({ key, path: [...requirementsPath, index, 'key'] as Path })),
        ...Object.keys(pool.templateLabels).map((key) => ({ key, path: [...labelsPath, key] as Path })),
      ];
      for (const { key, path } of places) {
        const isOwn = path.at(-1) !== 'key' && !isRestrictedLabel(key);
        const problem = key === '' || isOwn ? undefined : labelProblem(key, pool.nodeClass.group === autoModeDomain);
        if (problem === undefined) continue;
        const { message, near, isRefused } = problem;
        const then = isRefused ? say`${message} The pool is not ready, and makes no node.` : message;
        yield findingAt(fact, path, then, near === undefined ? {} : { value: near });
      }
      return;
    }
    const { template } = fact;
    // Nobody asks Karpenter for a DaemonSet's nodes.
    if (template === undefined || fact.kind === 'DaemonSet' || isStoredPod(fact)) return;
    const pools = facts.ofKind('NodePool');
    if (pools.length === 0) return;
    const hasAutoMode = pools.some((each) => nodePoolOf(each).nodeClass.group === autoModeDomain);
    for (const { key, path } of selectedKeys(fact)) {
      const isAutoMode = hasAutoMode && key.startsWith(`${autoModeDomain}/`);
      if (!isAutoMode && (!isRestrictedLabel(key) || key === hostnameKey)) continue;
      const problem = labelProblem(key, isAutoMode);
      if (problem === undefined) continue;
      const { message, near, isRefused } = problem;
      const then = isRefused ? say`${message} It ignores these pods.` : message;
      yield findingAt(fact, [...template.path, ...path], then, near === undefined ? {} : { value: near });
    }
  },
  fix: fixAt((fact, path, _subject, near) => {
    if (near === undefined) return [];
    const edit = path.at(-1) === 'key' ? replaceScalar(fact, path, near) : renameKey(fact, path, near);
    return [{ title: say`Change to ${near}`, preferred: true, edits: [edit] }];
  }),
};

const required = 'requiredDuringSchedulingIgnoredDuringExecution';

function* selectedKeys({ template }: Fact): Iterable<{ readonly key: string; readonly path: Path }> {
  const { nodeSelector = {}, affinity } = template!.spec;
  for (const key of Object.keys(nodeSelector)) yield { key, path: ['spec', 'nodeSelector', key] };
  const terms = affinity?.nodeAffinity?.[required]?.nodeSelectorTerms ?? [];
  for (const [term, { matchExpressions = [] }] of terms.entries()) {
    const at = ['spec', 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms', term, 'matchExpressions'];
    for (const [index, { key }] of matchExpressions.entries()) yield { key, path: [...at, index, 'key'] };
  }
}

/** Of other labels there may be values of types that came later. */
const closedKeys: ReadonlySet<string> = new Set([
  archKey,
  osKey,
  capacityTypeKey,
  `${awsDomain}/instance-category`,
  `${awsDomain}/instance-cpu-manufacturer`,
  `${awsDomain}/instance-hypervisor`,
]);
/** What other tools call architectures. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['x86_64', 'amd64'],
  ['x64', 'amd64'],
  ['aarch64', 'arm64'],
]);

function nearestValues(value: string, known: readonly string[]): readonly string[] {
  const meant = otherNames.get(value.toLowerCase()) ?? value.toLowerCase();
  return known.includes(meant) ? [meant] : nearestNames(meant, known, 1);
}

const namedKeys: ReadonlySet<string> = new Set([
  instanceTypeKey,
  `${awsDomain}/instance-family`,
  `${awsDomain}/instance-size`,
]);

export const poolMakesNoNode: ObjectRule = {
  code: 'pool-makes-no-node',
  title: 'No instance type meets what a NodePool requires',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    const types = poolTypes();
    const found = fact.kind === 'NodePool' ? types?.typesOfPool(fact, facts) : undefined;
    if (types === undefined || found === undefined) return;
    let isSaid = found.pool.requirements.some(({ key }) => labelProblem(key, false) !== undefined);
    for (const [index, { key, operator, values = [] }] of found.pool.requirements.entries()) {
      const path = [...requirementsPath, index];
      const meets = types.typesMeetingOne(found, index);
      const fixed = wellKnownValues.get(stableKey(key));
      const known = fixed ?? types.valuesOf(found, stableKey(key));
      const isListed =
        operator === 'In' && (fixed !== undefined || closedKeys.has(key) || namedKeys.has(key)) && known.length > 0;
      for (const [at, value] of isListed ? values.entries() : []) {
        const [near] = known.includes(value) ? [] : nearestValues(value, known);
        // What is in a list beside others may be for types to come, unless it is nearly one that is there.
        if (known.includes(value) || (meets > 0 && near === undefined && !closedKeys.has(key))) continue;
        isSaid ||= meets === 0;
        const message =
          fixed === undefined
            ? say`No instance type known here (${types.tableDate}) has ${key}=${value}.`
            : say`Karpenter knows no ${key}=${value}.`;
        yield findingAt(
          fact,
          [...path, 'values', at],
          near === undefined ? message : say`${message} Did you mean "${near}"?`,
          {
            severity: closedKeys.has(key) ? 'warning' : 'information',
            ...(near === undefined ? {} : { value: near }),
          },
        );
      }
      if (meets > 0 || isSaid || !wellKnownLabels.has(stableKey(key))) continue;
      isSaid = true;
      const message = say`None of ${grouped(found.catalog.types.length)} instance types (${types.tableDate}) meets this: the pool makes no node.`;
      yield findingAt(fact, path, message);
    }
    if (isSaid) return;
    const [problem] = found.problems;
    if (problem !== undefined) {
      yield findingAt(fact, requirementsPath, say`The pool is not ready, and makes no node: ${problem}.`);
    } else if (found.types.length === 0) {
      const message = say`None of ${grouped(found.catalog.types.length)} instance types (${types.tableDate}) meets all of these together: the pool makes no node.`;
      yield findingAt(fact, requirementsPath, message);
    }
  },
  fix: changeToMeant,
};

export const poolLimitTooSmall: ObjectRule = {
  code: 'pool-limit-too-small',
  title: 'A limit of a NodePool is smaller than its smallest instance type',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    const types = poolTypes();
    const found = fact.kind === 'NodePool' ? types?.typesOfPool(fact, facts) : undefined;
    if (types === undefined || found === undefined || found.types.length === 0) return;
    for (const [resource, limit] of found.pool.limits ?? []) {
      const smallest = types.smallestOf(found.types, resource);
      // 0 is how a pool is switched off.
      if (smallest === undefined || limit.nanos <= 0n || compareQuantities(limit, smallest.amount) >= 0) continue;
      const message = say`The smallest instance type of this pool, ${smallest.type.name}, has ${formatQuantity(smallest.amount)} of ${resource}: within ${formatQuantity(limit)} it makes no node.`;
      yield findingAt(fact, ['spec', 'limits', resource], message);
    }
  },
};

export const poolMinValuesUnmet: ObjectRule = {
  code: 'pool-min-values-unmet',
  title: 'A NodePool asks for more values of a label than its instance types have',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    const found = fact.kind === 'NodePool' ? poolTypes()?.typesOfPool(fact, facts) : undefined;
    for (const [index, { key, minValues }] of found?.pool.requirements.entries() ?? []) {
      const has = found?.tooFew.get(stableKey(key));
      if (has === undefined || minValues === undefined || minValues <= has) continue;
      const message = say`The ${count(found!.types.length, 'instance type')} of this pool ${found!.types.length === 1 ? 'has' : 'have'} ${count(has, 'value')} of ${key}: minValues ${minValues} is never met, and the pool makes no node.`;
      yield findingAt(fact, [...requirementsPath, index, 'minValues'], message, { value: String(has) });
    }
  },
  fix: fixAt((fact, path, _subject, has = '') =>
    Number(has) < 1 ? [] : [{ title: say`Change to ${has}`, edits: [replaceWord(fact, path, has)] }],
  ),
};

export const poolTaintNotTolerated: ObjectRule = {
  code: 'pool-taint-not-tolerated',
  title: 'No declared workload tolerates a taint of a NodePool',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'NodePool' || nodePoolOf(fact).isStatic) return;
    const asking = tolerationsAskedWith(facts);
    if (asking.length === 0) return;
    for (const [index, taint] of nodePoolOf(fact).taints.entries()) {
      if (!NO_SCHEDULE_EFFECTS.includes(taint.effect)) continue;
      const isTolerated = asking.some(
        (tolerations) => firstUntolerated([taint], tolerations, NO_SCHEDULE_EFFECTS) === undefined,
      );
      if (isTolerated) continue;
      const message = say`No workload that is declared here tolerates ${taintText(taint)}: this pool makes a node for none of them.`;
      yield findingAt(fact, ['spec', 'template', 'spec', 'taints', index], message, { absence: { of: 'Pod' } });
    }
  },
};

type Tolerations = NonNullable<NonNullable<Fact['template']>['spec']['tolerations']>;

/** What workloads tolerate that ask for nodes, each once; pods of DaemonSets do not. */
const tolerationsAskedWith = derived(
  workloadKinds.filter((kind) => kind !== 'DaemonSet'),
  (...lists): readonly Tolerations[] => {
    const found = new Map<string, Tolerations>();
    for (const { template } of lists.flat()) {
      const { tolerations = [] } = template?.spec ?? {};
      found.set(JSON.stringify(tolerations), tolerations);
    }
    return [...found.values()];
  },
);

export const poolWeightWithoutEffect: ObjectRule = {
  code: 'pool-weight-without-effect',
  title: 'The weight of a NodePool changes nothing',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    if (fact.kind !== 'NodePool' || valueAt(writtenOf(fact), ['spec', 'weight']) === undefined) return;
    const { weights, first } = orderOfPools(facts);
    const path = ['spec', 'weight'];
    if (facts.ofKind('NodePool').length === 1) {
      yield findingAt(fact, path, say`This is the only NodePool: its weight is compared with no other.`);
    } else if (weights.size === 1) {
      const { weight } = nodePoolOf(fact);
      yield findingAt(
        fact,
        path,
        say`Every NodePool has weight ${weight}: the name decides, and ${first} is asked first.`,
      );
    } else {
      const taker = takesAll(fact, facts);
      if (taker === undefined) return;
      const message = say`${taker} has a higher weight and takes every pod that this pool could take, unless one selects this pool by a label.`;
      yield findingAt(fact, path, message);
    }
  },
  fix: fixAt((fact, path, { facts }) =>
    facts.ofKind('NodePool').length > 1 ? [] : [{ title: say`Remove weight`, edits: [removeEntry(fact, path)] }],
  ),
};

/** Which pools are asked first: those of more weight, and of equal ones the last by name. */
const orderOfPools = derived(['NodePool'], (facts) => {
  const pools = facts.map((fact) => ({ fact, pool: nodePoolOf(fact) }));
  return {
    weights: new Set(pools.map(({ pool }) => pool.weight)),
    first: pools.map(({ pool }) => pool.name).reduce((last, name) => (name > last ? name : last), ''),
    /** Without limits and made on demand: what they may take they always take. */
    unlimited: pools
      .filter(({ pool }) => pool.limits === undefined && !pool.isStatic)
      .map(({ fact, pool }) => ({ fact, weight: pool.weight, taints: pool.taints.map(taintText) })),
  };
});

/** A pool that is asked before, without limits, with all the types, and no taint that this one has not. */
function takesAll(fact: Fact, facts: FactsReader): string | undefined {
  const types = poolTypes();
  const own = types?.typesOfPool(fact, facts);
  if (types === undefined || own === undefined || own.types.length === 0) return undefined;
  const mine = new Set(own.pool.taints.map(taintText));
  return orderOfPools(facts).unlimited.find(({ fact: other, weight, taints }) => {
    if (weight <= own.pool.weight || !taints.every((taint) => mine.has(taint))) return false;
    const theirs = types.typesOfPool(other, facts);
    if (theirs === undefined || theirs.problems.length > 0 || theirs.tooFew.size > 0) return false;
    const has = new Set(theirs.types.map(({ name }) => name));
    if (!own.types.every(({ name }) => has.has(name))) return false;
    // Where, and how it is bought: as freely.
    return [...theirs.requirements].every(([key, requirement]) => {
      if (!key.startsWith('topology.') && key !== capacityTypeKey) return true;
      const narrower = own.requirements.get(key);
      if (narrower === undefined || narrower.complement) return false;
      return [...narrower.values].every((value) => requirement.has(value));
    });
  })?.fact.name;
}

export const poolNeverConsolidated: ObjectRule = {
  code: 'pool-never-consolidated',
  title: 'A NodePool lets none of its nodes be consolidated',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const annotation = ['spec', 'template', 'metadata', 'annotations', doNotDisruptKey];
    const isKept = String(valueAt(fact.manifest.value, annotation)) === 'true';
    // Source: ValidatePodsDisruptable (Karpenter), which counts pods of DaemonSets, too.
    if (isKept && fact.kind === 'DaemonSet' && facts.ofKind('NodePool').length > 0) {
      const message = say`With ${doNotDisruptKey} on a pod of this DaemonSet, Karpenter never consolidates the node: no node that the DaemonSet runs on.`;
      yield findingAt(fact, annotation, message);
    }
    if (fact.kind !== 'NodePool') return;
    if (isKept) {
      const message = say`Every node of this pool is made with ${doNotDisruptKey}: Karpenter never consolidates it.`;
      yield findingAt(fact, annotation, message);
    }
    const { budgets, consolidateAfter } = nodePoolOf(fact);
    if (consolidateAfter === undefined) return;
    for (const [index, { nodes, reasons, schedule }] of budgets.entries()) {
      const isOfAll = reasons.length === 0 || ['Underutilized', 'Empty'].every((reason) => reasons.includes(reason));
      if (!/^0+%?$/.test(nodes) || !isOfAll || schedule !== undefined) continue;
      const message = say`This budget allows no node to be disrupted at any time: Karpenter consolidates no node of this pool.`;
      yield findingAt(fact, ['spec', 'disruption', 'budgets', index], message);
    }
  },
};

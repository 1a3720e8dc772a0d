import { say } from '../../util/say.ts';
import { limitEntries } from '../../autoscaling/pools/limit-entries.ts';
import type { Json } from '../../kubernetes/json.ts';
import { isPoolObject } from '../../kubernetes/pool-kinds.ts';
import { podTemplatePath, workloadKinds } from '../../kubernetes/pod-template.ts';
import type { WhatIfEdit } from '../../protocol.ts';
import type { Operation, Target } from '../../simulation/operations/operation.ts';
import { parseOperation } from '../../simulation/operations/parse-operation.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { knownKind } from '../index/kinds.ts';
import { workspaceEdit } from '../checks/repairs.ts';
import type { FixEdit } from '../rules/support/rule.ts';
import { classToCreate } from '../rules/support/create-class.ts';
import { appendItem, removeEntry, setValue } from '../rules/support/edits.ts';

/** What to write so that an operation is true of the manifests. Nothing is written here. */
export function whatIfEdit(text: string, facts: Facts): WhatIfEdit {
  const operation = parseOperation(text);
  if ('problem' in operation) return nothing(operation.problem);
  const target = targetOf(operation);
  if (target === undefined) return nothing(notWritten(operation));
  const fact = operation.verb === 'limit' ? findPool(operation, facts) : find(target, facts);
  const name = target.namespace === '' ? target.name : `${target.namespace}/${target.name}`;
  if (fact === undefined && operation.verb === 'class' && operation.value !== undefined) {
    const edit = newClass(operation.name, operation.value, facts);
    if (edit !== undefined) return edit;
  }
  if (fact === undefined) return nothing(say`${target.kind} ${name} is not written in the workspace.`);
  if (fact.source === 'snapshot') {
    return nothing(say`${target.kind} ${name} is in the cluster snapshot, which is only read.`);
  }
  if (fact.manifest.rendering !== undefined) {
    return nothing(say`${target.kind} ${name} is made by ${fact.manifest.rendering.source}; it is changed there.`);
  }
  const edits = editsOf(operation, fact);
  const edit = edits === undefined || edits.length === 0 ? undefined : workspaceEdit(edits, facts);
  if (edit === undefined) return nothing(say`There is nothing to write: it is so already, or is in a List.`);
  return { edit: { documentChanges: edit.documentChanges ?? [] }, note: noteOf(operation, target) };
}

/** Behind the classes that there are, else behind a workload. */
function newClass(name: string, value: number, facts: Facts): WhatIfEdit | undefined {
  const written = workloadKinds
    .flatMap((kind) => facts.ofKind(kind))
    .filter(({ source, manifest }) => source === 'workspace' && manifest.rendering === undefined);
  const made = classToCreate(name, { facts, uri: '', objects: written }, value);
  const edit = made === undefined ? undefined : workspaceEdit([made], facts);
  return edit === undefined ? undefined : { edit: { documentChanges: edit.documentChanges ?? [] }, note: '' };
}

function nothing(note: string): WhatIfEdit {
  return { edit: null, note };
}

function targetOf(operation: Operation): Target | undefined {
  switch (operation.verb) {
    case 'add':
    case 'drain':
    case 'arrive':
    case 'finish':
    case 'fail':
    case 'unready':
    case 'pressure':
      return undefined;
    case 'remove':
      return operation.target.kind === 'Node' ? undefined : operation.target;
    case 'cordon':
    case 'uncordon':
    case 'label':
    case 'taint':
      return { kind: 'Node', namespace: '', name: operation.node };
    case 'class':
      return { kind: 'PriorityClass', namespace: '', name: operation.name };
    default:
      return operation.target;
  }
}

function notWritten(operation: Operation): string {
  switch (operation.verb) {
    case 'drain':
      return say`A drain is done, not written: kubectl drain ${operation.node}`;
    case 'add':
    case 'remove':
      return say`Nodes are added and removed by the operators of the cluster, not by a manifest.`;
    default:
      return say`That happens in a cluster; there is nothing to write.`;
  }
}

function find({ kind, namespace, name }: Target, facts: Facts): Fact | undefined {
  const groups = ['v1', 'apps/v1', 'batch/v1', 'policy/v1', 'scheduling.k8s.io/v1'];
  const known = groups.flatMap((apiVersion) => knownKind(apiVersion, kind) ?? [])[0];
  if (known === undefined) return undefined;
  return facts.ofKind(known).find((fact) => fact.name === name && fact.namespace === namespace);
}

/** The object that writes the limits of a pool. */
function findPool({ target, limits }: Operation & { readonly verb: 'limit' }, facts: Facts): Fact | undefined {
  const kinds = ['NodePool', 'ClusterConfig', 'MachineDeployment', 'MachineSet', 'MachinePool'] as const;
  return kinds
    .flatMap((kind) => facts.ofKind(kind))
    .find(({ object }) => isPoolObject(object) && limitEntries(object, target, limits).length > 0);
}

function editsOf(operation: Operation, fact: Fact): readonly FixEdit[] | undefined {
  const set = (path: readonly (string | number)[], value: Json) => setValue(fact, path, value);
  const removed = (...path: readonly (string | number)[]): readonly FixEdit[] =>
    fact.manifest.locate(path, 'entry') === undefined ? [] : [removeEntry(fact, path)];
  const spec = [...(podTemplatePath(fact.kind) ?? []), 'spec'];
  switch (operation.verb) {
    case 'scale':
      return [set(['spec', fact.kind === 'Job' ? 'parallelism' : 'replicas'], operation.replicas)];
    case 'priority':
      return [
        set([...spec, 'priorityClassName'], operation.className),
        ...removed(...spec, 'priority'),
        ...removed(...spec, 'preemptionPolicy'),
      ];
    case 'class':
      return [
        ...(operation.value === undefined ? [] : [set(['value'], operation.value)]),
        ...(operation.preemptionPolicy === undefined ? [] : [set(['preemptionPolicy'], operation.preemptionPolicy)]),
      ];
    case 'request':
      return requestEdits(fact, [...spec, 'containers', 0, 'resources'], operation.requests);
    case 'quota':
      return Object.entries(operation.hard).map(([resource, amount]) => set(['spec', 'hard', resource], amount));
    case 'limit':
      return isPoolObject(fact.object)
        ? limitEntries(fact.object, operation.target, operation.limits).map(({ path, value }) => set(path, value))
        : undefined;
    case 'budget': {
      if (operation.bound === 'unhealthyPodEvictionPolicy') return [set(['spec', operation.bound], operation.value)];
      const other = operation.bound === 'minAvailable' ? 'maxUnavailable' : 'minAvailable';
      const taken = fact.manifest.locate(['spec', other], 'entry');
      // Both on one line: the one that goes is written over.
      return [set(['spec', operation.bound], operation.value), ...(taken === undefined ? [] : removed('spec', other))];
    }
    case 'ungate':
      return removed(...spec, 'schedulingGates');
    case 'tolerate':
      return listEdits(fact, [...spec, 'tolerations'], operation.toleration as unknown as Json);
    case 'cordon':
      return [set(['spec', 'unschedulable'], true)];
    case 'uncordon':
      return removed('spec', 'unschedulable');
    case 'label':
      return operation.value === null
        ? removed('metadata', 'labels', operation.key)
        : [set(['metadata', 'labels', operation.key], operation.value)];
    case 'taint':
      return taintEdits(fact, operation);
    case 'remove':
    case 'delete':
      return wholeDocument(fact);
    default:
      return undefined;
  }
}

/** Amounts of one map are written in one edit where none of them is there yet: two at one place would be in no order. */
function requestEdits(
  fact: Fact,
  resources: readonly (string | number)[],
  requests: Readonly<Record<string, string>>,
): readonly FixEdit[] {
  const path = [...resources, 'requests'];
  if (fact.manifest.locate(path, 'value') === undefined) return [setValue(fact, path, { ...requests })];
  return Object.entries(requests).map(([resource, amount]) => setValue(fact, [...path, resource], amount));
}

function listEdits(fact: Fact, path: readonly (string | number)[], item: Json): readonly FixEdit[] {
  return fact.manifest.locate(path, 'value') === undefined
    ? [setValue(fact, path, [item])]
    : [appendItem(fact, path, item)];
}

function taintEdits(fact: Fact, { taint, removes }: Operation & { readonly verb: 'taint' }): readonly FixEdit[] {
  const { spec } = fact.object as { readonly spec?: { readonly taints?: readonly { key: string; effect: string }[] } };
  const meant = (spec?.taints ?? []).findIndex(
    ({ key, effect }) => key === taint.key && (taint.effect === null || effect === taint.effect),
  );
  if (removes) return meant < 0 ? [] : [removeEntry(fact, ['spec', 'taints', meant])];
  if (taint.effect === null) return [];
  const { key, value, effect } = taint;
  return listEdits(fact, ['spec', 'taints'], { key, ...(value === undefined ? {} : { value }), effect });
}

/** A document with nothing else in it. */
function wholeDocument(fact: Fact): readonly FixEdit[] | undefined {
  if (fact.manifest.path.length > 0 || fact.document.objects.length > 1) return undefined;
  return [{ uri: fact.uri, index: fact.index, range: { start: 0, end: fact.document.text.length }, text: '' }];
}

/** What the API server does with such a change of an object that exists. */
function noteOf(operation: Operation, { kind }: Target): string {
  if (operation.verb === 'class') {
    return say`The API server refuses this as an update: delete the class and create it again.`;
  }
  const changesTemplate = ['priority', 'request', 'tolerate'].includes(operation.verb);
  if (changesTemplate && (kind === 'Job' || kind === 'Pod')) {
    return say`The API server refuses this as an update: delete the ${kind} and create it again.`;
  }
  return '';
}

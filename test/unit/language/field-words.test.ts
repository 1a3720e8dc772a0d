import assert from 'node:assert/strict';
import { apiTypes, structOf, type FieldType } from '../../../server/src/kubernetes/api/index.ts';
import { knownKinds, schedulerArguments } from '../../../server/src/kubernetes/api/kinds.ts';
import { minors } from '../../../server/src/util/minors.ts';
import { fieldWords, words } from '../../../server/src/language/field-docs/field-words.ts';

/** Go name → the fields that it has in any minor; of every struct within the kinds that Podium reads. */
function reachable(hasStatus = true): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (type: FieldType | undefined, seen: Set<FieldType>): void => {
    if (type === undefined || seen.has(type)) return;
    seen.add(type);
    if (type.kind === 'list') walk(type.item, seen);
    if (type.kind === 'map') walk(type.value, seen);
    if (type.kind !== 'struct') return;
    const fields = found.get(type.goName) ?? new Set<string>();
    found.set(type.goName, fields);
    for (const field of type.fields.values()) {
      // What a cluster writes into a status is for nobody to write.
      if (!hasStatus && field.name === 'status') continue;
      fields.add(field.name);
      walk(field.type, seen);
    }
  };
  for (const minor of minors) {
    const types = apiTypes(minor);
    const seen = new Set<FieldType>();
    for (const { apiVersion, kind } of [...knownKinds.values()].flat()) walk(structOf(types, apiVersion, kind), seen);
    for (const name of schedulerArguments) walk(structOf(types, 'kubescheduler.config.k8s.io/v1', `${name}Args`), seen);
  }
  return found;
}

describe('words for fields', () => {
  const structs = reachable();

  it('are about fields that a minor of Kubernetes has', () => {
    const stale = Object.entries(words).flatMap(([struct, fields]) =>
      Object.keys(fields).filter((field) => structs.get(struct)?.has(field) !== true),
    );
    assert.deepEqual(stale, []);
  });

  it('say something of every field that decides where pods run', () => {
    const whole = [
      ...['Affinity', 'NodeAffinity', 'NodeSelector', 'NodeSelectorTerm', 'NodeSelectorRequirement'],
      ...['PreferredSchedulingTerm', 'PodAffinity', 'PodAntiAffinity', 'PodAffinityTerm', 'WeightedPodAffinityTerm'],
      ...['LabelSelector', 'LabelSelectorRequirement', 'Toleration', 'Taint', 'TopologySpreadConstraint'],
      ...['PodSchedulingGate', 'PodDisruptionBudgetSpec', 'ResourceQuotaSpec', 'ScopedResourceSelectorRequirement'],
      ...['LimitRangeItem', 'ResourceRequirements', 'KubeSchedulerProfile', 'PluginSet', 'Plugin', 'PluginConfig'],
      ...['Extender', 'ExtenderManagedResource'],
    ];
    const silent = whole.flatMap((struct) =>
      [...structs.get(struct)!].map((field) => `${struct}.${field}`).filter((name) => fieldWords(name) === undefined),
    );
    assert.deepEqual(silent, []);
  });

  it('[ED-7] say something of every field that is written, in a sentence', () => {
    for (const [struct, fields] of reachable(false)) {
      for (const field of fields) {
        const said = fieldWords(`${struct}.${field}`)?.text ?? '';
        assert.match(said, /^[A-Z$][^\n]*\.$/, `${struct}.${field}`);
      }
    }
    assert.equal(fieldWords('Container.constructor'), undefined);
  });

  it('are one sentence, with a page where there is one', () => {
    for (const [struct, fields] of Object.entries(words)) {
      for (const field of Object.keys(fields)) {
        const { text, docs } = fieldWords(`${struct}.${field}`)!;
        assert.match(text, /^[A-Z][^\n]*\.$/, `${struct}.${field}`);
        assert.match(docs, /^(?:|https:\/\/kubernetes\.io\/docs\/concepts\/[a-z/-]+\/)$/);
      }
    }
    assert.ok(fieldWords('PodSpec.priorityClassName')!.docs.endsWith('/pod-priority-preemption/'));
    assert.equal(fieldWords('PodSpec.constructor'), undefined);
    assert.equal(fieldWords('constructor.toString'), undefined);
  });
});

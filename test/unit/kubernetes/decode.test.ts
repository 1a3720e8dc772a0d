import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeObject, isKnownKind, isNamespaced } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';

function pod(spec: JsonObject, metadata: JsonObject = { name: 'web' }): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [], ...spec } };
}

function problemsOf(value: JsonObject): string[] {
  return decodeObject(value).problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('decodeObject', () => {
  it('shares what fits instead of copying it', () => {
    const value = pod({ containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] });
    assert.equal(decodeObject(value).object, value);
  });

  it('says what a boolean where text belongs is, as YAML 1.1 reads `on`', () => {
    const value = pod({
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: true, whenUnsatisfiable: 'DoNotSchedule' }],
    });
    assert.deepEqual(problemsOf(value), [
      'spec.topologySpreadConstraints.0.topologyKey: json: cannot unmarshal bool into Go struct field TopologySpreadConstraint.spec.topologySpreadConstraints.topologyKey of type string',
    ]);
    assert.deepEqual(problemsOf(pod({}, { name: 'web', labels: { mode: true } })), [
      'metadata.labels.mode: json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string',
    ]);
  });

  it('names the Go type of what is expected', () => {
    const typeOf = (value: JsonObject): string | undefined => problemsOf(value)[0]?.split(' of type ')[1];
    assert.equal(typeOf(pod({ tolerations: [{ effect: false }] })), 'v1.TaintEffect');
    assert.equal(typeOf(pod({ tolerations: {} })), '[]v1.Toleration');
    assert.equal(typeOf(pod({ overhead: [] })), 'v1.ResourceList');
    assert.equal(typeOf(pod({ nodeSelector: 'a=b' })), 'map[string]string');
    assert.equal(
      typeOf({ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', spec: { scaleTargetRef: 'web' } }),
      'v2.CrossVersionObjectReference',
    );
  });

  it('reads numbers as integers in range only', () => {
    assert.deepEqual(problemsOf(pod({ priority: 1.5 })), [
      'spec.priority: json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32',
    ]);
    assert.equal(problemsOf(pod({ priority: 2 ** 31 })).length, 1);
    assert.deepEqual(problemsOf(pod({ priority: -(2 ** 31) })), []);
    assert.deepEqual(problemsOf(pod({ terminationGracePeriodSeconds: 2 ** 40 })), []);
  });

  it('reads quantities written as numbers, and refuses what is none', () => {
    const { object, problems } = decodeObject(pod({ overhead: { cpu: 2, memory: '1Mx', 'x.y/z': false } }));
    assert.deepEqual({ ...(object as { spec: { overhead: object } }).spec.overhead }, { cpu: '2' });
    assert.deepEqual(
      problems.map(({ path }) => path.at(-1)),
      ['memory', 'x.y/z'],
    );
  });

  it('cuts blanks around a quantity, as the API server does', () => {
    const { object, problems } = decodeObject(pod({ overhead: { cpu: ' 1 ', memory: '1Gi\n' } }));
    assert.deepEqual({ ...(object as { spec: { overhead: object } }).spec.overhead }, { cpu: '1' });
    assert.equal(problems.length, 1);
  });

  it('treats null as nothing written, and as the zero value inside lists and maps', () => {
    const { object, problems } = decodeObject(
      pod({ priorityClassName: null, nodeSelector: { disk: null }, containers: [null] }),
    );
    assert.deepEqual(problems, []);
    const { spec } = object as { spec: { nodeSelector: object; containers: unknown } };
    assert.equal('priorityClassName' in spec, false);
    assert.deepEqual({ ...spec.nodeSelector }, { disk: '' });
    assert.deepEqual(spec.containers, [{ name: '' }]);
  });

  it('gives required fields that are missing their zero value, but for pointers', () => {
    const { object } = decodeObject({ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' }, spec: {} });
    assert.deepEqual((object as { spec: object }).spec, { template: {} });
  });

  it('reports fields that the kind does not have, and leaves them out', () => {
    const { object, problems, unknownFields } = decodeObject(pod({ priorityClass: 'high' }));
    assert.deepEqual(problems, []);
    assert.deepEqual(unknownFields, [['spec', 'priorityClass']]);
    assert.deepEqual((object as { spec: object }).spec, { containers: [] });
  });

  it('takes hostile keys for keys', () => {
    const value = JSON.parse(
      '{"apiVersion":"v1","kind":"Pod","__proto__":{"polluted":1},"metadata":{"labels":{"__proto__":"x","constructor":null}},"spec":{"containers":[]}}',
    ) as JsonObject;
    const { object, unknownFields } = decodeObject(value);
    assert.deepEqual(unknownFields, [['__proto__']]);
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
    assert.deepEqual(Object.entries(object.metadata?.labels ?? {}), [
      ['__proto__', 'x'],
      ['constructor', ''],
    ]);
  });

  it('reads a Pod, whatever is in the place of a struct, list or map', () => {
    for (const junk of [null, true, 7, 'text', [], {}, [[{}]]]) {
      for (const field of ['metadata', 'spec', 'status']) {
        const { object } = decodeObject({ apiVersion: 'v1', kind: 'Pod', [field]: junk });
        assert.equal(object.kind, 'Pod');
      }
      for (const field of ['containers', 'affinity', 'tolerations', 'volumes', 'overhead', 'nodeSelector']) {
        assert.equal(decodeObject(pod({ [field]: junk })).object.kind, 'Pod');
      }
    }
  });

  it('keeps only the name of a kind it does not read', () => {
    const { object, problems } = decodeObject({
      apiVersion: 'example.com/v1',
      kind: 'Pod',
      metadata: { name: 'x', labels: { a: true } },
      spec: 5,
    });
    assert.deepEqual(object, { apiVersion: 'example.com/v1', kind: 'Pod', metadata: { name: 'x', namespace: '' } });
    assert.deepEqual(problems, []);
  });

  it('tells kinds by their API group', () => {
    assert.equal(isKnownKind('v1', 'Service'), true);
    assert.equal(isKnownKind('serving.knative.dev/v1', 'Service'), false);
    assert.equal(isNamespaced('v1', 'Pod'), true);
    assert.equal(isNamespaced('scheduling.k8s.io/v1', 'PriorityClass'), false);
    assert.equal(isNamespaced('storage.k8s.io/v1', 'CSIStorageCapacity'), true);
    assert.equal(isKnownKind('storage.k8s.io/v1', 'CSIDriver'), true);
  });
});

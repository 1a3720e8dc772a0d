import { strict as assert } from 'node:assert';
import { reviewCreation } from '../../../server/src/admission/request/create.ts';
import { reviewUpdate } from '../../../server/src/admission/request/update.ts';
import { presetState } from '../../../server/src/cli/decide/preset-state.ts';
import { type Minor, minors } from '../../../server/src/util/minors.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';

const container = { name: 'c', image: 'i' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };

function pod(spec: JsonObject, metadata: JsonObject = { name: 'p' }): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [container], ...spec } };
}

function workload(kind: string, spec: JsonObject): JsonObject {
  const whole = { selector: { matchLabels: { a: 'b' } }, template, ...spec };
  return { apiVersion: 'apps/v1', kind, metadata: { name: 'w' }, spec: whole };
}

function job(spec: JsonObject): JsonObject {
  const never = { spec: { restartPolicy: 'Never', containers: [container] } };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: { template: never, ...spec } };
}

function volume(spec: JsonObject): JsonObject {
  const common = { accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } };
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v' }, spec: { ...common, ...spec } };
}

function answer(document: JsonObject, minor: Minor): string {
  const { message = 'accepted' } = reviewCreation(document, presetState('apply'), releaseOf(minor));
  return message;
}

/** The answer of every minor, where all are to say the same. */
function answerOfAll(document: JsonObject): string {
  const [first, ...others] = minors.map((minor) => answer(document, minor));
  for (const other of others) assert.equal(other, first);
  return first!;
}

// Source: staging/src/k8s.io/apimachinery/pkg/util/validation/field/errors.go (ErrorBody)
describe('values in the answers of an API server', () => {
  const indexed = 'requires indexed completion mode';
  const rule = 'Job.batch "j" is invalid: spec.podFailurePolicy.rules[0]: Invalid value: specifying';
  const positive = 'must be greater than zero';
  const cases: readonly (readonly [what: string, document: JsonObject, message: string])[] = [
    [
      'a list that is not written is null',
      job({ successPolicy: {} }),
      `Job.batch "j" is invalid: spec.successPolicy: Invalid value: {"Rules":null}: ${indexed}`,
    ],
    [
      'an empty list is one',
      job({ successPolicy: { rules: [] } }),
      `Job.batch "j" is invalid: spec.successPolicy: Invalid value: {"Rules":[]}: ${indexed}`,
    ],
    [
      'a rule of a failure policy has no value',
      job({ podFailurePolicy: { rules: [{ action: 'Count' }] } }),
      `${rule} one of OnExitCodes and OnPodConditions is required`,
    ],
    [
      'labels that are not written are null',
      workload('Deployment', { template: { spec: template.spec } }),
      'Deployment.apps "w" is invalid: spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
    ],
    [
      'an amount below 0 is told twice, as a number and as it is written',
      volume({ capacity: { storage: '-1Gi' } }),
      `PersistentVolume "v" is invalid: [spec.capacity[storage]: Invalid value: -1073741824: must be a valid resource quantity, spec.capacity[storage]: Invalid value: "-1Gi": ${positive}]`,
    ],
    [
      'a part of one is rounded away from 0',
      volume({ capacity: { storage: '-1500m' } }),
      `PersistentVolume "v" is invalid: [spec.capacity[storage]: Invalid value: -2: must be a valid resource quantity, spec.capacity[storage]: Invalid value: "-1500m": ${positive}]`,
    ],
    [
      'an amount of 0 is told once',
      volume({ capacity: { storage: '0' } }),
      `PersistentVolume "v" is invalid: spec.capacity[storage]: Invalid value: "0": ${positive}`,
    ],
  ];
  for (const [what, document, message] of cases) {
    it(what, () => {
      assert.equal(answerOfAll(document), message);
    });
  }
});

// Sources: vendor/sigs.k8s.io/json (addErrorContext), intstr.go and time.go in apimachinery, time.Parse of Go
describe('what an API server cannot read', () => {
  const cases: readonly (readonly [document: JsonObject, text: string])[] = [
    [
      workload('Deployment', { strategy: { rollingUpdate: { maxSurge: true } } }),
      'bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
    ],
    [
      workload('Deployment', { strategy: { rollingUpdate: { maxSurge: 1.5 } } }),
      'number 1.5 into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32',
    ],
    [
      pod({}, { name: 'p', creationTimestamp: 5 }),
      'number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
    ],
  ];
  for (const [document, text] of cases) {
    it(`says where: ${text}`, () => {
      const kind = document['kind'] as string;
      const wanted = `${kind} in version "v1" cannot be handled as a ${kind}: json: cannot unmarshal ${text}`;
      assert.equal(answerOfAll(document), wanted);
    });
  }

  it('names embedded structs on the way from 1.36 on', () => {
    const probed = pod({ containers: [{ ...container, livenessProbe: { httpGet: { port: {} } } }] });
    const [older, newest] = (['1.35', '1.36'] as const).map((minor) => answer(probed, minor));
    assert.match(
      newest!,
      / HTTPGetAction\.spec\.containers\.livenessProbe\.ProbeHandler\.httpGet\.port of type int32$/,
    );
    assert.match(older!, /livenessProbe\.(ProbeHandler\.)?httpGet\.port of type int32$/);
  });

  const at = 'as "2006-01-02T15:04:05Z07:00": cannot parse';
  const times: readonly (readonly [text: string, problem: string])[] = [
    ['', ` ${at} "" as "2006"`],
    ['2024-01-01', ` ${at} "" as "T"`],
    ['2024-1-01T00:00:00Z', ` ${at} "1-01T00:00:00Z" as "01"`],
    ['2024-01-01 00:00:00Z', ` ${at} " 00:00:00Z" as "T"`],
    ['2024-01-01T00:00:00', ` ${at} "" as "Z07:00"`],
    ['2024-13-01T00:00:00Z', ': month out of range'],
    ['2023-02-29T00:00:00Z', ': day out of range'],
    ['2024-01-01T24:00:00Z', ': hour out of range'],
    ['2024-01-01T00:00:00Zx', ': extra text: "x"'],
  ];
  for (const [text, problem] of times) {
    it(`says of the time ${JSON.stringify(text)} what Go says`, () => {
      const wanted = `Pod in version "v1" cannot be handled as a Pod: parsing time ${JSON.stringify(text)}${problem}`;
      assert.equal(answerOfAll(pod({}, { name: 'p', creationTimestamp: text })), wanted);
    });
  }

  for (const text of ['2024-02-29T00:00:00Z', '2024-02-29T1:00:00.5+02:00']) {
    it(`reads the time ${text}`, () => {
      assert.equal(answerOfAll(pod({}, { name: 'p', creationTimestamp: text })), 'accepted');
    });
  }
});

// Source: transformDecodeError in apiserver/pkg/endpoints/handlers/rest.go; PathRecorderMux and the director in apiserver/pkg/server
describe('kinds and versions that are none', () => {
  const registered = (kind: string, meant: string, apiVersion: string): string =>
    `${kind} in version "v1" cannot be handled as a ${meant}: no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`;
  const lost = 'the server could not find the requested resource';
  const noPath = '404 page not found\n';
  const cases: readonly (readonly [apiVersion: string, kind: string, code: number, message: string])[] = [
    ['batch/v1', 'Cronjob', 400, registered('Cronjob', 'CronJob', 'batch/v1')],
    ['v1', 'pod', 400, registered('pod', 'Pod', 'v1')],
    ['policy/v1', 'PodDisruptionbudget', 400, registered('PodDisruptionbudget', 'PodDisruptionBudget', 'policy/v1')],
    // Its path would be `priorityclasss`.
    ['scheduling.k8s.io/v1', 'Priorityclass', 404, lost],
    ['apps/v2', 'Deployment', 404, lost],
    ['v2', 'Pod', 404, lost],
    ['Apps/v1', 'Deployment', 404, noPath],
    ['V1', 'Pod', 404, noPath],
    ['1', 'Pod', 404, noPath],
  ];
  for (const [apiVersion, kind, code, message] of cases) {
    it(`${apiVersion} ${kind}: ${code}`, () => {
      for (const minor of minors) {
        const document = { apiVersion, kind, metadata: { name: 'a' } };
        const given = reviewCreation(document, presetState('apply'), releaseOf(minor));
        assert.deepEqual([given.code, given.message, given.client], [code, message, true]);
        assert.match(given.kubectl ?? '', /^resource mapping not found /);
      }
    });
  }
});

describe('what an API server does to the metadata of a new object', () => {
  it('clears the namespace of an object that lives in none', () => {
    const document = (value: number | string): JsonObject => ({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'a', namespace: 'x' },
      value,
    });
    assert.equal(answerOfAll(document(1)), 'accepted');
    assert.match(answerOfAll(document(2_000_000_000)), /is invalid: value: Forbidden: [^,]*$/);
    for (const minor of minors) {
      const stored = { ...document(1), metadata: { name: 'a' } };
      const given = reviewUpdate(stored, document(1), 'replace', presetState('update'), releaseOf(minor));
      assert.equal(given.accepted, true);
    }
  });

  it('judges finalizers of a Namespace in both places', () => {
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    const document = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'a' },
      spec: { finalizers: ['kubernetes', 'a.example/b', 'foo'] },
    };
    const wanted = `Namespace "a" is invalid: spec.finalizers: Invalid value: "foo": ${detail}`;
    assert.equal(answerOfAll(document), wanted);
  });

  it('judges the name that it makes of a prefix, and tells by it', () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'a.' } };
    assert.match(
      answerOfAll(namespace),
      /^Namespace "a\.xxxxx" is invalid: \[metadata\.generateName: .*must not contain dots\]$/,
    );
    const given = reviewCreation(pod({}, { generateName: 'a-' }), presetState('apply'), releaseOf('1.36'));
    assert.deepEqual([given.accepted, given.warnings], [true, undefined]);
  });
});

describe('updates', () => {
  const update = (old: JsonObject, next: JsonObject, minor: Minor, how: 'apply' | 'replace' = 'replace'): string => {
    const { message, unchanged } = reviewUpdate(old, next, how, presetState('update'), releaseOf(minor));
    return unchanged === true ? 'unchanged' : (message ?? 'accepted');
  };
  const csiNode = (driver: JsonObject): JsonObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'n1' },
    spec: { drivers: [{ name: 'a.b', nodeID: 'x', ...driver }] },
  });

  // Source: ValidateCSINodeUpdate in pkg/apis/storage/validation/validation.go; the gate MutableCSINodeAllocatableCount
  it('let the count of a driver on a node change from 1.35 on, and nothing else of it', () => {
    const five = csiNode({ allocatable: { count: 5 } });
    const six = csiNode({ allocatable: { count: 6 } });
    const refused = (allocatable: string): string =>
      `CSINode.storage.k8s.io "n1" is invalid: spec.drivers: Invalid value: {"Name":"a.b","NodeID":"x","TopologyKeys":${allocatable}}: field is immutable`;
    for (const minor of minors) {
      assert.equal(update(five, six, minor), minor === '1.34' ? refused('null,"Allocatable":{"Count":6}') : 'accepted');
      const other = csiNode({ allocatable: { count: 6 }, topologyKeys: ['k'] });
      const text = minor === '1.34' ? '["k"],"Allocatable":{"Count":6}' : '["k"],"Allocatable":null';
      assert.equal(update(five, other, minor), refused(text));
    }
  });

  // Source: validateCSINodeDriver, validateCSINodeDriverNodeID, ValidateCSIDriverName
  it('judge the drivers of a CSINode: nodeID up to 256 bytes, and topology keys at the driver', () => {
    const refused = (error: string): string => `CSINode.storage.k8s.io "n1" is invalid: ${error}`;
    assert.equal(answerOfAll(csiNode({ nodeID: 'x'.repeat(256) })), 'accepted');
    const long = 'x'.repeat(257);
    assert.equal(
      answerOfAll(csiNode({ nodeID: long })),
      refused(`spec.drivers[0].nodeID: Invalid value: "${long}": must be 256 characters or less`),
    );
    const required = 'spec.drivers[0].name: Required value';
    assert.ok(answer(csiNode({ name: '' }), '1.34').startsWith(refused(`[${required}, spec.drivers[0].name: Invalid`)));
    assert.equal(answer(csiNode({ name: '' }), '1.35'), refused(required));
    assert.equal(answerOfAll(csiNode({ topologyKeys: ['k', 'k'] })), refused('spec.drivers[0]: Duplicate value: "k"'));
  });

  // Source: ValidateDaemonSetUpdate, ValidateDeploymentUpdate in pkg/apis/apps/validation/validation.go
  it('tell the selector of a DaemonSet before its labels, and that of others after them', () => {
    const texts = ['spec.selector: Invalid value: {"matchLabels":{"a":"c"}}: field is immutable'];
    texts.push('spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`');
    for (const minor of minors) {
      for (const kind of ['DaemonSet', 'Deployment', 'ReplicaSet']) {
        const next = workload(kind, { selector: { matchLabels: { a: 'c' } } });
        const inOrder = kind === 'DaemonSet' ? texts : texts.toReversed();
        assert.equal(update(workload(kind, {}), next, minor), `${kind}.apps "w" is invalid: [${inOrder.join(', ')}]`);
      }
    }
  });

  // Source: diffMaps in apimachinery/pkg/util/strategicpatch/patch.go; the strategy of a Deployment retains keys
  it('are none where all defaults of a roll-out are written, and some where a part of them is', () => {
    const quarter = { maxSurge: '25%', maxUnavailable: '25%' };
    const cases: readonly (readonly [strategy: JsonObject, answer: string])[] = [
      [{ type: 'RollingUpdate', rollingUpdate: quarter }, 'unchanged'],
      [{ type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } }, 'unchanged'],
      [{ type: 'RollingUpdate' }, 'accepted'],
      [{ rollingUpdate: quarter }, 'accepted'],
    ];
    for (const [strategy, wanted] of cases) {
      const given = update(workload('Deployment', {}), workload('Deployment', { strategy }), '1.36', 'apply');
      assert.equal(given, wanted, JSON.stringify(strategy));
    }
    const written = { updateStrategy: { type: 'RollingUpdate' } };
    assert.equal(update(workload('DaemonSet', {}), workload('DaemonSet', written), '1.36', 'apply'), 'unchanged');
    const empty = pod({ volumes: [{ name: 'v', emptyDir: {} }] });
    assert.equal(update(empty, pod({ volumes: [{ name: 'v' }] }), '1.36', 'apply'), 'accepted');
  });

  // Source: dropImageVolumes in pkg/api/pod/util.go
  it('know nothing of image volumes where they are dropped', () => {
    const withImage = (reference: string): JsonObject => pod({ volumes: [{ name: 'v', image: { reference } }] });
    for (const how of ['apply', 'replace'] as const) {
      assert.equal(update(withImage('a'), withImage('b'), '1.34', how), 'accepted');
      assert.match(update(withImage('a'), withImage('b'), '1.36', how), /pod updates may not change fields other than/);
    }
  });
});

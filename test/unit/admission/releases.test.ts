import { strict as assert } from 'node:assert';
import { validatePod, validatePodTemplate } from '../../../server/src/admission/pods/pod.ts';
import { reviewCreation } from '../../../server/src/admission/request/create.ts';
import { refusalsOf } from '../../../server/src/admission/request/judgment.ts';
import { validateUpdate } from '../../../server/src/admission/request/validate-update.ts';
import { validatePodUpdate } from '../../../server/src/admission/pods/update.ts';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { presetState } from '../../../server/src/cli/decide/preset-state.ts';
import { evict } from '../../../server/src/disruption/eviction.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { Container, Pod, PodDisruptionBudget, PodSpec } from '../../../server/src/kubernetes/objects.ts';
import { type Minor, minors } from '../../../server/src/util/minors.ts';
import type { Release } from '../../../server/src/kubernetes/release.ts';
import { withGates } from '../../../server/src/kubernetes/feature-gates.ts';
import { qosClass } from '../../../server/src/kubernetes/qos-class.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';

function podWith(spec: Partial<PodSpec>, container: Partial<Container> = {}): Pod {
  const containers = [{ name: 'main', image: 'image', ...container }];
  return { metadata: { name: 'p', namespace: 'default' }, spec: { containers, ...spec } };
}

/** What the API servers of all minors say of a new pod, oldest first. */
function created(pod: Pod): readonly (readonly string[])[] {
  return minors.map((minor) => validatePod(pod, { release: releaseOf(minor) }).map(fieldErrorText));
}

describe('API servers of different minors', () => {
  it('[#41] refuse addresses with zeros in front where StrictIPCIDRValidation is on', () => {
    const pod = podWith({ hostAliases: [{ ip: '010.0.0.1', hostnames: ['a'] }] });
    const refused = (minor: Minor, isOn: boolean): number =>
      validatePod(pod, { release: withGates(releaseOf(minor), new Map([['StrictIPCIDRValidation', isOn]])) }).length;
    for (const minor of minors) assert.deepEqual([refused(minor, true), refused(minor, false)], [1, 0], minor);
  });

  it('drop or judge restart rules of containers', () => {
    const rules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } }];
    const where = 'spec.containers[0].restartPolicy';
    assert.deepEqual(created(podWith({}, { restartPolicyRules: rules })), [
      [],
      [
        `${where}: Required value: must specify restartPolicy when restart rules are used`,
        `${where}Rules[0].action: Unsupported value: "RestartAllContainers": supported values: "Restart"`,
      ],
      [`${where}: Required value: must specify restartPolicy when restart rules are used`],
      [`${where}: Required value: must specify restartPolicy when restart rules are used`],
    ]);
    const many = Array.from({ length: 21 }, () => ({ ...rules[0]!, action: 'Restart' }));
    assert.deepEqual(
      created(podWith({}, { restartPolicy: 'Never', restartPolicyRules: many })).map((texts) => texts.length),
      [0, 1, 1, 1],
    );
  });

  it('allow restart rules of sidecars from 1.36 on', () => {
    const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }];
    const sidecar = { name: 's', image: 'image', restartPolicy: 'Always', restartPolicyRules: rules };
    assert.deepEqual(created(podWith({ initContainers: [sidecar] })), [
      [],
      [
        'spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always',
      ],
      [],
      [],
    ]);
  });

  it('drop or judge an overridden host name', () => {
    const wrong = 'may not be specified when setHostnameAsFQDN is true';
    const text = `spec.hostnameOverride: Forbidden: ${wrong}`;
    assert.deepEqual(created(podWith({ hostnameOverride: 'a.b', setHostnameAsFQDN: true })), [
      [],
      [text],
      [text],
      [text],
    ]);
  });

  it('drop or judge image volumes, and then the mounts of those that are wrong', () => {
    const mounted = { volumeMounts: [{ name: 'm', mountPath: '/m' }] };
    const errors = [
      'spec.volumes[0].image.reference: Required value',
      'spec.containers[0].volumeMounts[0].name: Not found: "m"',
    ];
    assert.deepEqual(created(podWith({ volumes: [{ name: 'm', image: {} }] }, mounted)), [[], errors, errors, errors]);
  });

  it('want the image of an image volume in a template from 1.37 on (kubernetes#135989)', () => {
    const template = { spec: podWith({ volumes: [{ name: 'm', image: {} }] }).spec! };
    const texts = minors.map((minor) =>
      validatePodTemplate(template, ['spec', 'template'], [], releaseOf(minor)).map(fieldErrorText),
    );
    assert.deepEqual(texts, [[], [], [], ['spec.template.spec.volumes[0].image.reference: Required value']]);
  });

  it('take autoscalers to zero from 1.37 on, and before where the gate is on (kubernetes#139648)', () => {
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
        minReplicas: 0,
        maxReplicas: 2,
        metrics: [{ type: 'External', external: { metric: { name: 'q' }, target: { type: 'Value', value: '1' } } }],
      },
    };
    const refused = (release: Release): number =>
      refusalsOf(decodeObject(autoscaler, release.types).object, release).length;
    assert.deepEqual(
      minors.map((minor) => refused(releaseOf(minor))),
      [1, 1, 1, 0],
    );
    const gates = new Map([['HPAScaleToZero', true]]);
    assert.deepEqual(
      minors.map((minor) => refused(withGates(releaseOf(minor), gates))),
      [0, 0, 0, 0],
    );
  });

  it('leave the QoS class to the containers where a pod as a whole asks for nothing, from 1.37 on (kubernetes#137150)', () => {
    const spec = podWith({ resources: { requests: {} } }, { resources: { requests: { cpu: '1' } } }).spec;
    assert.deepEqual(
      minors.map((minor) => qosClass(spec, releaseOf(minor))),
      ['BestEffort', 'BestEffort', 'BestEffort', 'Burstable'],
    );
  });

  it('word resizes differently, and refuse those of init containers that end', () => {
    const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
    const init = { name: 'i', image: 'image', resizePolicy };
    const texts = created(podWith({ initContainers: [init] }));
    assert.deepEqual(texts, [
      [],
      [],
      [
        `spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers`,
      ],
      [
        `spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers`,
      ],
    ]);
  });

  it('judge templates as they judge pods', () => {
    const template = { spec: podWith({}, { restartPolicy: 'Sometimes' }).spec! };
    const texts = minors.map((minor) =>
      validatePodTemplate(template, ['spec', 'template'], [], releaseOf(minor)).map(({ detail }) => detail),
    );
    const supported = 'supported values: "Always", "Never", "OnFailure"';
    assert.deepEqual(texts, [[], [supported], [supported], [supported]]);
  });

  it('take scheduling groups for absent while their gate is off, unless they are stored', () => {
    const grouped = podWith({ schedulingGroup: { podGroupName: 'a' } });
    const update = (old: Pod, release: Release): number => validatePodUpdate(grouped, old, { release }).length;
    for (const minor of minors) assert.equal(update(podWith({}), releaseOf(minor)), 0);
    assert.equal(update(podWith({ schedulingGroup: { podGroupName: 'b' } }), releaseOf('1.36')), 1);
  });

  // Source: k8s.io/apimachinery/pkg/api/validate/content/kube.go of 1.35
  it('count keys and values of labels in bytes from 1.35 on, wherever one stands, and nothing else', () => {
    const long = 'a'.repeat(64);
    const domain = `${'a'.repeat(254)}/b`;
    const selector = { matchExpressions: [{ key: long, operator: 'Exists' as const }] };
    const term = { topologyKey: long, labelSelector: selector };
    const places: readonly (readonly [what: string, pod: Pod, refusals: number])[] = [
      ['a label', { ...podWith({}), metadata: { name: 'p', labels: { [long]: long } } }, 2],
      ['a prefix', { ...podWith({}), metadata: { name: 'p', labels: { [domain]: '' } } }, 1],
      ['an annotation', { ...podWith({}), metadata: { name: 'p', annotations: { [long]: '' } } }, 1],
      ['a finalizer', { ...podWith({}), metadata: { name: 'p', finalizers: [`a/${long}`] } }, 1],
      ['a node selector', podWith({ nodeSelector: { [long]: long } }), 2],
      [
        'affinity',
        podWith({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }),
        2,
      ],
      ['a toleration', podWith({ tolerations: [{ key: long, operator: 'Exists' }] }), 1],
      ['a gate', podWith({ schedulingGates: [{ name: long }] }), 1],
      ['a condition', podWith({ readinessGates: [{ conditionType: long }] }), 1],
      ['a resource', podWith({}, { resources: { limits: { [`a.example/${long}`]: '1' } } }), 1],
    ];
    for (const [what, pod, refusals] of places) {
      const [oldest, ...later] = minors.map((minor) =>
        validatePod({ ...pod, metadata: { namespace: 'default', ...pod.metadata } }, { release: releaseOf(minor) })
          .map(({ detail }) => detail)
          .filter((detail) => detail.includes('no more than')),
      );
      assert.equal(oldest!.length, refusals, what);
      assert.ok(
        oldest!.every((detail) => detail.endsWith(' characters')),
        what,
      );
      for (const details of later) {
        assert.deepEqual(
          details,
          oldest!.map((detail) => detail.replace('characters', 'bytes')),
          what,
        );
      }
    }
    const names = created(podWith({}, { name: long })).map((texts) => texts.map((text) => text.split(': ').at(-1)));
    for (const texts of names) assert.deepEqual(texts, ['must be no more than 63 characters']);
  });

  it('call a key of a label one from 1.35 on', () => {
    const details = minors.map((minor) =>
      validatePod(podWith({ nodeSelector: { 'a/b/c': 'd' } }), { release: releaseOf(minor) }).map(({ detail }) =>
        detail.slice(0, detail.indexOf(' must')),
      ),
    );
    assert.deepEqual(
      details,
      minors.map((minor) => [minor === '1.34' ? 'a qualified name' : 'a valid label key']),
    );
  });

  it('count files among the sources of a variable where they take them', () => {
    const texts = created(podWith({}, { env: [{ name: 'A', valueFrom: {} }] })).flat();
    assert.deepEqual(
      texts.map((text) => text.includes('fileKeyRef')),
      minors.map((minor) => minor !== '1.34'),
    );
  });

  it('word a refusal in the editor as to kubectl', () => {
    const long = 'a'.repeat(64);
    const meta = { name: 'a', namespace: 'default' };
    const container = { name: 'c', image: 'i' };
    const documents: readonly JsonObject[] = [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...meta, labels: { [long]: long, 'a/b/c': 'ä' } },
        spec: { serviceAccount: 'A', containers: [{ ...container, env: [{ name: 'A', valueFrom: {} }] }] },
      },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { ...meta, annotations: { 'a/b/c': '' } },
        spec: {
          selector: { matchLabels: { a: long } },
          template: {
            metadata: { labels: { a: long } },
            spec: { containers: [container], nodeSelector: { 'a/b/c': long } },
          },
        },
      },
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: meta,
        spec: { selector: { matchLabels: { [long]: 'a' } } },
      },
    ];
    for (const minor of minors) {
      for (const document of documents) {
        const release = releaseOf(minor);
        const answer = reviewCreation(document, presetState('apply'), release);
        const refusals = refusalsOf(decodeObject(document, release.types).object, release);
        const said = (answer.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
        assert.equal(refusals.length, said.length);
        for (const { error } of refusals) {
          assert.ok(said.some((text) => text.startsWith(`${error.at.text}: `) && text.endsWith(`: ${error.detail}`)));
        }
        assert.ok(refusals.length > 0);
      }
    }
  });

  it('judge updates each in its own words', () => {
    const pod = (more: Partial<PodSpec>): Pod => ({ ...podWith(more), apiVersion: 'v1', kind: 'Pod' });
    const next = pod({ tolerations: [{ key: 'a', operator: 'Gt', value: '1' }] });
    const texts = minors.map((minor) => {
      const errors = validateUpdate(next, pod({}), releaseOf(minor));
      return errors.find(({ at: { text: field } }) => field === 'spec.tolerations[0].operator')?.detail;
    });
    const all = 'supported values: "Equal", "Exists", "Lt", "Gt"';
    assert.deepEqual(texts, ['supported values: "Equal", "Exists"', all, all, all]);
  });

  it('say from 1.35 on why a budget allows no eviction', () => {
    const condition = { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: 'no such scale' };
    const pod = {
      metadata: { name: 'p', namespace: 'default', labels: { app: 'a' } },
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    } as Pod;
    const causes = (status: object): readonly (string | undefined)[] => {
      const budget = {
        metadata: { name: 'b', namespace: 'default' },
        spec: { selector: { matchLabels: { app: 'a' } } },
        status: { disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 2, ...status },
      } as unknown as PodDisruptionBudget;
      return minors.map((minor) => {
        const answer = evict(pod, [budget], {}, releaseOf(minor));
        return answer.allowed ? undefined : answer.cause;
      });
    };
    const numbers = 'The disruption budget b needs 2 healthy pods and has 3 currently';
    const general = 'The disruption budget b does not allow evicting pods currently';
    const failed = `${general} because it failed sync: no such scale`;
    assert.deepEqual(causes({ conditions: [condition] }), [numbers, failed, failed, failed]);
    const other = `${general} (Paused): no such scale`;
    assert.deepEqual(causes({ conditions: [{ ...condition, reason: 'Paused' }] }), [numbers, other, other, other]);
    assert.deepEqual(causes({}), [numbers, general, general, general]);
    const few = 'The disruption budget b needs 2 healthy pods and has 2 currently';
    assert.deepEqual(causes({ currentHealthy: 2 }), [few, few, few, few]);
  });

  it('[#41] drop the keys of spread constraints where their gate is off', () => {
    const topologySpreadConstraints = [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app'] },
    ];
    const gates = new Map([['MatchLabelKeysInPodTopologySpread', false]]);
    const texts = (release: Release) =>
      validatePod(podWith({ topologySpreadConstraints }), { release }).map(fieldErrorText);
    for (const minor of minors) {
      assert.deepEqual(texts(releaseOf(minor)), [
        'spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      ]);
      assert.deepEqual(texts(withGates(releaseOf(minor), gates)), []);
    }
  });

  // Sources: dropDisabledFields, PrepareForCreate of the strategies in pkg/registry/autoscaling and pkg/registry/storage
  it('[#41] drop the tolerance of an autoscaler and the period of a driver before 1.35', () => {
    const object = (apiVersion: string, kind: string, spec: JsonObject): JsonObject => {
      return { apiVersion, kind, metadata: { name: 'a' }, spec };
    };
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' };
    const policies = [{ type: 'Pods', value: 1, periodSeconds: 1 }];
    const behavior = { scaleDown: { policies, tolerance: '-1' } };
    for (const written of [
      object('autoscaling/v2', 'HorizontalPodAutoscaler', { maxReplicas: 2, scaleTargetRef, behavior }),
      object('storage.k8s.io/v1', 'CSIDriver', { nodeAllocatableUpdatePeriodSeconds: 5 }),
    ]) {
      const refusals = minors.map((minor) => refusalsOf(decodeObject(written).object, releaseOf(minor)).length);
      assert.deepEqual(refusals, [0, 1, 1, 1]);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { validatePodTemplate } from '../../../server/src/admission/pods/pod.ts';
import { creationErrors, creationTexts } from './judged.ts';

const qualifiedName =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

describe('validatePod: gates and nodeName', () => {
  it('[GATE-2] wants qualified names, each once', () => {
    const errors = creationErrors({ schedulingGates: [{ name: 'a/b' }, { name: 'a b' }, { name: 'a/b' }] });
    assert.deepEqual(errors.map(fieldErrorText), [
      `spec.schedulingGates[1]: Invalid value: "a b": name part ${qualifiedName}`,
      'spec.schedulingGates[2]: Duplicate value: "a/b"',
    ]);
    assert.deepEqual(errors[0]?.at.path, ['spec', 'schedulingGates', 1, 'name']);
  });

  it('[GATE-1][PLA-11] refuses a gated pod that is bound already', () => {
    assert.deepEqual(creationTexts({ nodeName: 'n1', schedulingGates: [{ name: 'a/b' }] }), [
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ]);
    assert.deepEqual(creationTexts({ nodeName: 'n1' }), []);
    assert.match(
      creationTexts({ nodeName: 'N1' })[0] ?? '',
      /^spec\.nodeName: Invalid value: "N1": a lowercase RFC 1123/,
    );
  });
});

describe('validatePod: node affinity', () => {
  const required = (term: object): string[] =>
    creationTexts({
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term as never] } },
      },
    }).map((text) => text.replace(/^spec\.affinity\.nodeAffinity\.required.*nodeSelectorTerms\[0\]\./, ''));

  it('wants a term, but lets it be empty', () => {
    const empty = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } };
    assert.deepEqual(creationTexts({ affinity: empty }), [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term',
    ]);
    assert.deepEqual(required({}), []);
  });

  it('knows how many values each operator takes', () => {
    const expression = (operator: string, ...values: string[]): string[] =>
      required({ matchExpressions: [{ key: 'disk', operator, values }] });
    assert.deepEqual(expression('In'), [
      "matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ]);
    assert.deepEqual(expression('Exists', 'ssd'), [
      "matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    ]);
    assert.deepEqual(expression('Gt', '1', '2'), [
      "matchExpressions[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
    ]);
    assert.deepEqual(expression('Equals', 'ssd'), [
      'matchExpressions[0].operator: Invalid value: "Equals": not a valid selector operator',
    ]);
    assert.deepEqual(expression('Lt', '1.5'), [], 'the value need not be an integer');
  });

  it('selects fields by metadata.name alone, with one value', () => {
    assert.deepEqual(required({ matchFields: [{ key: 'spec.x', operator: 'Exists', values: [] }] }), [
      'matchFields[0].operator: Invalid value: "Exists": not a valid selector operator',
      'matchFields[0].key: Invalid value: "spec.x": not a valid field selector key',
    ]);
    assert.deepEqual(required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a', 'b'] }] }), [
      "matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    ]);
  });

  it('judges the weight of preferred terms, and not their values', () => {
    const preferred = (weight: number, value: string): string[] =>
      creationTexts({
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight, preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: [value] }] } },
            ],
          },
        },
      });
    assert.deepEqual(preferred(100, 'not a label!'), []);
    assert.deepEqual(preferred(101, 'ssd'), [
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
    ]);
  });
});

describe('validatePod: pod affinity', () => {
  const term = (fields: object, metadata?: object): ReturnType<typeof creationErrors> =>
    creationErrors(
      {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', ...fields }],
          },
        },
      },
      metadata as never,
    );
  const place = 'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]';

  it('[PLA-9] wants a topology key, and says so three times', () => {
    const errors = term({ topologyKey: '' });
    assert.deepEqual(errors.map(fieldErrorText), [
      `${place}.topologyKey: Required value: can not be empty`,
      `${place}.topologyKey: Invalid value: "": name part must be non-empty`,
      `${place}.topologyKey: Invalid value: "": name part ${qualifiedName}`,
    ]);
  });

  it('prints a bad namespace as upstream does, and points at the entry', () => {
    const [error] = term({ namespaces: ['ok', 'Not_OK'] });
    assert.equal(error?.at.text, `${place}.namespace`);
    assert.deepEqual(error.at.path.slice(-2), ['namespaces', 1]);
  });

  it('[PLA-10] wants a selector for label keys', () => {
    const texts = term({ matchLabelKeys: ['rev'], mismatchLabelKeys: ['tenant'] }).map(fieldErrorText);
    assert.deepEqual(texts, [
      `${place}.matchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
      `${place}.mismatchLabelKeys: Forbidden: must not be specified when labelSelector is not set`,
    ]);
  });

  it('[PLA-10] finds a key that is written in the selector as well as merged into it', () => {
    const labels = { metadata: { labels: { rev: '1', tenant: 'a' } } }.metadata;
    const keys = { matchLabelKeys: ['rev'], labelSelector: { matchLabels: { rev: '1' } } };
    const [error] = term(keys, labels);
    assert.equal(error?.at.text, `${place}[0]`);
    assert.equal(error.detail, 'exists in both matchLabelKeys and labelSelector');
    assert.deepEqual(error.at.path.slice(-2), ['matchLabelKeys', 0]);
    assert.deepEqual(term({ matchLabelKeys: ['rev'], labelSelector: { matchLabels: { app: 'x' } } }, labels), []);
  });

  it('[PLA-10] finds a key in both lists', () => {
    const [error] = term({ matchLabelKeys: ['rev'], mismatchLabelKeys: ['rev'], labelSelector: {} });
    assert.equal(error?.at.text, `${place}.matchLabelKeys[0]`);
    assert.equal(error.detail, 'exists in both matchLabelKeys and mismatchLabelKeys');
  });
});

describe('validatePod: topology spread', () => {
  const spread = (...constraints: object[]): string[] =>
    creationTexts({
      topologySpreadConstraints: constraints.map(
        (constraint) =>
          ({ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', ...constraint }) as never,
      ),
    }).map((text) => text.replace('spec.topologySpreadConstraints', ''));

  it('[PLA-12] judges skew, key, action and policies', () => {
    assert.deepEqual(spread({ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Never', nodeTaintsPolicy: 'Honour' }), [
      '[0].maxSkew: Invalid value: 0: must be greater than zero',
      '[0].topologyKey: Required value: can not be empty',
      '[0].whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", "ScheduleAnyway"',
      '[0].nodeTaintsPolicy: Unsupported value: "Honour": supported values: "Honor", "Ignore"',
    ]);
  });

  it('[PLA-12] ties minDomains to DoNotSchedule', () => {
    assert.deepEqual(spread({ minDomains: 0, whenUnsatisfiable: 'ScheduleAnyway' }), [
      '[0].minDomains: Invalid value: 0: must be greater than zero',
      '[0].minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
    ]);
  });

  it('[PLA-12] reports each repeated pair but the last, and lets actions differ', () => {
    assert.deepEqual(spread({}, { whenUnsatisfiable: 'ScheduleAnyway' }, {}, {}), [
      '[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
      '[2].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
    ]);
  });
});

describe('validatePod: tolerations', () => {
  const toleration = (fields: object): string[] =>
    creationTexts({ tolerations: [fields as never] }).map((text) => text.replace('spec.tolerations[0]', ''));

  it('[PLA-13] wants Exists where there is no key', () => {
    assert.deepEqual(toleration({}), [
      '.operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ]);
    assert.deepEqual(toleration({ operator: 'Exists' }), []);
  });

  it('[PLA-13] points at the value that upstream reports under the operator', () => {
    const [error] = creationErrors({ tolerations: [{ key: 'a', operator: 'Exists', value: 'x' }] });
    assert.equal(error?.at.text, 'spec.tolerations[0].operator');
    assert.deepEqual(error.at.path, ['spec', 'tolerations', 0, 'value']);
  });

  it('[PLA-13] knows operators and effects', () => {
    assert.deepEqual(toleration({ key: 'a', operator: 'Gt', effect: 'Never', tolerationSeconds: 5 }), [
      '.effect: Invalid value: "Never": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      '.operator: Unsupported value: "Gt": supported values: "Equal", "Exists", "Lt", "Gt"',
      '.effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ]);
  });
});

describe('validatePod: containers and the rest', () => {
  it('wants containers with names and images, each name once', () => {
    assert.deepEqual(creationTexts({ containers: [] }), ['spec.containers: Required value']);
    const containers = [{ name: 'a', image: ' nginx' }, { name: 'a', image: 'x' }, { image: '' }];
    const texts = creationTexts({ containers, initContainers: [{ name: 'a', image: 'x' }] });
    assert.deepEqual(texts, [
      'spec.containers[1].name: Duplicate value: "a"',
      'spec.containers[2].name: Required value',
      'spec.containers[2].image: Required value',
      'spec.initContainers[0].name: Duplicate value: "a"',
      'spec.containers[0].image: Invalid value: " nginx": must not have leading or trailing whitespace',
    ]);
  });

  it('finds host ports that collide: among containers, not among init containers', () => {
    const ports = [{ containerPort: 80, hostPort: 80 }];
    const containers = ['a', 'b'].map((name) => ({ name, image: 'x', ports }));
    const initContainers = ['c', 'd'].map((name) => ({ name, image: 'x', ports }));
    assert.deepEqual(creationTexts({ containers, initContainers }), [
      'spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//80"',
    ]);
  });

  it('finds host ports that disagree on the network of the node', () => {
    const ports = [{ containerPort: 80, hostPort: 81 }, { containerPort: 82 }];
    assert.deepEqual(creationTexts({ hostNetwork: true, containers: [{ name: 'a', image: 'x', ports }] }), [
      'spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
    ]);
  });

  it('judges sidecars and probes of init containers', () => {
    const initContainers = [
      { name: 'a', image: 'x', restartPolicy: 'Always', livenessProbe: { exec: { command: ['true'] } } },
      { name: 'b', image: 'x', restartPolicy: 'Never' },
      { name: 'c', image: 'x', readinessProbe: {} },
    ];
    assert.deepEqual(creationTexts({ initContainers }), [
      'spec.initContainers[2].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ]);
  });

  it('judges priority class name, preemption policy, deadline and annotations', () => {
    const texts = creationTexts(
      { priorityClassName: 'Big', preemptionPolicy: 'Maybe', activeDeadlineSeconds: 0 },
      { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '+5' } },
    );
    assert.equal(texts.length, 4);
    assert.equal(
      texts[0],
      'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+5": must be a 32bit integer',
    );
    assert.match(texts[1] ?? '', /^spec\.activeDeadlineSeconds: .* must be between 1 and 2147483647, inclusive$/);
    assert.match(texts[2] ?? '', /^spec\.priorityClassName: Invalid value: "Big"/);
    assert.match(texts[3] ?? '', /^spec\.preemptionPolicy: Unsupported value: "Maybe"/);
  });
});

describe('validatePodTemplate', () => {
  it('prints paths from the top of the workload, metadata without its own step', () => {
    const template = {
      metadata: { labels: { app: 'not good' } },
      spec: { containers: [{ name: 'a', image: 'x' }], tolerations: [{ effect: 'Never', operator: 'Exists' }] },
    };
    const errors = validatePodTemplate(template, ['spec', 'jobTemplate', 'spec', 'template']);
    assert.deepEqual(
      errors.map(({ at: { text: field, path } }) => [field, path.join('/')]),
      [
        ['spec.jobTemplate.spec.template.labels', 'spec/jobTemplate/spec/template/metadata/labels/app'],
        [
          'spec.jobTemplate.spec.template.spec.tolerations[0].effect',
          'spec/jobTemplate/spec/template/spec/tolerations/0/effect',
        ],
      ],
    );
  });

  it('lets a template leave host ports of the node network open', () => {
    const spec = {
      hostNetwork: true,
      containers: [{ name: 'a', image: ' x', ports: [{ containerPort: 80 }] }],
    };
    assert.deepEqual(validatePodTemplate({ spec }, ['spec', 'template']), []);
  });
});

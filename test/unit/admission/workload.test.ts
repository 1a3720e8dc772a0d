import assert from 'node:assert/strict';
import { allOf, fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { judgeWorkload } from '../../../server/src/admission/workloads/workload.ts';
import { containers, template, workload, cronJob, texts, mismatch, negative } from './judged-workload.ts';

describe('what the API server says of workloads', () => {
  for (const kind of ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job']) {
    it(`accepts a plain ${kind}`, () => {
      assert.deepEqual(texts(workload(kind)), []);
    });
  }

  it('accepts a plain ReplicationController and a plain CronJob', () => {
    assert.deepEqual(texts(workload('ReplicationController', { selector: { app: 'web' } })), []);
    assert.deepEqual(texts(cronJob({})), []);
  });

  for (const [kind, said] of [
    ['Deployment', 'deployment'],
    ['ReplicaSet', 'deployment'],
    ['StatefulSet', 'statefulset'],
    ['DaemonSet', 'daemonset'],
  ] as const) {
    it(`wants of a ${kind} a selector that is not empty and matches its template`, () => {
      assert.deepEqual(texts(workload(kind, { selector: {} })), [
        `spec.selector: Invalid value: {}: empty selector is invalid for ${said}`,
      ]);
      assert.deepEqual(texts(workload(kind, { selector: { matchLabels: { app: 'api' } } })), [mismatch]);
    });
  }

  it('tells what is wrong in a selector, and that it cannot be read', () => {
    const broken = { matchExpressions: [{ key: 'app', operator: 'Is' }] };
    const [part, whole] = [
      'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Is"}]}',
    ];
    assert.deepEqual(texts(workload('Deployment', { selector: broken })), [part, `${whole}: invalid label selector`]);
    assert.deepEqual(texts(workload('StatefulSet', { selector: broken })), [part, whole]);
    assert.deepEqual(texts(workload('DaemonSet', { selector: broken })), [part]);
  });

  it('takes the selector of a ReplicationController from its template', () => {
    assert.deepEqual(texts(workload('ReplicationController', { selector: {} })), []);
    const bare = { spec: { containers } };
    assert.deepEqual(texts(workload('ReplicationController', { selector: {}, template: bare })), [
      'spec.selector: Required value',
    ]);
    assert.deepEqual(texts(workload('ReplicationController', { selector: { app: 'api' } })), [mismatch]);
  });

  for (const [kind, said] of [
    ['Deployment', 'ReplicaSet'],
    ['ReplicaSet', 'ReplicaSet'],
    ['StatefulSet', 'StatefulSet'],
    ['DaemonSet', 'DaemonSet'],
    ['ReplicationController', 'ReplicationController'],
  ] as const) {
    it(`keeps the pods of a ${kind} running`, () => {
      const spec = { template: template({ restartPolicy: 'Never', activeDeadlineSeconds: 60 }) };
      assert.deepEqual(
        texts(workload(kind, kind === 'ReplicationController' ? { ...spec, selector: { app: 'web' } } : spec)),
        [
          'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
          `spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ${said} is not Supported`,
        ],
      );
    });
  }

  it('refuses negative numbers', () => {
    assert.deepEqual(
      texts(
        workload('Deployment', {
          replicas: -1,
          minReadySeconds: -1,
          revisionHistoryLimit: -1,
          progressDeadlineSeconds: -1,
        }),
      ),
      [
        `spec.replicas: Invalid value: -1: ${negative}`,
        `spec.minReadySeconds: Invalid value: -1: ${negative}`,
        `spec.revisionHistoryLimit: Invalid value: -1: ${negative}`,
        `spec.progressDeadlineSeconds: Invalid value: -1: ${negative}`,
        'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
      ],
    );
    assert.deepEqual(
      texts(
        workload('StatefulSet', {
          replicas: -1,
          ordinals: { start: -1 },
          updateStrategy: { rollingUpdate: { partition: -1 } },
        }),
      ),
      [
        `spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: ${negative}`,
        `spec.replicas: Invalid value: -1: ${negative}`,
        `spec.ordinals.start: Invalid value: -1: ${negative}`,
      ],
    );
    const job = {
      parallelism: -1,
      completions: -1,
      activeDeadlineSeconds: -1,
      backoffLimit: -1,
      ttlSecondsAfterFinished: -1,
    };
    assert.deepEqual(
      texts(workload('Job', job)),
      Object.keys(job).map((field) => `spec.${field}: Invalid value: -1: ${negative}`),
    );
  });

  it('compares a deadline that is not written, too', () => {
    const [error] = allOf(judgeWorkload(workload('Deployment', { minReadySeconds: 600 })));
    assert.equal(
      fieldErrorText(error!),
      'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
    );
    assert.deepEqual(error!.at.path, ['spec', 'minReadySeconds']);
    assert.deepEqual(texts(workload('Deployment', { minReadySeconds: 600, progressDeadlineSeconds: 601 })), []);
  });

  for (const [name, kind, spec, expected] of [
    [
      'a Deployment neither more nor fewer pods',
      'Deployment',
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0'],
    ],
    [
      'a Deployment a rolling update with Recreate',
      'Deployment',
      { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      'a Deployment more than all pods',
      'Deployment',
      { strategy: { rollingUpdate: { maxUnavailable: '101%', maxSurge: '200%' } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%'],
    ],
    [
      'a Deployment a number as text',
      'Deployment',
      { strategy: { rollingUpdate: { maxSurge: '1' } } },
      [
        "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"1\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    ],
    [
      'a Deployment another strategy',
      'Deployment',
      { strategy: { type: 'BlueGreen' } },
      ['spec.strategy: Unsupported value: {"type":"BlueGreen"}: supported values: "Recreate", "RollingUpdate"'],
    ],
    [
      'a DaemonSet both',
      'DaemonSet',
      { updateStrategy: { rollingUpdate: { maxSurge: 1 } } },
      ['spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero'],
    ],
    [
      'a DaemonSet neither',
      'DaemonSet',
      { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } },
      ['spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0'],
    ],
    [
      'a DaemonSet another strategy',
      'DaemonSet',
      { updateStrategy: { type: 'Recreate' } },
      ['spec.updateStrategy: Unsupported value: {"type":"Recreate"}: supported values: "RollingUpdate", "OnDelete"'],
    ],
    [
      'a StatefulSet a rolling update with OnDelete',
      'StatefulSet',
      { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      [
        'spec.updateStrategy.rollingUpdate: Invalid value: {"partition":1}: only allowed for updateStrategy \'RollingUpdate\'',
      ],
    ],
    [
      'a StatefulSet another strategy',
      'StatefulSet',
      { updateStrategy: { type: 'Recreate' } },
      ['spec.updateStrategy: Invalid value: {"type":"Recreate"}: must be \'RollingUpdate\' or \'OnDelete\''],
    ],
    [
      'a StatefulSet another order',
      'StatefulSet',
      { podManagementPolicy: 'Random' },
      ["spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'"],
    ],
    [
      'a StatefulSet another retention',
      'StatefulSet',
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Keep' } },
      [
        'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Keep": supported values: "Retain", "Delete"',
      ],
    ],
  ] as const) {
    it(`does not allow ${name}`, () => {
      assert.deepEqual(texts(workload(kind, spec)), expected);
    });
  }

  it('lets a DaemonSet surge when nothing is unavailable, and delete by hand', () => {
    assert.deepEqual(
      texts(workload('DaemonSet', { updateStrategy: { rollingUpdate: { maxSurge: '10%', maxUnavailable: 0 } } })),
      [],
    );
    assert.deepEqual(texts(workload('DaemonSet', { updateStrategy: { type: 'OnDelete' } })), []);
  });

  it('judges names by what they are used for', () => {
    const label = 'a'.repeat(63);
    assert.deepEqual(texts(workload('StatefulSet', {}, { name: 'web.db' })), [
      'metadata.name: Invalid value: "web.db": must not contain dots',
    ]);
    assert.deepEqual(texts(workload('Deployment', {}, { name: 'web.db' })), []);
    assert.match(
      texts(workload('Deployment', {}, { name: 'Web' })).join(),
      /^metadata.name: Invalid value: "Web": a lowercase RFC 1123 subdomain/,
    );
    assert.deepEqual(texts(workload('Job', {}, { name: label })), []);
    assert.deepEqual(texts(workload('Job', {}, { name: `${label}a` })), [
      `spec.template.labels: Invalid value: "${label}a": must be no more than 63 bytes`,
    ]);
    assert.deepEqual(texts(cronJob({}, { name: 'a'.repeat(52) })), []);
    assert.deepEqual(texts(cronJob({}, { name: 'a'.repeat(53) })), [
      `metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`,
    ]);
  });
});

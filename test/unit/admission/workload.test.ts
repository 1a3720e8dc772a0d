import assert from 'node:assert/strict';
import { changeRefusals } from '../../../server/src/admission/request/update.ts';
import { scheduleProblem } from '../../../server/src/admission/workloads/cron-schedule.ts';
import { allOf, fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { judgeWorkload } from '../../../server/src/admission/workloads/workload.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import { latestRelease, releaseOf } from '../../../server/src/kubernetes/releases/index.ts';

const apiVersions: Readonly<Record<string, string>> = {
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  ReplicationController: 'v1',
};
const selector = { matchLabels: { app: 'web' } };
const containers = [{ name: 'web', image: 'nginx' }];

function template(spec: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app: 'web' } }, spec: { containers, ...spec } };
}

/** A workload as it is when the API server judges it, with what a kind cannot be without. */
function workload(kind: string, spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  const isJob = kind === 'Job';
  const whole = {
    ...(isJob ? { template: template({ restartPolicy: 'Never' }) } : { selector, template: template() }),
    ...spec,
  };
  const written = {
    apiVersion: apiVersions[kind] ?? 'apps/v1',
    kind,
    metadata: { name: 'web', ...metadata },
    spec: whole,
  };
  return decodeObject(written).object;
}

function cronJob(spec: JsonObject, metadata: JsonObject = {}, job: JsonObject = {}): KubeObject {
  const jobTemplate = { spec: { template: template({ restartPolicy: 'Never' }), ...job } };
  const written = { schedule: '0 3 * * *', jobTemplate, ...spec };
  return decodeObject({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'web', ...metadata },
    spec: written,
  }).object;
}

function texts(object: KubeObject): string[] {
  return allOf(judgeWorkload(object)).map(fieldErrorText);
}

const mismatch =
  'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`';
const negative = 'must be greater than or equal to 0';

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
    assert.deepEqual(error!.path, ['spec', 'minReadySeconds']);
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
      `spec.template.labels: Invalid value: "${label}a": must be no more than 63 characters`,
    ]);
    assert.deepEqual(texts(cronJob({}, { name: 'a'.repeat(52) })), []);
    assert.deepEqual(texts(cronJob({}, { name: 'a'.repeat(53) })), [
      `metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`,
    ]);
  });
});

describe('what the API server says of jobs', () => {
  it('wants pods that end', () => {
    const required = 'Required value: valid values: "OnFailure", "Never"';
    assert.deepEqual(texts(workload('Job', { template: template() })), [
      `spec.template.spec.restartPolicy: ${required}`,
    ]);
    assert.deepEqual(texts(workload('Job', { template: template({ restartPolicy: 'Always' }) })), [
      `spec.template.spec.restartPolicy: ${required}`,
    ]);
    assert.deepEqual(texts(cronJob({}, {}, { template: template() })), [
      `spec.jobTemplate.spec.template.spec.restartPolicy: ${required}`,
    ]);
    assert.deepEqual(texts(workload('Job', { template: template({ restartPolicy: 'Sometimes' }) })), [
      'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "OnFailure", "Never"',
    ]);
    assert.deepEqual(
      texts(workload('Job', { template: template({ restartPolicy: 'OnFailure' }), podFailurePolicy: { rules: [] } })),
      [
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
      ],
    );
  });

  it('lets a job choose its selector only with `manualSelector`', () => {
    const own = template({ restartPolicy: 'Never' });
    assert.deepEqual(texts(workload('Job', { selector, template: own })), [
      'spec.selector: Invalid value: {"matchLabels":{"app":"web"}}: `selector` not auto-generated',
    ]);
    assert.deepEqual(texts(workload('Job', { selector, manualSelector: true, template: own })), []);
    assert.deepEqual(
      texts(workload('Job', { selector: { matchLabels: { app: 'api' } }, manualSelector: true, template: own })),
      [mismatch],
    );
    assert.deepEqual(texts(workload('Job', { manualSelector: true, template: own })), [
      'spec.selector: Required value',
      mismatch,
    ]);
    assert.deepEqual(texts(cronJob({}, {}, { selector, manualSelector: true })), [
      'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"app":"web"}}: `selector` will be auto-generated',
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ]);
  });

  it('keeps the label with its name for the job', () => {
    const labelled = { metadata: { labels: { 'job-name': 'other' } }, spec: { containers, restartPolicy: 'Never' } };
    assert.deepEqual(texts(workload('Job', { template: labelled })), [
      'spec.template.metadata.labels[job-name]: Invalid value: {"job-name":"other"}: must be \'web\'',
    ]);
  });

  for (const [name, spec, expected] of [
    [
      'an indexed job without completions',
      { completionMode: 'Indexed' },
      ['spec.completions: Required value: when completion mode is Indexed'],
    ],
    [
      'too many indexes at once',
      { completionMode: 'Indexed', completions: 1, parallelism: 100_001 },
      ['spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed'],
    ],
    [
      'more failures than indexes',
      { completionMode: 'Indexed', completions: 1, maxFailedIndexes: 2, backoffLimitPerIndex: 1 },
      ['spec.maxFailedIndexes: Invalid value: 2: must be less than or equal to completions'],
    ],
    [
      'failures that nothing counts',
      { completionMode: 'Indexed', completions: 1, maxFailedIndexes: 1 },
      ['spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified'],
    ],
    [
      'another mode',
      { completionMode: 'All' },
      ['spec.completionMode: Unsupported value: "All": supported values: "NonIndexed", "Indexed"'],
    ],
    [
      'indexes without an index',
      { backoffLimitPerIndex: 1 },
      ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    ],
    [
      'another replacement',
      { podReplacementPolicy: 'Never' },
      ['spec.podReplacementPolicy: Unsupported value: "Never": supported values: "Failed", "TerminatingOrFailed"'],
    ],
    [
      'to replace what has not failed, by a policy about failures',
      { podReplacementPolicy: 'TerminatingOrFailed', podFailurePolicy: { rules: [] } },
      ['spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
    ],
  ] as const) {
    it(`does not allow ${name}`, () => {
      assert.deepEqual(texts(workload('Job', spec)), expected);
    });
  }

  it('tells when an indexed job could not name its hosts', () => {
    assert.deepEqual(texts(workload('Job', { completionMode: 'Indexed', completions: 11 }, { name: 'a.b' })), [
      'metadata.name: Invalid value: "a.b": will not able to create pod with invalid DNS label: a.b-10',
    ]);
  });

  for (const [name, spec, expected] of [
    ['no schedule', { schedule: '' }, ['spec.schedule: Required value']],
    [
      'a time zone in the schedule',
      { schedule: 'TZ=UTC 0 3 * * *' },
      [
        'spec.schedule: Invalid value: "TZ=UTC 0 3 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
    ],
    [
      'a Sunday that is not 0',
      { schedule: '0 3 * * 7' },
      ['spec.schedule: Invalid value: "0 3 * * 7": end of range (7) above maximum (6): 7'],
    ],
    [
      'another concurrency',
      { concurrencyPolicy: 'Queue' },
      ['spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"'],
    ],
    [
      'an empty time zone',
      { timeZone: '' },
      ['spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
    ],
    [
      'a time zone that cannot be one',
      { timeZone: 'Europe/../UTC' },
      ['spec.timeZone: Invalid value: "Europe/../UTC": unknown time zone Europe/../UTC'],
    ],
    [
      'the zone of the server',
      { timeZone: 'local' },
      [
        'spec.timeZone: Invalid value: "local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ],
    ],
    [
      'negative limits',
      { startingDeadlineSeconds: -1, successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 },
      ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'].map(
        (field) => `spec.${field}: Invalid value: -1: ${negative}`,
      ),
    ],
  ] as const) {
    it(`does not allow a CronJob ${name}`, () => {
      assert.deepEqual(texts(cronJob(spec)), expected);
    });
  }
});

describe('schedules', () => {
  for (const schedule of [
    '* * * * *',
    '*/5 0-6,22-23 1 jan-MAR,12 Mon-fri',
    '5/10 ? * * 0',
    ' 0  3 * * * ',
    '1,,2 * * * *',
    '@daily',
    '@every 1h30m',
    '@every 1.5s',
    '+5 * * * *',
  ]) {
    it(`reads ${schedule}`, () => {
      assert.equal(scheduleProblem(schedule), undefined);
    });
  }

  for (const [schedule, problem] of [
    ['0 3 * *', 'expected exactly 5 fields, found 4: [0 3 * *]'],
    ['0 0 3 * * *', 'expected exactly 5 fields, found 6: [0 0 3 * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['30-10 * * * *', 'beginning of range (30) beyond end of range (10): 30-10'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['*/2/3 * * * *', 'too many slashes: */2/3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['* * * jam *', 'failed to parse int from jam: strconv.Atoi: parsing "jam": invalid syntax'],
    ['-5 * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ['*/-5 * * * *', 'negative number (-5) not allowed: -5'],
    [
      '99999999999999999999 * * * *',
      'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    ['@reboot', 'unrecognized descriptor: @reboot'],
    ['@every', 'unrecognized descriptor: @every'],
    ['@every 1d', 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
    ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
    ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
  ] as const) {
    it(`does not read ${schedule}`, () => {
      assert.equal(scheduleProblem(schedule), problem);
    });
  }
});

describe('what may change in a workload', () => {
  const changed = (next: KubeObject, old: KubeObject): string[] =>
    changeRefusals(next, old, latestRelease).map(fieldErrorText);
  const wider = { matchLabels: { app: 'web', tier: 'front' } };

  for (const kind of ['Deployment', 'ReplicaSet', 'DaemonSet']) {
    it(`is not the selector of a ${kind}`, () => {
      assert.deepEqual(changed(workload(kind, { selector: wider }), workload(kind)), [
        'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"front"}}: field is immutable',
      ]);
      assert.deepEqual(
        changed(workload(kind, { replicas: 3, template: template({ restartPolicy: 'Always' }) }), workload(kind)),
        [],
      );
    });
  }

  it('is the selector of a ReplicationController', () => {
    assert.deepEqual(
      changed(
        workload('ReplicationController', { selector: { app: 'api' } }),
        workload('ReplicationController', { selector: { app: 'web' } }),
      ),
      [],
    );
  });

  it('is only a part of a StatefulSet', () => {
    const claims = (storage: string): JsonObject => ({
      volumeClaimTemplates: [
        { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } } },
      ],
    });
    const old = workload('StatefulSet', claims('1Gi'));
    assert.deepEqual(
      changed(
        workload('StatefulSet', {
          ...claims('1024Mi'),
          replicas: 3,
          podManagementPolicy: 'OrderedReady',
          minReadySeconds: 5,
        }),
        old,
      ),
      [],
    );
    const named = workload('StatefulSet', { ...claims('1Gi'), serviceName: 'web', podManagementPolicy: 'Parallel' });
    assert.equal(changed(workload('StatefulSet'), named).length, 1, 'what was applied and is left out goes');
    const stored = { ...named, metadata: { ...named.metadata, uid: 'u1' } };
    assert.deepEqual(changed(workload('StatefulSet'), stored), [], 'what nobody applied stays as it is');
    assert.equal(changed(workload('StatefulSet', { serviceName: 'other' }), named).length, 1);
    const [error] = changeRefusals(workload('StatefulSet', claims('2Gi')), old, latestRelease);
    assert.match(
      fieldErrorText(error!),
      /^spec: Forbidden: updates to statefulset spec for fields other than 'replicas', .* are forbidden$/,
    );
    assert.deepEqual(error!.path, ['spec', 'volumeClaimTemplates', 0, 'spec', 'resources', 'requests', 'storage']);
  });

  it('is not the template of a job, its completions or its mode', () => {
    const old = workload('Job');
    const other = template({ restartPolicy: 'OnFailure' });
    assert.deepEqual(
      changed(workload('Job', { parallelism: 4, completions: 1, completionMode: 'NonIndexed' }), old),
      [],
    );
    const [error] = changeRefusals(workload('Job', { template: other }), old, latestRelease);
    assert.match(fieldErrorText(error!), /^spec\.template: Invalid value: \{.*\}: field is immutable$/);
    assert.deepEqual([...error!.path, ...error!.within!], ['spec', 'template', 'spec', 'restartPolicy']);
    assert.match(
      changed(workload('Job', { template: other }), workload('Job', { suspend: true }))[0] ?? '',
      /^spec\.template\.spec: Invalid value: /,
    );
    assert.deepEqual(changed(workload('Job', { completions: 2 }), old), [
      'spec.completions: Invalid value: 2: field is immutable',
    ]);
    assert.deepEqual(changed(workload('Job', { completionMode: 'Indexed', completions: 2 }), old), [
      'spec.completions: Invalid value: 2: can only be modified in tandem with spec.parallelism',
      'spec.completionMode: Invalid value: "Indexed": field is immutable',
    ]);
    const byHand = { manualSelector: true, selector };
    assert.deepEqual(changed(workload('Job', { ...byHand, selector: wider }), workload('Job', byHand)), [
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"front"}}: field is immutable',
    ]);
  });

  it('is the scheduling of a job that is suspended, as each minor has it', () => {
    const spec = (more: JsonObject): JsonObject => template({ restartPolicy: 'Never', ...more });
    const resources = { requests: { cpu: '1' } };
    const told = (status: JsonObject, more: JsonObject): string[] => {
      const suspended = { ...workload('Job', { suspend: true }), status } as KubeObject;
      const next = workload('Job', { suspend: true, template: spec(more) });
      return (['1.34', '1.35', '1.36'] as const).map((minor) => {
        const fields = changeRefusals(next, suspended, releaseOf(minor)).map(({ field }) => field);
        return fields.join();
      });
    };
    const moved = { nodeSelector: { pool: 'batch' } };
    const startTime = '2026-01-01T00:00:00Z';
    const hasStopped = { startTime, conditions: [{ type: 'Suspended', status: 'True' }] };
    assert.deepEqual(told({}, moved), ['', '', '']);
    assert.deepEqual(told({ startTime }, moved), ['spec.template', 'spec.template', 'spec.template']);
    assert.deepEqual(told(hasStopped, moved), ['spec.template', 'spec.template', '']);
    assert.deepEqual(told({ ...hasStopped, active: 1 }, moved), ['spec.template', 'spec.template', 'spec.template']);
    const sized = { containers: [{ ...containers[0]!, resources }] };
    assert.deepEqual(told({}, sized), ['spec.template', 'spec.template', '']);
    assert.deepEqual(told({}, { hostname: 'a' }), ['spec.template', 'spec.template', 'spec.template.spec']);
  });
});

describe('what may change in other objects', () => {
  const changed = (next: JsonObject, old: JsonObject): string[] =>
    changeRefusals(decodeObject(next).object, decodeObject(old).object, latestRelease).map(fieldErrorText);
  const claim = (storage: string, more: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...more },
    ...rest,
  });
  const specText =
    'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

  it('is the size of a claim only where it is bound, and never below what it has', () => {
    const bound = { status: { phase: 'Bound', capacity: { storage: '5Gi' } } };
    assert.deepEqual(changed(claim('9Gi'), claim('8Gi')), [specText]);
    assert.deepEqual(changed(claim('9Gi'), claim('8Gi', {}, bound)), []);
    assert.deepEqual(changed(claim('6Gi'), claim('8Gi', {}, bound)), []);
    assert.deepEqual(changed(claim('5Gi'), claim('8Gi', {}, bound)), [
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ]);
    assert.deepEqual(changed(claim('8Gi', { storageClassName: 'fast' }), claim('8Gi', { storageClassName: 'slow' })), [
      specText,
    ]);
  });

  it('is not the source of a volume, the provisioner of a class, or the scopes of a quota', () => {
    const volume = (path: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'a' },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path } },
    });
    assert.match(changed(volume('/b'), volume('/a'))[0] ?? '', /^spec\.persistentvolumesource: Forbidden: /);
    const storageClass = (provisioner: string): JsonObject => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'a' },
      provisioner,
    });
    assert.equal(changed(storageClass('b.example'), storageClass('a.example')).length, 1);
    const quota = (scopes: readonly string[]): JsonObject => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'a' },
      spec: { hard: { pods: '1' }, scopes: [...scopes] },
    });
    assert.deepEqual(changed(quota(['BestEffort']), quota([])), [
      'spec.scopes: Invalid value: ["BestEffort"]: field is immutable',
    ]);
    assert.deepEqual(changed(quota([]), quota([])), []);
  });
});

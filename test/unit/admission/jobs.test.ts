import assert from 'node:assert/strict';
import { scheduleProblem } from '../../../server/src/admission/workloads/cron-schedule.ts';
import { selector, containers, template, workload, cronJob, texts, mismatch, negative } from './judged-workload.ts';

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
    ...['Mars/Phobos', 'europe/berlin', 'utc'].map(
      (timeZone) =>
        [
          `the zone ${timeZone}`,
          { timeZone },
          [`spec.timeZone: Invalid value: "${timeZone}": unknown time zone ${timeZone}`],
        ] as const,
    ),
    ...['TZ=UTC ', 'CRON_TZ=Europe/Berlin '].map(
      (zone) =>
        [
          `a schedule with ${zone}`,
          { schedule: `${zone}0 3 * * *` },
          [
            `spec.schedule: Invalid value: "${zone}0 3 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead`,
          ],
        ] as const,
    ),
    [
      'a schedule with a zone that nobody knows',
      { schedule: 'TZ=Mars/Phobos 0 3 * * *' },
      [
        'spec.schedule: Invalid value: "TZ=Mars/Phobos 0 3 * * *": provided bad location Mars/Phobos: unknown time zone Mars/Phobos',
        'spec.schedule: Invalid value: "TZ=Mars/Phobos 0 3 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
    ],
    [
      'the zone of the server',
      { timeZone: 'local' },
      [
        'spec.timeZone: Invalid value: "local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
        'spec.timeZone: Invalid value: "local": unknown time zone local',
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

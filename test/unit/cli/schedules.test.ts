import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../../server/src/report-model/report.ts';
import { lossesBy } from '../../../server/src/report-model/losses-by.ts';
import { podium } from './run-podium.ts';

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'a' },
  status: { capacity: { cpu: '4', memory: '8Gi', pods: '110' }, allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
};

const template = {
  spec: {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 5,
    containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '1' } } }],
  },
};

function cronJob(schedule: string, spec: object = {}, job: object = {}): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report' },
    spec: { schedule, jobTemplate: { spec: { template, ...job } }, ...spec },
  };
}

describe('a scenario with a clock', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-clock-'));
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function write(objects: readonly object[], scenario: string): Promise<string> {
    await writeFile(join(folder, 'all.yaml'), objects.map((each) => JSON.stringify(each)).join('\n---\n'));
    const file = join(folder, 'clock.podium.yaml');
    await writeFile(file, scenario);
    return file;
  }

  async function run(objects: readonly object[], scenario: string): Promise<Report> {
    const file = await write(objects, scenario);
    const { stdout, stderr } = await podium(['simulate', '--scenario', file, '--format', 'json']);
    assert.ok(stdout.startsWith('{'), stderr);
    return JSON.parse(stdout) as Report;
  }

  /** `clock kind` of each step, in order. */
  const steps = ({ steps: all }: Report): readonly string[] => all.map(({ clock, kind }) => `${clock} ${kind}`);
  const told = ({ events }: Report): readonly string[] => events.map((each) => [each.clock, ...each.told].join(' '));

  it('starts a CronJob at its times, each run a Job of its own that lasts as long as it is said', async () => {
    const report = await run(
      [node, cronJob('*/30 * * * *', { timeZone: 'Europe/Berlin' })],
      'start: 2026-03-01T22:10:00Z\nuntil: 1h\nlasts: {cronjob/report: 5m}\nevents: []\n',
    );
    assert.deepEqual(steps(report), [
      '1200 scheduled',
      '1500 deleted',
      '1500 gone',
      '3000 scheduled',
      '3300 deleted',
      '3300 gone',
    ]);
    const minute = Date.parse('2026-03-01T22:30:00Z') / 60_000;
    assert.deepEqual(
      report.pods.map(({ name }) => name),
      [`report-${minute}-0`, `report-${minute + 30}-0`],
    );
    assert.equal(report.events[0]!.text, 'cronjob/default/report is due, 2026-03-01T22:30:00Z');
    assert.ok(report.assumptions.some(({ text }) => text.startsWith('second 0 is 2026-03-01T22:10:00Z')));
  });

  it('has a run wait for the one before under Forbid, unless its deadline is over by then', async () => {
    const scenario = 'start: 2026-03-01T00:00:00Z\nuntil: 10m\nlasts: {cronjob/report: 7m}\nevents: []\n';
    const late = await run([node, cronJob('*/5 * * * *', { concurrencyPolicy: 'Forbid' })], scenario);
    assert.deepEqual(
      steps(late).filter((step) => step.endsWith('scheduled')),
      ['0 scheduled', '420 scheduled', '840 scheduled'],
    );
    assert.match(told(late)[1]!, /^300 not started: the run before it has not ended/);
    const strict = { concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 60 };
    const missed = await run([node, cronJob('*/5 * * * *', strict)], scenario);
    assert.deepEqual(
      steps(missed).filter((step) => step.endsWith('scheduled')),
      ['0 scheduled', '600 scheduled'],
    );
    assert.ok(told(missed).includes('420 missed: startingDeadlineSeconds is 60'));
  });

  it('deletes the run before under Replace, lets them pile up under Allow, and ends one at its deadline', async () => {
    const scenario = 'start: 2026-03-01T00:00:00Z\nuntil: 10m\nevents: []\n';
    const replaced = await run([node, cronJob('*/5 * * * *', { concurrencyPolicy: 'Replace' })], scenario);
    assert.equal(replaced.pods.filter(({ after }) => after.state === 'running').length, 1);
    assert.ok(told(replaced).includes('300 1 run before it is deleted: concurrencyPolicy is Replace'));
    const allowed = await run([node, cronJob('*/5 * * * *')], scenario);
    assert.equal(allowed.pods.filter(({ after }) => after.state === 'running').length, 3);
    assert.match(told(allowed)[0]!, /its pods do not end by themselves/);
    const bounded = await run([node, cronJob('*/5 * * * *', {}, { activeDeadlineSeconds: 60 })], scenario);
    assert.equal(bounded.pods.filter(({ after }) => after.state === 'running').length, 0);
  });

  it('[#35] counts as having run what it evicts after it arrived, and says times of day of what it places', async () => {
    const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 9 };
    const web = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 4,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { ...template.spec, restartPolicy: 'Always' } },
      },
    };
    const urgent = { template: { spec: { ...template.spec, priorityClassName: 'high' } } };
    const night = 'start: 2026-03-01T01:55:00Z\nuntil: 10m\nevents: []\n';
    const report = await run([node, high, web, cronJob('0 2 * * *', {}, urgent)], night);
    const [row] = lossesBy(report, 'workload').rows;
    assert.deepEqual([row?.name, row?.ran, row?.lost, row?.evicted], ['default/web', 4, 0.25, 1]);
    const scheduled = report.answer.groups.find(({ kind }) => kind === 'scheduled')!;
    assert.deepEqual(
      scheduled.lines.map(({ name, details }) => `${name}: ${details[0]!}`),
      ['report: a at 02:00:05', 'web: a at once'],
    );
  });

  it('[#35] shows of many events first those that did not start', async () => {
    const forbidden = cronJob('* * * * *', { concurrencyPolicy: 'Forbid' });
    const others = Array.from({ length: 9 }, (_, at) => ({
      ...cronJob('0 2 * * *'),
      metadata: { name: `other-${at}` },
    }));
    const file = await write([node, ...others, forbidden], 'start: 2026-03-01T01:59:30Z\nuntil: 4m\nevents: []\n');
    const { stdout } = await podium(['simulate', '--scenario', file]);
    assert.equal(stdout.match(/cronjob\/default\/report is due/g)?.length, 3, stdout);
  });

  it('has a Job make its next pods as the first ones finish, until all completions are there', async () => {
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'batch' },
      spec: { completions: 5, parallelism: 2, template },
    };
    const report = await run([node, job], 'lasts: {job/batch: 1m}\nevents: []\n');
    assert.deepEqual(
      steps(report).filter((step) => step.endsWith('scheduled')),
      ['0 scheduled', '0 scheduled', '60 scheduled', '60 scheduled', '120 scheduled'],
    );
    assert.equal(new Set(report.pods.map(({ name }) => name)).size, 5);
    assert.equal(report.pods.filter(({ after }) => after.state === 'running').length, 0);
  });

  it('starts nothing that is suspended, and one run at the start where nobody says what time it is', async () => {
    const scenario = 'start: 2026-03-01T00:00:00Z\nuntil: 10m\nevents: []\n';
    const suspended = await run([node, cronJob('*/5 * * * *', { suspend: true })], scenario);
    assert.deepEqual([suspended.steps.length, suspended.events.length], [0, 0]);
    const timeless = await run([node, cronJob('*/5 * * * *')], 'events: []\n');
    assert.deepEqual(steps(timeless), ['0 scheduled']);
    assert.ok(timeless.assumptions.some(({ text }) => text === 'one run of report starts now'));
  });

  it('makes good at second 0 what a CronJob of the cluster has missed, by one run, unless its deadline is over', async () => {
    const scenario = 'start: 2026-03-01T12:10:00Z\nuntil: 10m\nevents: []\n';
    const hourly = (spec: object, stored: object): object => ({ ...cronJob('0 * * * *', spec), ...stored });
    const ran = { status: { lastScheduleTime: '2026-03-01T08:00:00Z' } };
    const late = await run([node, hourly({}, ran)], scenario);
    assert.deepEqual(steps(late), ['0 scheduled']);
    assert.equal(late.events[0]!.text, 'cronjob/default/report is due, 2026-03-01T12:00:00Z');
    assert.match(told(late)[0]!, /^0 the last time that it missed since 2026-03-01T08:00:00Z: one run catches up/);
    const made = { metadata: { name: 'report', creationTimestamp: '2026-03-01T11:30:00Z' } };
    assert.deepEqual(steps(await run([node, hourly({}, made)], scenario)), ['0 scheduled'], 'it never ran');
    const idle = [
      hourly({}, {}),
      hourly({}, { status: { lastScheduleTime: '2026-03-01T12:00:00Z' } }),
      hourly({ startingDeadlineSeconds: 300 }, ran),
      hourly({ suspend: true }, ran),
    ];
    for (const each of idle) assert.deepEqual(steps(await run([node, each], scenario)), [], JSON.stringify(each));
    assert.deepEqual(steps(await run([node, hourly({ startingDeadlineSeconds: 601 }, ran)], scenario)), [
      '0 scheduled',
    ]);
    // The manifest wins over the cluster, which knows when it last ran.
    await writeFile(join(folder, 'cluster.json'), JSON.stringify(hourly({}, ran)));
    const both = await run([node, hourly({}, {})], `cluster: {paths: [all.yaml], snapshot: cluster.json}\n${scenario}`);
    assert.deepEqual(steps(both), ['0 scheduled']);
    const never = { ...hourly({}, { status: { lastScheduleTime: '1970-01-01T00:00:00Z' } }) };
    const spec = { ...(never as { spec: object }).spec, schedule: '0 0 30 2 *' };
    assert.deepEqual(steps(await run([node, { ...never, spec }], scenario)), []);
  });

  it('counts what was missed as the controller does: it warns of more than a hundred, and may find none', async () => {
    const at = (start: string, schedule: string, last: string): Promise<Report> =>
      run(
        [node, { ...cronJob(schedule), status: { lastScheduleTime: last } }],
        `start: ${start}\nuntil: 1m\nevents: []\n`,
      );
    const warning = /TooManyMissedTimes: too many missed start times\. Set or decrease \.spec\.startingDeadlineSeconds/;
    const hundred = await at('2026-03-01T12:00:30Z', '* * * * *', '2026-03-01T10:20:00Z');
    assert.equal(hundred.events[0]!.text, 'cronjob/default/report is due, 2026-03-01T12:00:00Z');
    assert.doesNotMatch(told(hundred).join(), warning);
    const more = await at('2026-03-01T12:01:30Z', '* * * * *', '2026-03-01T10:20:00Z');
    assert.match(told(more)[0]!, warning);
    assert.equal(steps(more)[0], '0 scheduled');
    // Every four hours of a working day, missed since Friday: on Sunday the controller looks from Sunday on.
    const weekend = await at('2026-03-08T12:00:30Z', '30 6-16/4 * * 1-5', '2026-03-06T06:30:00Z');
    assert.deepEqual(steps(weekend), []);
    const friday = await at('2026-03-06T15:00:30Z', '30 6-16/4 * * 1-5', '2026-03-06T06:30:00Z');
    assert.equal(friday.events[0]!.text, 'cronjob/default/report is due, 2026-03-06T14:30:00Z');
  });

  it('says what it cannot understand, and where', async () => {
    const file = await write(
      [node],
      'start: 2026-03-01T25:00:00Z\nuntil: soon\nlasts: {deployment/web: 5m, job/x: long}\nevents: []\n',
    );
    const { code, stderr } = await podium(['simulate', '--scenario', file]);
    assert.equal(code, 2);
    assert.match(stderr, /clock\.podium\.yaml:1: start: '2026-03-01T25:00:00Z' is no time$/m);
    assert.match(stderr, /:2: until: 'soon' is no time up to 744h/);
    assert.match(stderr, /:3: lasts\.deployment\/web: 'deployment\/web' is not job\/NAMESPACE\/NAME/);
    assert.match(stderr, /:3: lasts\.job\/x: 'long' is no time/);
  });

  it('shows times of day in the zone of `start`, with the date after a day (#35)', async () => {
    const scenario = 'start: 2026-03-01T23:10:00+01:00\nuntil: 30h\nlasts: {cronjob/report: 90s}\nevents: []\n';
    const file = await write([node, cronJob('30 0 * * *', { timeZone: 'Europe/Berlin' })], scenario);
    for (const shown of ['--show=steps', '--format=markdown']) {
      const { stdout } = await podium(['simulate', '--scenario', file, shown]);
      for (const time of ['00:30', '00:31:30', '03-03 00:30', '03-03 00:31:30']) {
        assert.match(stdout, new RegExp(`^(?: *| *\\| )${time} `, 'm'), `${shown} ${time}\n${stdout}`);
      }
    }
  });

  it('counts `@every` of a CronJob that is only written down from second 0', async () => {
    const report = await run(
      [node, cronJob('@every 1h')],
      'start: 2026-03-01T22:00:00Z\nuntil: 3h\nlasts: {cronjob/report: 5m}\nevents: []\n',
    );
    assert.deepEqual(
      report.events.map(({ clock, text }) => `${clock} ${text}`),
      ['23:00', '00:00', '01:00'].map((time, hour) => {
        const day = hour === 0 ? '01' : '02';
        return `${(hour + 1) * 3600} cronjob/default/report is due, 2026-03-${day}T${time}:00Z`;
      }),
    );
  });

  it('says which CronJobs never start, and why', async () => {
    const assumed = async (object: object): Promise<string> => {
      const { assumptions } = await run([node, object], 'start: 2026-03-01T22:00:00Z\nuntil: 12h\nevents: []\n');
      return assumptions.map(({ text }) => text).join('\n');
    };
    assert.match(await assumed(cronJob('0 0 31 2 *')), /^no run of report \(0 0 31 2 \*\) is due until then$/m);
    assert.match(
      await assumed(cronJob('0 * * * *', { timeZone: 'Europe/Berln' })),
      /^no run of report, as the API server refuses it$/m,
    );
    assert.doesNotMatch(await assumed(cronJob('0 * * * *', { suspend: true })), /no run of/);
  });
});

import assert from 'node:assert/strict';
import type { CronJob } from '../../../server/src/kubernetes/objects.ts';
import { cronTimes } from '../../../server/src/simulation/cluster/cron-times.ts';

function times(schedule: string, from: string, until: string, timeZone?: string): readonly string[] {
  const cronJob = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'c' },
    spec: { schedule, jobTemplate: {}, ...(timeZone === undefined ? {} : { timeZone }) },
  } as CronJob;
  const next = cronTimes(cronJob, Date.parse(from));
  if (next === null) return ['none'];
  const found: string[] = [];
  const end = Date.parse(until);
  for (let time = next(Date.parse(from) - 1, end); time !== null; time = next(time, end)) {
    found.push(new Date(time).toISOString().slice(5, 16));
  }
  return found;
}

describe('a CronJob is due', () => {
  it('at the minutes that its fields name, both ends included', () => {
    assert.deepEqual(times('*/20 22-23 * * *', '2026-03-01T22:00:00Z', '2026-03-01T23:20:00Z'), [
      '03-01T22:00',
      '03-01T22:20',
      '03-01T22:40',
      '03-01T23:00',
      '03-01T23:20',
    ]);
  });

  it('on a day that either field names where neither is a star, and on one that both name where one is', () => {
    // 2026-03-01 is a Sunday.
    assert.deepEqual(times('0 0 13 * FRI', '2026-03-01T00:00:00Z', '2026-03-14T00:00:00Z'), [
      '03-06T00:00',
      '03-13T00:00',
    ]);
    assert.deepEqual(times('0 0 * * 1', '2026-03-01T00:00:00Z', '2026-03-10T00:00:00Z'), [
      '03-02T00:00',
      '03-09T00:00',
    ]);
    // A star with a step is no star: either day will do.
    assert.deepEqual(times('0 0 */10 * 1', '2026-03-01T00:00:00Z', '2026-03-11T00:00:00Z'), [
      '03-01T00:00',
      '03-02T00:00',
      '03-09T00:00',
      '03-11T00:00',
    ]);
  });

  it('by the names of schedules, and at even distances', () => {
    assert.deepEqual(times('@daily', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'), ['03-01T00:00', '03-02T00:00']);
    assert.deepEqual(times('@hourly', '2026-03-01T00:30:00Z', '2026-03-01T02:00:00Z'), ['03-01T01:00', '03-01T02:00']);
    assert.equal(times('@every 100us', '2026-03-01T00:00:00Z', '2026-03-01T00:00:05Z').length, 5);
    assert.deepEqual(times('@every 1h30m', '2026-03-01T00:00:00Z', '2026-03-01T03:10:00Z'), [
      '03-01T01:30',
      '03-01T03:00',
    ]);
  });

  it('by the clocks of its time zone, not in an hour that is left out, and twice in one that comes twice', () => {
    assert.deepEqual(times('30 2 * * *', '2026-03-28T00:00:00Z', '2026-03-31T00:00:00Z', 'Europe/Berlin'), [
      '03-28T01:30',
      '03-30T00:30',
    ]);
    assert.deepEqual(times('30 2 * * *', '2026-10-25T00:00:00Z', '2026-10-26T00:00:00Z', 'Europe/Berlin'), [
      '10-25T00:30',
      '10-25T01:30',
    ]);
    assert.deepEqual(times('0 9 * * *', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', 'Asia/Kolkata'), [
      '03-01T03:30',
    ]);
  });

  it('never, where schedule or zone cannot be read', () => {
    assert.deepEqual(times('61 * * * *', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'), ['none']);
    assert.deepEqual(times('0 * * * *', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', 'Mars/Olympus'), ['none']);
    assert.deepEqual(times('0 0 30 2 *', '2026-01-01T00:00:00Z', '2026-02-28T00:00:00Z'), []);
  });
});

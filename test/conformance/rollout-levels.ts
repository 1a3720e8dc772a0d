import type { JsonObject } from '../../server/src/kubernetes/json.ts';

/** What two accounts of a roll-out are compared by, from what a user sees to what only an imitation in steps can give. */
export const levels = [
  'outcome',
  'messages',
  'evicted',
  'failedCreate',
  'status',
  'peak',
  'first',
  'created',
  'scaling',
  'places',
] as const;
export type Level = (typeof levels)[number];

/** What an answer says at a level, as one text. */
export function atLevel(level: Level, answer: JsonObject): string {
  const final = (answer['final'] ?? {}) as JsonObject;
  const pods = (final['pods'] ?? []) as readonly JsonObject[];
  const events = (answer['events'] ?? []) as readonly JsonObject[];
  switch (level) {
    case 'outcome':
      return multiset(
        pods.map((pod) => [
          ...picked(pod, 'workload', 'revision', 'ordinal', 'phase', 'ready', 'reason'),
          pod['node'] !== undefined,
          pod['pendingReason'] ?? null,
        ]),
      );
    case 'messages':
      return set(
        pods.filter((pod) => pod['message'] !== undefined).map((pod) => picked(pod, 'workload', 'revision', 'message')),
      );
    case 'status': {
      const { workloads, budgets, quotas, claims } = final;
      return canonical([sorted(workloads), sorted(budgets), sorted(quotas), sorted(claims)]);
    }
    case 'evicted':
      return multiset(
        events
          .filter(({ what }) => what === 'preempted' || what === 'disruption')
          .map((event) => {
            const by = (event['for'] ?? {}) as JsonObject;
            return [...picked(event, 'workload', 'revision', 'reason'), ...picked(by, 'workload', 'revision')];
          }),
      );
    case 'failedCreate':
      return set(
        events
          .filter(({ what }) => typeof what === 'string' && what.startsWith('failed') && what !== 'failed')
          .map((event) => picked(event, 'what', 'workload', 'revision')),
      );
    case 'peak':
      return canonical(answer['peak']);
    case 'first':
      return canonical(Object.fromEntries([...scalings(events)].map(([who, sizes]) => [who, sizes[0]])));
    case 'created':
      return multiset(
        events
          .filter(({ what }) => what === 'created' || what === 'deleting')
          .map((event) => picked(event, 'workload', 'revision', 'ordinal', 'what')),
      );
    case 'scaling':
      return canonical(Object.fromEntries(scalings(events)));
    case 'places':
      return multiset(pods.map((pod) => picked(pod, 'workload', 'revision', 'ordinal', 'node', 'nominated')));
  }
}

function scalings(events: readonly JsonObject[]): ReadonlyMap<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const event of events) {
    if (event['what'] !== 'replicaset' && event['what'] !== 'scaled') continue;
    const who = canonical(picked(event, 'workload', 'revision'));
    found.set(who, [...(found.get(who) ?? []), event['to']]);
  }
  return found;
}

function picked(object: JsonObject, ...names: readonly string[]): unknown[] {
  return names.map((name) => object[name] ?? null);
}

function multiset(items: readonly unknown[]): string {
  return `[${items.map(canonical).sort().join(',\n')}]`;
}

function set(items: readonly unknown[]): string {
  return `[${[...new Set(items.map(canonical))].sort().join(',\n')}]`;
}

function sorted(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(canonical).sort() : [];
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

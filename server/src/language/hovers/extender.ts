import { addTo } from '../../util/maps.ts';
import { joined, say } from '../../util/say.ts';
import { valueAt } from '../../util/values.ts';
import { count } from '../../util/words.ts';
import type { Path } from '../../kubernetes/json.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import { derived } from '../index/derived.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import { code } from '../connection/markdown.ts';
import { isMadeByController } from '../index/priority-ranking.ts';
import { factLinks, some } from './links.ts';
import { type HoverPlace, paragraphs, points } from './place.ts';

/** As it is written: Podium asks none, so that nothing else reads it. */
interface WrittenExtender {
  readonly urlPrefix?: string;
  readonly filterVerb?: string;
  readonly prioritizeVerb?: string;
  readonly preemptVerb?: string;
  readonly bindVerb?: string;
  readonly weight?: number;
  readonly ignorable?: boolean;
  readonly managedResources?: readonly { readonly name?: string; readonly ignoredByScheduler?: boolean }[];
}

function readExtender(written: unknown): WrittenExtender {
  const text = (field: string, of: unknown = written): string => {
    const value = valueAt(of, [field]);
    return typeof value === 'string' ? value : '';
  };
  const weight = valueAt(written, ['weight']);
  return {
    urlPrefix: text('urlPrefix'),
    filterVerb: text('filterVerb'),
    prioritizeVerb: text('prioritizeVerb'),
    preemptVerb: text('preemptVerb'),
    bindVerb: text('bindVerb'),
    weight: typeof weight === 'number' ? weight : 0,
    ignorable: valueAt(written, ['ignorable']) === true,
    managedResources: listAt(written, 'managedResources').map((resource) => ({
      name: text('name', resource),
      ignoredByScheduler: valueAt(resource, ['ignoredByScheduler']) === true,
    })),
  };
}

function listAt(value: unknown, field: string): readonly unknown[] {
  const list = valueAt(value, [field]);
  return Array.isArray(list) ? list : [];
}

/** Extenders that a hover over their list tells of. */
const most = 4;

/** What an extender is asked for, or each of the list. */
export function extendersHover(index: Path[number] | undefined, { fact, facts }: HoverPlace): string | undefined {
  const extenders = listAt(fact.object, 'extenders').map(readExtender);
  const asked = typeof index === 'number' ? extenders.slice(index, index + 1) : extenders.slice(0, most);
  if (asked.length === 0) return undefined;
  const more = typeof index === 'number' ? 0 : extenders.length - asked.length;
  return paragraphs(
    ...asked.map((extender) => extenderText(extender, facts)),
    more > 0 ? say`… ${more} more` : '',
    say`Podium asks no extender: its answers for those pods may differ.`,
  );
}

/** What it is asked for, for whose pods, and what follows when it does not answer. Source: pkg/scheduler/extender.go */
function extenderText(extender: WrittenExtender, facts: Facts): string {
  const { urlPrefix = '', weight = 0, managedResources = [], ignorable = false } = extender;
  const isWritten = (verb: string | undefined): boolean => verb !== undefined && verb !== '';
  const asked: string[] = [];
  // Source: findNodesThatPassExtenders in pkg/scheduler/schedule_one.go
  if (isWritten(extender.filterVerb)) asked.push(say`which of the nodes that the plugins leave may be used`);
  // Source: prioritizeNodes in pkg/scheduler/schedule_one.go: of 10, times 100 / 10
  if (isWritten(extender.prioritizeVerb)) asked.push(say`for scores of nodes, up to ${100 * weight} points of the sum`);
  if (isWritten(extender.preemptVerb)) asked.push(say`which victims on which nodes it accepts`);
  if (isWritten(extender.bindVerb)) asked.push(say`to bind the pod, instead of the plugins`);
  const name = urlPrefix === '' ? say`**Extender**` : say`**Extender ${code(urlPrefix)}**`;
  const resources = managedResources.flatMap(({ name: resource = '' }) => (resource === '' ? [] : [resource]));
  const users = managedResources.length === 0 ? undefined : usersOf(resources, byResource(facts));
  const who =
    users === undefined
      ? say`For every pod of every profile.`
      : say`For pods that request ${some(resources, code)}: ${users.length === 0 ? say`nothing that is declared here does` : say`${count(users.length, 'workload')}, ${factLinks(users, facts)}`}.`;
  const uncounted = managedResources.flatMap(({ name: resource = '', ignoredByScheduler }) =>
    ignoredByScheduler === true && resource !== '' ? [resource] : [],
  );
  return paragraphs(
    asked.length === 0
      ? say`${name} is asked for nothing: it has no verb.`
      : say`${name} is asked ${joined(asked, '; ')}.`,
    points([
      who,
      ignorable
        ? say`When it does not answer, pods are placed without it.`
        : say`When it does not answer, those pods stay pending and are tried again.`,
      ...(uncounted.length === 0 ? [] : [say`The scheduler itself does not count ${some(uncounted, code)}.`]),
    ]),
  );
}

/** Workloads by what their containers request or limit, each once. Source: hasManagedResources in pkg/scheduler/extender.go */
const byResource = derived(workloadKinds, (...lists) => {
  const workloads = new Map<string, Fact[]>();
  for (const fact of lists.flat()) {
    if (fact.template === undefined || isMadeByController(fact)) continue;
    const { containers, initContainers = [] } = fact.template.spec;
    const names = [...containers, ...initContainers].flatMap(({ resources }) => [
      ...Object.keys(resources?.requests ?? {}),
      ...Object.keys(resources?.limits ?? {}),
    ]);
    for (const name of new Set(names)) {
      addTo(workloads, name, fact);
    }
  }
  return workloads;
});

function usersOf(resources: readonly string[], workloads: ReadonlyMap<string, readonly Fact[]>): readonly Fact[] {
  return [...new Set(resources.flatMap((resource) => workloads.get(resource) ?? []))];
}

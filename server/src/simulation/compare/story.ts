import type { Plan, PlanEffect, PlanLink } from '../../report-model/plan.ts';
import type { ComparedReport, ReportCause } from '../../report-model/report.ts';
import { type ShortNames, shortNames } from '../../report-model/short-names.ts';
import { joined, say } from '../../util/say.ts';
import { list, qualifiedName } from '../../util/words.ts';
import type { Pair } from './pairs.ts';

/** Of a longer way the middle is left out. */
const mostParts = 7;

interface StoryParts {
  readonly before: ComparedReport;
  readonly after: ComparedReport;
  readonly pairs: readonly Pair[];
  readonly causes: readonly ReportCause[];
  readonly chain: readonly PlanLink[];
  readonly effects: readonly PlanEffect[];
}

/**
 * The way from a cause to who is hurt by it, as one line: `class batch-standard 1000 → 150000 ⇒ nightly-report takes
 * general-a ⇒ checkout moves to general-b ⇒ evicts cart`. Of many ways it is that of a workload that loses by it, and the
 * longest. Null where nothing follows.
 */
export function storyOf(context: StoryParts): Plan['story'] {
  const { causes, chain, effects } = context;
  const links = new Map(chain.map((link) => [link.id, link]));
  const worse = new Set(effects.flatMap(({ change, workload }) => (change === 'worse' ? [workload] : [])));
  const wayTo = (link: PlanLink): readonly PlanLink[] => {
    const way = [link];
    for (let at = links.get(link.by[0] ?? ''); at !== undefined; at = links.get(at.by[0] ?? '')) way.unshift(at);
    return way;
  };
  // Who is evicted says more than who waits, and that more than who is placed.
  const weight = ({ kind, workloads }: PlanLink): number =>
    ['event', 'priority', 'scheduled', 'waits', 'evicts'].indexOf(kind) * 2 +
    Number(workloads.slice(kind === 'evicts' ? 1 : 0).some((workload) => worse.has(workload)));
  let best: readonly PlanLink[] = [];
  for (const link of chain) {
    const way = wayTo(link);
    const last = best.at(-1);
    const more = last === undefined ? 1 : weight(link) - weight(last);
    if (more > 0 || (more === 0 && way.length > best.length)) best = way;
  }
  const cause = causes.find(({ id }) => id === best[0]?.by[0]);
  if (best.length === 0) return null;
  const words = wordsFor(context);
  // That a priority is another one is said by what is done with it.
  const steps = best.filter(({ kind }, index) => kind !== 'priority' || index === best.length - 1);
  const parts: string[] = cause === undefined ? [] : [causeWords(cause)];
  let subject = '';
  for (const link of steps) {
    for (const { who, does } of words(link)) {
      parts.push(who === subject ? does : does === '' ? who : say`${who} ${does}`);
      subject = who;
    }
  }
  const shown = parts.length > mostParts ? [...parts.slice(0, 3), '…', ...parts.slice(4 - mostParts)] : parts;
  return {
    path: [...(cause === undefined ? [] : [cause.id]), ...best.map(({ id }) => id)],
    text: joined(shown, ' ⇒ '),
  };
}

function causeWords(cause: ReportCause): string {
  const slash = cause.object.indexOf('/');
  const [kind, name] = [cause.object.slice(0, slash), cause.object.slice(slash + 1)];
  const object = kind === 'PriorityClass' ? say`class ${name}` : name.slice(name.lastIndexOf('/') + 1);
  if (cause.field === '') return cause.new === null ? say`${object} (removed)` : say`${object} (new)`;
  const isValue = kind === 'PriorityClass' && cause.field === 'value';
  const [old, now] = [cause.old, cause.new].map((value) => (value === null ? '' : String(value)));
  return [object, isValue ? '' : cause.field, old, '→', now === '' ? '–' : now].filter((part) => part !== '').join(' ');
}

interface Clause {
  readonly who: string;
  readonly does: string;
}

/** What a link says, in the names of workloads. */
function wordsFor({ before, after, pairs }: StoryParts): (link: PlanLink) => readonly Clause[] {
  const names = shortNames(after);
  const pods = new Map(after.pods.map((pod, index) => [qualifiedName(pod), index]));
  const nodes = new Map(after.nodes.map(({ name }, index) => [name, index]));
  const earlier = new Map(pairs.flatMap(({ before: was, after: is }) => (is === null ? [] : [[is, was] as const])));
  const node = (name: string): string => names.node(nodes.get(name) ?? -1) || name;
  const wasOn = (pod: number): string | undefined => {
    const was = before.pods[earlier.get(pod) ?? -1];
    return was?.after.node == null ? undefined : before.nodes[was.after.node]?.name;
  };
  return (link) => {
    const pod = pods.get(link.pod) ?? -1;
    const who = workloadOr(after, names, pod, link.pod);
    const from = wasOn(pod);
    const moves = link.node !== '' && from !== undefined && from !== link.node;
    switch (link.kind) {
      case 'scheduled':
        return [{ who, does: moves ? say`moves to ${node(link.node)}` : say`takes ${node(link.node)}` }];
      case 'evicts': {
        const victims = list([
          ...new Set(link.victims.map((name) => workloadOr(after, names, pods.get(name) ?? -1, name))),
        ]);
        const evicts = { who, does: say`evicts ${victims}` };
        return moves ? [{ who, does: say`moves to ${node(link.node)}` }, evicts] : [evicts];
      }
      case 'waits':
        return [{ who, does: say`stays pending` }];
      case 'priority':
      case 'event':
        return [{ who: link.text, does: '' }];
    }
  };
}

function workloadOr({ pods }: ComparedReport, names: ShortNames, pod: number, name: string): string {
  const workload = pods[pod]?.workload;
  return workload == null ? names.pod(pod) || name : names.workload(workload);
}

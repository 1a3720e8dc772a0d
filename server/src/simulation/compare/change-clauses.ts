import { marked, markOf } from '../../report-model/assumed.ts';
import type { ComparedReport, PodChange, PodChangeKind, SentencePart, Tone } from '../../report-model/report.ts';
import { say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';

interface Differences {
  readonly pods: readonly PodChange[];
  readonly after: ComparedReport;
  readonly budgets: number;
}

/** What a change does, what is lost first. */
export function clausesOf({ after, pods, budgets }: Differences): readonly SentencePart[] {
  const mark = markOf(after.nodes);
  const told = (tone: Tone, kind: ToldKind, words: (amount: number) => string, isNamed = true): SentencePart[] => {
    const changes = pods.filter((change) => toldKind(after, change) === kind);
    return clause(tone, changes.length, words, isNamed && changes.length > 0 ? namesOf(after, changes) : '');
  };
  return [
    ...told('bad', 'evicted', (n) => say`evicts ${marked(mark, count(n, 'more pod'))}`),
    ...clause('bad', budgets, (n) => say`breaks ${marked(mark, count(n, 'more budget'))}`),
    ...told('warning', 'pending', (n) => say`leaves ${marked(mark, count(n, 'more pod'))} pending`),
    ...told('warning', 'gated', (n) => say`leaves ${count(n, 'more pod')} gated`),
    ...told('warning', 'rejected', (n) => say`leaves ${count(n, 'more pod')} refused`),
    ...told('plain', 'ended', (n) => say`ends ${marked(mark, count(n, 'pod'))}`),
    ...told('good', 'spared', (n) => say`saves ${marked(mark, count(n, 'pod'))} from eviction`),
    ...told('plain', 'kept', (n) => say`lets ${marked(mark, count(n, 'pod'))} run on`),
    ...clause('good', -budgets, (n) => say`breaks ${marked(mark, count(n, 'budget'))} fewer`),
    ...told('warning', 'unattached', (n) =>
      n === 1
        ? say`gives ${marked(mark, count(n, 'more pod'))} a node, where it does not start, as another node has its volume`
        : say`gives ${marked(mark, count(n, 'more pod'))} a node, where they do not start, as another node has their volume`,
    ),
    ...told('good', 'placed', (n) => say`finds a place for ${marked(mark, count(n, 'more pod'))}`),
    ...told('plain', 'moved', (n) => say`moves ${marked(mark, count(n, 'pod'))} to another node`, false),
    ...told('plain', 'added', (n) => say`finds a place for ${marked(mark, count(n, 'new pod'))}`, false),
    ...told('plain', 'removed', (n) => say`removes ${count(n, 'pod')}`, false),
  ];
}

type ToldKind = PodChangeKind | 'gated' | 'rejected' | 'unattached';

/** What a pod without a node waits for is told apart, and one that does not start on the node that it has. */
function toldKind(after: ComparedReport, { kind, pod }: PodChange): ToldKind {
  const { after: { state } = {}, unattached } = after.pods[pod ?? -1] ?? {};
  if (unattached === 'elsewhere' && (kind === 'placed' || kind === 'added')) return 'unattached';
  return kind === 'pending' && (state === 'gated' || state === 'rejected') ? state : kind;
}

/** Of the workloads whose pods these are, each with how many, where they are not one each. */
function namesOf(report: ComparedReport, changes: readonly PodChange[]): string {
  const names = changes.map((each) => workloadOf(report, each));
  const own = [...new Set(names)];
  return own.length > 1 && own.length === names.length ? say`, one each of ${list(own)}` : say` (${list(own)})`;
}

/** The name of its workload; of a pod that is gone, its own. */
export function workloadOf({ pods, workloads }: ComparedReport, { pod, name }: PodChange): string {
  return workloads[pods[pod ?? -1]?.workload ?? -1]?.name ?? name;
}

/** `evicts 2 more pods, one each of cart and web`; nothing of none. */
function clause(tone: Tone, amount: number, describe: (amount: number) => string, names = ''): SentencePart[] {
  return amount <= 0 ? [] : [{ tone, text: say`${describe(amount)}${names}` }];
}

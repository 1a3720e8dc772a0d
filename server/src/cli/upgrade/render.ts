import { groupBy } from '../../util/maps.ts';
import { isCompared } from '../../util/minors.ts';
import { count, list } from '../../util/words.ts';
import type { Origin } from '../../kubernetes/objects.ts';
import type {
  FieldChange,
  FieldState,
  KindChange,
  ObjectName,
  PodUpgrade,
  PodUpgradeKind,
  RefusalChange,
  Serving,
  UpgradeReport,
} from '../../simulation/upgrade/upgrade-report.ts';
import type { AnswerPart, CommandAnswer, PartLine } from '../answer/answer.ts';

/** Lists longer than this are told in numbers. */
const longest = 20;

/** Whether something that is accepted or runs is refused, evicted or left pending by the other minor. */
export function losesSomething({ kinds, fields, refusals, pods }: UpgradeReport): boolean {
  return (
    kinds.some(({ after }) => after === 'never') ||
    fields.some(({ after }) => after === 'unknown') ||
    refusals.some(({ change }) => change === 'comes') ||
    pods.some(({ change }) => change === 'refused' || change === 'evicted' || change === 'pending')
  );
}

/** @param placeOf Where something is written, as a file and a line. */
export function upgradeAnswer(report: UpgradeReport, placeOf: (origin: Origin) => string): CommandAnswer {
  const { kinds, fields, refusals, pods } = report;
  const differs = kinds.length + fields.length + refusals.length + pods.length > 0;
  return {
    verdict: verdictOf(report),
    tone: losesSomething(report) ? 'bad' : differs ? 'warning' : 'good',
    parts: [
      ...part('Kinds', kinds.map(kindLine)),
      ...part(
        'Refused from then on',
        refusals.filter(({ change }) => change === 'comes').map((each) => refusalLine(each, placeOf)),
      ),
      ...part(
        'No longer refused',
        refusals.filter(({ change }) => change === 'ends').map((each) => refusalLine(each, placeOf)),
      ),
      ...part(
        'Fields',
        fields.map((each) => fieldLine(each, placeOf)),
      ),
      ...part('Decisions of the scheduler', decisionLines(report)),
      ...part(
        'Coming',
        report.coming.map(({ minor, text, objects }) => `in ${minor}: ${text}: ${list(objects)}`),
      ),
      ...part('Not compared', standingLines(report)),
    ],
  };
}

function part(title: string, lines: readonly (string | PartLine)[]): readonly AnswerPart[] {
  if (lines.length === 0) return [];
  const rest = lines.length - longest;
  return [{ title, lines: rest > 0 ? [...lines.slice(0, longest), `and ${count(rest, 'more', 'more')}`] : lines }];
}

function verdictOf(report: UpgradeReport): string {
  const { from, to, objects, kinds, fields, refusals, pods, onOtherAssumedNodes, tellsOfPreemption } = report;
  const of = (change: PodUpgradeKind): number => pods.filter((each) => each.change === change).length;
  const describe = (amount: number, words: string): readonly string[] => (amount === 0 ? [] : [words]);
  const gone = kinds.filter(({ after }) => after === 'never').length;
  const come = refusals.filter(({ change }) => change === 'comes').length;
  const parts = [
    ...describe(gone, `${count(gone, 'kind is', 'kinds are')} no longer served`),
    ...describe(come, count(come, 'refusal comes', 'refusals come')),
    ...describe(of('refused'), `${count(of('refused'), 'pod is', 'pods are')} refused`),
    ...describe(of('evicted'), `${count(of('evicted'), 'pod is', 'pods are')} evicted`),
    ...describe(of('pending'), `${count(of('pending'), 'pod stays', 'pods stay')} pending`),
    ...describe(of('moved'), `${count(of('moved'), 'pod goes', 'pods go')} to another node`),
    ...describe(of('placed'), `${count(of('placed'), 'pending pod')} would run`),
    ...describe(of('spared'), `${count(of('spared'), 'pod is', 'pods are')} not evicted any more`),
    ...describe(of('accepted'), `${count(of('accepted'), 'pod is', 'pods are')} not refused any more`),
    ...describe(refusals.length - come, count(refusals.length - come, 'refusal ends', 'refusals end')),
    ...describe(fields.length, `${count(fields.length, 'field is', 'fields are')} read otherwise`),
    ...describe(kinds.length - gone, `${count(kinds.length - gone, 'kind is', 'kinds are')} served otherwise`),
    ...describe(
      onOtherAssumedNodes,
      `${count(onOtherAssumedNodes, 'pod goes', 'pods go')} to another of the assumed nodes`,
    ),
    ...describe(Number(tellsOfPreemption), 'a message of the scheduler changes'),
  ];
  if (parts.length === 0) {
    return `From ${from} to ${to} nothing changes for ${count(objects, 'object')}: no kind, field, refusal or decision differs.`;
  }
  return `From ${from} to ${to}: ${list(parts, 12)}.`;
}

const servings: Readonly<Record<`${Serving} ${Serving}`, string>> = {
  'served never': 'no longer served',
  'served on demand': 'served only where its feature gate and its version are switched on',
  'never served': 'served',
  'never on demand': 'served where the feature gate GenericWorkload and its version are switched on',
  'on demand never': 'no longer served, even where it was switched on,',
  'on demand served': 'served by default',
  'served served': '',
  'never never': '',
  'on demand on demand': '',
};

function kindLine({ apiVersion, kind, before, after, since, objects }: KindChange): PartLine {
  const text = `${apiVersion} ${kind}: ${servings[`${before} ${after}`]} since ${since} (${list(objects)})`;
  const isLost = before === 'on demand' && after === 'never';
  return { text: isLost ? `${text}: delete them before the upgrade` : text, tone: after === 'never' ? 'bad' : 'plain' };
}

function refusalLine(
  { object, change, since, text, origin }: RefusalChange,
  placeOf: (origin: Origin) => string,
): PartLine {
  const when = change === 'comes' ? `refused since ${since}` : `accepted since ${since}`;
  return {
    text: `${nameOf(object)}${at(origin, placeOf)}: ${text} (${when})`,
    tone: change === 'comes' ? 'bad' : 'good',
  };
}

function fieldLine(change: FieldChange, placeOf: (origin: Origin) => string): PartLine {
  const { object, path, before, after, since, gate, origin } = change;
  const text = `${nameOf(object)}${at(origin, placeOf)}: ${path} is ${stateText(after, gate)} since ${since}; before it was ${stateText(before, gate)}`;
  return { text, tone: after === 'unknown' ? 'bad' : 'plain' };
}

function stateText(state: FieldState, gate: string): string {
  if (state === 'used') return 'used';
  if (state === 'unknown') return 'unknown, which kubectl refuses';
  return `dropped without a message, as the feature gate ${gate} is off`;
}

/** Decisions: first why, then for whom. */
function decisionLines(report: UpgradeReport): readonly (string | PartLine)[] {
  const { pods, causes, onOtherAssumedNodes, tellsOfPreemption, from, to } = report;
  const assumed =
    onOtherAssumedNodes === 0
      ? []
      : [
          `${count(onOtherAssumedNodes, 'pod goes', 'pods go')} to another of the assumed nodes, which says nothing of a cluster: add its nodes, or a --snapshot`,
        ];
  const known = causes.map(({ since, text, pod }) => `since ${since} ${text}; first for pod ${pod}`);
  const unknown =
    pods.length > 0 && causes.length === 0 && pods.some(({ change }) => change !== 'refused' && change !== 'accepted')
      ? [`the first decision that differs is not explained by one change between ${from} and ${to}`]
      : [];
  const follow =
    causes.length > 0 && pods.length > 1 ? ['pods behind the first may differ because it runs elsewhere'] : [];
  const message = tellsOfPreemption
    ? [
        'pods that preempt others say where: "preemption: found a potential placement for pod on node …, preempting … victims" (since 1.37)',
      ]
    : [];
  return [...known, ...unknown, ...groupLines(pods), ...follow, ...assumed, ...message];
}

const words: Readonly<Record<PodUpgradeKind, string>> = {
  refused: 'refused by the API server',
  evicted: 'evicted',
  pending: 'pending',
  moved: 'elsewhere',
  placed: 'running',
  spared: 'not evicted',
  accepted: 'no longer refused',
};

const lost: ReadonlySet<PodUpgradeKind> = new Set(['refused', 'evicted', 'pending']);

/** One line for the pods of a workload that fare alike. */
function groupLines(pods: readonly PodUpgrade[]): readonly PartLine[] {
  const groups = groupBy(pods, (each) => `${each.of} ${each.change}`);
  return [...groups.values()].map((group): PartLine => {
    const [first] = group;
    const { of, change, message } = first;
    const ways = [...new Set(group.map(wayOf))];
    const amount = group.length === 1 ? of : `${count(group.length, 'pod')} of ${of}`;
    const why = message === '' ? '' : `: ${message}`;
    const tone = lost.has(change) ? 'bad' : change === 'moved' ? 'plain' : 'good';
    return { text: `${amount}: ${words[change]}, ${list(ways)}${why}`, tone };
  });
}

function wayOf({ before, after }: PodUpgrade): string {
  if (before !== null && after !== null) return before === after ? `on ${after}` : `${before} → ${after}`;
  if (after !== null) return `on ${after}`;
  return before === null ? 'on no node' : `so far on ${before}`;
}

function standingLines({ from, to }: UpgradeReport): readonly string[] {
  return [from, to]
    .filter((minor) => !isCompared(minor))
    .map((minor) => `${minor} is answered as published; not yet compared with a running scheduler`);
}

function nameOf({ kind, namespace, name }: ObjectName): string {
  return [kind, namespace, name].filter((part) => part !== '').join('/');
}

function at(origin: Origin | undefined, placeOf: (origin: Origin) => string): string {
  return origin === undefined ? '' : ` (${placeOf(origin)})`;
}

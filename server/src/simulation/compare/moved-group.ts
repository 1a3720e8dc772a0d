import { markOf } from '../../report-model/assumed.ts';
import type { AnswerGroup, AnswerLine } from '../../report-model/answer.ts';
import type { ComparedReport } from '../../report-model/report.ts';
import { type ShortNames, shortNames } from '../../report-model/short-names.ts';
import { say } from '../../util/say.ts';
import { list, outOf } from '../../util/words.ts';
import { group } from '../report/answer/build-answer.ts';
import type { Pair } from './pairs.ts';

/** More ways of one workload are counted. */
const mostWays = 3;

interface Move {
  readonly pod: number;
  readonly from: string;
  readonly to: string;
}

/** Pods that run in both runs, on another node in the second, a line per workload; undefined where none does. */
export function movedGroup(
  before: ComparedReport,
  after: ComparedReport,
  pairs: readonly Pair[],
): AnswerGroup | undefined {
  const names = shortNames(after);
  const own = new Map(after.nodes.map(({ name }, index) => [name, names.node(index)]));
  const called = (name: string): string => own.get(name) ?? name;
  const moves = new Map<string, Move[]>();
  for (const { before: was, after: is } of pairs) {
    const [from, to] = [runsOn(before, was), runsOn(after, is)];
    if (is === null || from === undefined || to === undefined || from === to) continue;
    const { workload } = after.pods[is]!;
    const key = workload === null ? `pod ${is}` : `workload ${workload}`;
    moves.set(key, [...(moves.get(key) ?? []), { pod: is, from: called(from), to: called(to) }]);
  }
  const lines = [...moves.values()].map((each) => lineOf(after, names, each));
  return lines.length === 0
    ? undefined
    : group(
        'moved',
        lines,
        lines.reduce((sum, { pods }) => sum + pods.length, 0),
      );
}

function runsOn({ pods, nodes }: ComparedReport, pod: number | null): string | undefined {
  const place = pod === null ? undefined : pods[pod]?.after;
  return place?.state === 'running' && place.node !== null ? nodes[place.node]?.name : undefined;
}

function lineOf({ nodes, pods, workloads }: ComparedReport, names: ShortNames, moves: readonly Move[]): AnswerLine {
  const [first] = moves as readonly [Move];
  const { workload } = pods[first.pod]!;
  const replicas = workloads[workload ?? -1]?.replicas ?? 1;
  const ways = moves.map(({ from, to }) => say`${to} instead of ${from}`);
  return {
    sign: '=',
    name: workload === null ? names.pod(first.pod) : names.workload(workload),
    count: `${markOf(nodes)}${outOf(moves.length, Math.max(replicas, moves.length))}`,
    marks: [],
    details: [list([...new Set(ways)], mostWays + 1)],
    then: '',
    workloads: workload === null ? [] : [workload],
    pods: moves.map(({ pod }) => pod),
  };
}

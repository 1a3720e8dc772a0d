import { applyLimitRanges, limitRangeProblems } from '../../admission/request/limit-ranger.ts';
import { getOrInsert } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { defaultPod } from '../../kubernetes/defaults/index.ts';
import type { Container, LimitRange } from '../../kubernetes/objects.ts';
import type { Fact } from '../index/fact.ts';
import { code } from '../connection/markdown.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { podAsWritten } from '../rules/support/made-pods.ts';
import { workloadsIn } from '../index/selection.ts';
import { factLinks, some } from './links.ts';
import { type HoverPlace, isHeading, paragraphs, points } from './place.ts';

/** Which defaults a range of limits writes and into whom, and whom it refuses. */
export function limitRangeHover({ fact, path, facts }: HoverPlace): string | undefined {
  if (!isHeading(path) && path[0] !== 'spec') return undefined;
  const range = fact.object as LimitRange;
  const coming = workloadsIn(facts, fact.namespace).filter((each) => each.template !== undefined && !isStoredPod(each));
  const judged = coming.map((workload) => judge(workload, range));
  const written = judged.filter(({ writes }) => writes);
  const refused = judged.filter(({ problem }) => problem !== undefined);
  const defaults = defaultsOf(range);
  return paragraphs(
    say`**LimitRange ${code(fact.name)}** of namespace ${code(fact.namespace)}`,
    points([
      defaults.length === 0
        ? say`It writes no defaults`
        : say`It writes into containers that do not say: ${some(defaults, (text) => text, 6)}`,
      written.length === 0
        ? say`Every workload that is declared here says all of that itself`
        : say`So it changes the pods of ${count(written.length, 'workload')}: ${factLinks(
            written.map(({ workload }) => workload),
            facts,
          )}`,
      ...(refused.length === 0
        ? []
        : [
            say`It refuses the pods of ${count(refused.length, 'workload')}: ${some(refused, ({ workload, problem = '' }) => say`${factLinks([workload], facts)} (${code(problem)})`)}`,
          ]),
    ]),
    say`It counts when a pod is created; what runs already is left alone.`,
  );
}

/** The requests and limits that a container without any gets. */
function defaultsOf(range: LimitRange): string[] {
  const bare: Container = { name: '', image: '' };
  const made = applyLimitRanges(
    {
      metadata: { ...(range.metadata?.namespace === undefined ? {} : { namespace: range.metadata.namespace }) },
      spec: { containers: [bare] },
    },
    [range],
  );
  const { requests = {}, limits = {} } = made.spec?.containers[0]?.resources ?? {};
  return [
    ...Object.entries(requests).map(([name, amount]) => say`${code(`requests.${name}`)} ${code(amount)}`),
    ...Object.entries(limits).map(([name, amount]) => say`${code(`limits.${name}`)} ${code(amount)}`),
  ];
}

interface Judged {
  readonly workload: Fact;
  /** Whether it fills anything in. */
  readonly writes: boolean;
  readonly problem: string | undefined;
}

/** Of each range, as an edit leaves most workloads as they are. */
const judgments = new WeakMap<LimitRange, WeakMap<Fact, Judged>>();

function judge(workload: Fact, range: LimitRange): Judged {
  const known = getOrInsert(judgments, range, () => new WeakMap());
  return getOrInsert(known, workload, () => judgedBy(workload, range));
}

function judgedBy(workload: Fact, range: LimitRange): Judged {
  const pod = defaultPod(podAsWritten(workload));
  const made = applyLimitRanges(pod, [range]);
  const amounts = (each: Container): number =>
    Object.keys(each.resources?.requests ?? {}).length + Object.keys(each.resources?.limits ?? {}).length;
  const sum = (containers: readonly Container[] = []): number =>
    containers.reduce((all, each) => all + amounts(each), 0);
  const [before, after] = [pod, made].map(({ spec }) => sum(spec?.containers) + sum(spec?.initContainers));
  return { workload, writes: before !== after, problem: limitRangeProblems(defaultPod(made), [range])[0] };
}

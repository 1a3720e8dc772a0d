import * as z from 'zod/mini';
import { minors } from '../../util/minors.ts';
import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { isList, isObject } from '../../util/values.ts';
import type { Json } from '../../kubernetes/json.ts';
import { type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import { assumedNodesOf } from '../cluster/assumed-nodes.ts';
import type { Calendar } from '../cluster/input.ts';
import { expectationForm, parseQuestion, type Question, questionForms } from './question.ts';
import type { ScenarioEvent } from '../operations/operation.ts';
import { formProblems, type ScenarioProblem } from './scenario-problems.ts';
import { operationForms, parseEvent, parseSeconds, parseTarget } from '../operations/parse-operation.ts';

const clusterShape = z.strictObject({
  paths: z.optional(
    z.array(z.string()).check(
      z.meta({
        description: 'Files and folders with manifests, relative to this file. Default: its folder.',
      }),
    ),
  ),
  snapshot: z.optional(
    z
      .string()
      .check(z.meta({ description: 'The output of kubectl get nodes,pods,… -A -o yaml, relative to this file.' })),
  ),
  assumeNodes: z.optional(
    z.string().check(
      z.meta({
        description: 'COUNT[:CPU[:MEMORY[:PODS]]][,KEY=VALUE][+COUNT…]: the nodes to assume when nothing names any.',
      }),
    ),
  ),
  kubernetes: z.optional(z.enum(['auto', ...minors]).check(z.meta({ description: 'The version that is imitated.' }))),
  autoscaled: z.optional(
    z
      .enum(['minimum', 'maximum', 'present'])
      .check(z.meta({ description: 'The size of workloads that a HorizontalPodAutoscaler scales.' })),
  ),
});

/** More events are refused: each costs a look at the whole cluster. */
const mostEvents = 10_000;

/** Of these each may cost a thousand decisions. */
const mostQuestions = 100;

/** A scenario as it is written in a file `*.podium.yaml`. */
const shape = z
  .strictObject({
    title: z.optional(z.string().check(z.meta({ description: 'What the scenario is about, in a line.' }))),
    cluster: z.optional(clusterShape.check(z.meta({ description: 'What there is at the start.' }))),
    workload: z.optional(
      z
        .string()
        .check(
          z.meta({ description: 'KIND/NAMESPACE/NAME of the one workload that arrives. Default: every pending pod.' }),
        ),
    ),
    questions: z.optional(
      z
        .array(
          z.string().check(
            z.meta({
              description: `What is asked of the end, and what is expected of the answer, if anything: 'pending deployment/shop/cart = 0'.\n\n${Object.values(questionForms).join('\n')}\n\nBehind each: ${expectationForm}; behind drained: = yes | = no`,
              examples: Object.values(questionForms),
            }),
          ),
        )
        .check(
          z.maxLength(mostQuestions, { error: () => say`a scenario has at most ${mostQuestions} questions` }),
          z.meta({ description: 'What the answer answers besides, in order.' }),
        ),
    ),
    start: z.optional(
      z.string().check(
        z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/),
        z.meta({
          description: 'The time of day at second 0, as 2026-03-01T22:00:00Z: CronJobs then start at their times.',
        }),
      ),
    ),
    until: z.optional(
      z
        .string()
        .check(z.meta({ description: 'How long CronJobs start, from second 0: 90m. Default: 24h, at most 744h.' })),
    ),
    lasts: z.optional(
      z.record(z.string(), z.string()).check(
        z.meta({
          description:
            'How long the pods of Jobs and CronJobs run, as `cronjob/shop/report: 20m`. Others run until a finish.',
        }),
      ),
    ),
    readyAfter: z.optional(
      z.string().check(
        z.meta({
          description:
            'How long new pods of a roll-out run before they are ready: 30s. Default: the delay of their readiness probe.',
        }),
      ),
    ),
    events: z
      .array(
        z.string().check(
          z.meta({
            description: `An operation, and when it happens: 'drain node/a at 60s'. Without a time: once everything before it has settled.\n\n${Object.values(operationForms).join('\n')}`,
            examples: Object.values(operationForms).map((form) => `${form.split(/[,|]| \[/)[0]!.trim()} at 60s`),
          }),
        ),
      )
      .check(
        z.maxLength(mostEvents, { error: () => say`a scenario has at most ${mostEvents} events` }),
        z.meta({ description: 'What happens, in order.' }),
      ),
  })
  .check(z.meta({ title: 'Scenario for Podium', description: 'Events with times, in a cluster.' }));

export type ScenarioCluster = NonNullable<z.infer<typeof shape>['cluster']>;

export interface ScenarioFile {
  readonly title?: string | undefined;
  readonly cluster: ScenarioCluster;
  readonly workload?: string | undefined;
  /** Undefined where the file says nothing of time. */
  readonly calendar?: Calendar | undefined;
  /** In seconds. */
  readonly readyAfter?: number | undefined;
  readonly events: readonly ScenarioEvent[];
  readonly questions: readonly Question[];
}

/** The keys of a file, and of its cluster. */
export const scenarioKeys = {
  top: Object.keys(shape.def.shape),
  cluster: Object.keys(clusterShape.def.shape),
} as const;

/** The schema of a file, as it is shipped. */
export function scenarioSchema(): object {
  return z.toJSONSchema(shape, { target: 'draft-7' });
}

/** Reads what a file says. Without a scenario there is at least one problem. */
export function readScenario(value: Json): {
  readonly scenario: ScenarioFile | null;
  readonly problems: readonly ScenarioProblem[];
} {
  if (!isObject(value)) {
    const message =
      value === null
        ? say`the file is empty; a scenario has \`events\`, and may have a \`cluster\``
        : say`a scenario is a mapping with \`events\`, and may have a \`cluster\``;
    return { scenario: null, problems: [{ path: [], message }] };
  }
  const read = shape.safeParse(value);
  const problems: ScenarioProblem[] = read.success ? [] : [...formProblems(value, read.error.issues, scenarioKeys)];
  const texts = (key: 'events' | 'questions', atMost: number): readonly (readonly [number, string])[] => {
    const list = value[key];
    if (!isList(list) || list.length > atMost) return [];
    return list.flatMap((text, index) => (typeof text === 'string' ? [[index, text] as const] : []));
  };
  const events: ScenarioEvent[] = [];
  for (const [index, text] of texts('events', mostEvents)) {
    const event = parseEvent(text);
    if ('problem' in event) problems.push({ path: ['events', index], message: event.problem });
    else events.push(event);
  }
  const questions: Question[] = [];
  for (const [index, text] of texts('questions', mostQuestions)) {
    const question = parseQuestion(text);
    if ('problem' in question) problems.push({ path: ['questions', index], message: question.problem });
    else questions.push(question);
  }
  if (!read.success) return { scenario: null, problems: shownProblems(problems) };
  const { title, cluster = {}, workload, readyAfter } = read.data;
  const assumed = cluster.assumeNodes === undefined ? null : assumedNodesOf(cluster.assumeNodes);
  if (typeof assumed === 'string') problems.push({ path: ['cluster', 'assumeNodes'], message: assumed });
  if (workload !== undefined && !/^[^/]+\/[^/]+\/[^/]+$/.test(workload)) {
    problems.push({ path: ['workload'], message: say`'${workload}' is not KIND/NAMESPACE/NAME` });
  }
  const calendar = readCalendar(read.data, problems);
  const ready = readyAfter === undefined ? undefined : parseSeconds(readyAfter);
  if (ready === null) {
    problems.push({ path: ['readyAfter'], message: say`'${readyAfter!}' is no time; write 60s, 5m or 1h` });
  }
  const scenario = { title, cluster, workload, calendar, readyAfter: ready ?? undefined, events, questions };
  return { scenario: problems.length > 0 ? null : scenario, problems: shownProblems(problems) };
}

/** More problems of one file are counted. */
const mostProblems = 20;

function shownProblems(problems: readonly ScenarioProblem[]): readonly ScenarioProblem[] {
  const next = problems[mostProblems];
  if (next === undefined) return problems;
  const more = problems.length - mostProblems;
  return [
    ...problems.slice(0, mostProblems),
    { path: next.path, message: say`and ${count(more, 'more problem')} of this file` },
  ];
}

const dayInSeconds = 24 * 60 * 60;
/** A month. */
const mostSeconds = 31 * dayInSeconds;

function readCalendar(
  { start, until, lasts }: Pick<z.infer<typeof shape>, 'start' | 'until' | 'lasts'>,
  problems: ScenarioProblem[],
): Calendar | undefined {
  if (start === undefined && until === undefined && lasts === undefined) return undefined;
  const from = start === undefined ? null : Date.parse(start);
  if (Number.isNaN(from)) problems.push({ path: ['start'], message: say`'${start!}' is no time` });
  if (until !== undefined && from === null) {
    problems.push({ path: ['until'], message: say`without \`start\`, no CronJob starts` });
  }
  const end = until === undefined ? dayInSeconds : parseSeconds(until);
  if (end === null || end > mostSeconds) {
    problems.push({ path: ['until'], message: say`'${until!}' is no time up to 744h; write 90m, 24h or 168h` });
  }
  const byWorkload = new Map<WorkloadKey, number>();
  for (const [name, text] of Object.entries(lasts ?? {})) {
    const target = parseTarget(name);
    const seconds = parseSeconds(text);
    if (target?.kind === 'Job' || target?.kind === 'CronJob') {
      byWorkload.set(workloadKey(target.kind, target.namespace, target.name), seconds ?? 0);
    } else {
      problems.push({
        path: ['lasts', name],
        message: say`'${name}' is not job/NAMESPACE/NAME or cronjob/NAMESPACE/NAME`,
      });
    }
    if (seconds === null) {
      problems.push({ path: ['lasts', name], message: say`'${text}' is no time; write 60s, 5m or 1h` });
    }
  }
  const clockStart = from === null ? {} : { clockStart: from + aheadOfUtc(start) };
  return { start: from, ...clockStart, until: end ?? 0, lasts: byWorkload };
}

/** By how many milliseconds the zone of an ISO 8601 time is ahead: `+01:00`, `-0330`, `Z`. */
function aheadOfUtc(time = ''): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(time) ?? [];
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -ahead : ahead;
}

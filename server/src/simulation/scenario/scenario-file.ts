import * as z from 'zod/mini';
import { minors } from '../../kit/minors.ts';
import type { Json, Path } from '../../kubernetes/json.ts';
import type { ScenarioEvent } from './operation.ts';
import { operationForms, parseEvent } from './parse-operation.ts';

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
    z
      .string()
      .check(z.meta({ description: 'COUNT[:CPU[:MEMORY[:PODS]]]: the nodes to assume when nothing names any.' })),
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
        z.maxLength(mostEvents, `A scenario has at most ${mostEvents} events.`),
        z.meta({ description: 'What happens, in order.' }),
      ),
  })
  .check(z.meta({ title: 'Scenario for Podium', description: 'Events with times, in a cluster.' }));

export type ScenarioCluster = NonNullable<z.infer<typeof shape>['cluster']>;

export interface ScenarioFile {
  readonly title?: string | undefined;
  readonly cluster: ScenarioCluster;
  readonly workload?: string | undefined;
  readonly events: readonly ScenarioEvent[];
}

export interface ScenarioProblem {
  readonly path: Path;
  readonly message: string;
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
  const read = shape.safeParse(value);
  if (!read.success) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return {
        scenario: null,
        problems: [{ path: [], message: 'A scenario has `events`, and may have a `cluster`.' }],
      };
    }
    const problems = read.error.issues.map((issue): ScenarioProblem => {
      const path = issue.path.filter((part) => typeof part !== 'symbol');
      const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
      return { path: unknown === undefined ? path : [...path, unknown], message: issue.message };
    });
    return { scenario: null, problems };
  }
  const { title, cluster = {}, workload } = read.data;
  const events: ScenarioEvent[] = [];
  const problems: ScenarioProblem[] = [];
  for (const [index, text] of read.data.events.entries()) {
    const event = parseEvent(text);
    if ('problem' in event) problems.push({ path: ['events', index], message: event.problem });
    else events.push(event);
  }
  return { scenario: problems.length > 0 ? null : { title, cluster, workload, events }, problems };
}

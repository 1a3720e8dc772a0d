import { RE2JS } from 're2js';
import { own } from '../../util/own.ts';
import type { Node, Pod, DaemonSet } from '../../kubernetes/objects.ts';
import { keyOf, nameOf } from '../../kubernetes/names.ts';
import { defaultOptions, type Priorities, type ScaleUpInput } from '../../autoscaling/cluster-autoscaler/groups.ts';
import {
  type PodOutcome,
  reasonsText,
  scaleUp,
  type ScaleUpResult,
} from '../../autoscaling/cluster-autoscaler/scale-up.ts';
import type { ScaleUp } from '../../autoscaling/cluster-autoscaler/balance.ts';
import { decodeObject } from '../../kubernetes/decode/index.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { objectAt, objectsAt, textAt, textsAt } from './case-input.ts';
import { readPriorities } from '../../language/session/expander-priorities.ts';

/** Mode `cluster-autoscaler`: what one loop decides about scaling up. */
export function decideClusterAutoscaler(input: JsonObject): JsonObject {
  const result = scaleUp(readCase(input));
  const pods = [...result.pods]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, outcome]) => [key, printPod(outcome)] as const);
  const events = eventsOf(result);
  return {
    answer: {
      result: result.result,
      pods: Object.fromEntries(pods),
      options: result.options.map(({ group, nodes, pods: packed, similar }) => ({
        group: group.id,
        nodes,
        pods: packed.map(keyOf).sort(),
        ...(similar.length === 0 ? {} : { similar: similar.map(({ id }) => id) }),
      })),
      ...(result.best === undefined ? {} : { best: result.best.group.id }),
      ...(result.scaleUps.length === 0 ? {} : { scaleUps: result.scaleUps.map(scaleUpText).sort() }),
      ...(events.length === 0 ? {} : { events: [...events].sort() }),
    },
  };
}

function readCase(input: JsonObject): ScaleUpInput {
  const objects = objectsAt(input, 'objects').map((value) => decodeObject(value).object);
  const nodes = objects.filter((object): object is Node => object.kind === 'Node');
  const groupOf = new Map(
    nodes.flatMap((node) => {
      const group = node.metadata?.annotations?.['test/group'];
      return group === undefined ? [] : [[nameOf(node), group] as const];
    }),
  );
  const options = objectAt(input, 'options') ?? {};
  const number = (name: string, otherwise: number): number => {
    const value = own(options, name);
    return typeof value === 'number' ? value : otherwise;
  };
  const cores = number('coresTotalMax', 0);
  const memory = number('memoryTotalMaxGiB', 0);
  const priorities: Priorities | undefined = readPriorities(textAt(options, 'priorities'), (expression) =>
    RE2JS.compile(expression),
  );
  const expanders = textsAt(options, 'expander');
  return {
    groups: objectsAt(input, 'groups').map((group) => ({
      id: textAt(group, 'id') ?? '',
      min: Number(group['min'] ?? 0),
      max: Number(group['max'] ?? 0),
      size: [...groupOf.values()].filter((id) => id === textAt(group, 'id')).length,
      template: decodeObject(objectAt(group, 'template') ?? {}).object,
    })),
    nodes,
    groupOf,
    pods: objects.filter((object): object is Pod => object.kind === 'Pod'),
    daemonSets: objects.filter((object): object is DaemonSet => object.kind === 'DaemonSet'),
    options: {
      ...defaultOptions,
      ...(expanders.length === 0 ? {} : { expanders }),
      ...(priorities === undefined ? {} : { priorities }),
      balancesSimilarGroups: options['balanceSimilarNodeGroups'] === true,
      mostNodes: number('maxNodesTotal', 0),
      ...(cores > 0 ? { mostCores: BigInt(cores) } : {}),
      ...(memory > 0 ? { mostMemoryBytes: BigInt(memory) * 1024n ** 3n } : {}),
      expendableBelow: number('expendablePodsPriorityCutoff', defaultOptions.expendableBelow),
      mostNodesPerScaleUp: number('maxNodesPerScaleUp', defaultOptions.mostNodesPerScaleUp),
    },
  };
}

function printPod({ state, rejected, skipped }: PodOutcome): JsonObject {
  return {
    state,
    ...(rejected === undefined || rejected.size === 0 ? {} : { rejected: printReasons(rejected) }),
    ...(skipped === undefined || skipped.size === 0 ? {} : { skipped: printReasons(skipped) }),
  };
}

function printReasons(reasons: ReadonlyMap<string, readonly string[]>): JsonObject {
  return Object.fromEntries([...reasons].map(([group, texts]) => [group, [...texts]]));
}

function scaleUpText({ group, from, to }: ScaleUp): string {
  return `{${group.id} ${from}->${to} (max: ${group.max})}`;
}

/** Source: cluster-autoscaler/processors/status/eventing_scale_up_processor.go */
function eventsOf({ result, pods, scaleUps, warnings }: ScaleUpResult): readonly string[] {
  const events = warnings.map((text) => `Warning ${text}`);
  for (const outcome of pods.values()) {
    if (outcome.state === 'triggered' && scaleUps.length > 0) {
      events.push(`Normal TriggeredScaleUp pod triggered scale-up: [${scaleUps.map(scaleUpText).join(' ')}]`);
    }
    if (outcome.state === 'remains unschedulable' && result === 'NoOptionsAvailable') {
      events.push(`Normal NotTriggerScaleUp pod didn't trigger scale-up: ${reasonsText(outcome)}`);
    }
  }
  return events;
}

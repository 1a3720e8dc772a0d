import type { PodInfo } from '../framework/pod-info.ts';
import { type ClusterEvent, nameOf } from './cluster-event.ts';
import { dynamicResourcesHints } from './claim-hints.ts';
import { always, type HintContext, type Hints } from './hint.ts';
import {
  nodeAffinityHints,
  nodeNameHints,
  nodeResourcesFitHints,
  nodeUnschedulableHints,
  taintTolerationHints,
} from './node-hints.ts';
import { interPodAffinityHints, nodePortsHints, podTopologySpreadHints } from './pod-hints.ts';
import { nodeVolumeLimitsHints, volumeBindingHints, volumeRestrictionsHints, volumeZoneHints } from './volume-hints.ts';

/**
 * The events that each plugin registers for. A plugin that is not listed wants to hear of every event, as one does
 * upstream that registers none.
 * Source: EventsToRegister of each plugin in pkg/scheduler/framework/plugins, with SchedulerQueueingHints on
 */
const written: readonly (readonly [plugin: string, hints: Hints])[] = [
  ['NodeUnschedulable', nodeUnschedulableHints],
  ['NodeName', nodeNameHints],
  ['TaintToleration', taintTolerationHints],
  ['NodeAffinity', nodeAffinityHints],
  ['NodePorts', nodePortsHints],
  ['NodeResourcesFit', nodeResourcesFitHints],
  ['VolumeRestrictions', volumeRestrictionsHints],
  ['NodeVolumeLimits', nodeVolumeLimitsHints],
  ['VolumeBinding', volumeBindingHints],
  ['VolumeZone', volumeZoneHints],
  ['PodTopologySpread', podTopologySpreadHints],
  ['InterPodAffinity', interPodAffinityHints],
  ['DynamicResources', dynamicResourcesHints],
];

/**
 * Who registers for new nodes and not for taints hears of every change of taints all the same, being cordoned no longer
 * included. Source: buildQueueingHintMap in pkg/scheduler/scheduler.go
 */
function withTaints(hints: Hints): Hints {
  const hearsOfTaints = hints.nodeAdded === undefined || hints['node:taints'] !== undefined;
  return hearsOfTaints ? hints : { ...hints, 'node:taints': always };
}

const registered: ReadonlyMap<string, Hints> = new Map(written.map(([plugin, hints]) => [plugin, withTaints(hints)]));

/** Whether one of the plugins that turned a pod down registers for such events. */
export function concerns(event: ClusterEvent, rejectedBy: ReadonlySet<string>): boolean {
  const name = nameOf(event);
  for (const plugin of rejectedBy) {
    const hints = registered.get(plugin);
    if (hints === undefined || hints[name] !== undefined) return true;
  }
  return false;
}

/** Whether one of the plugins that turned the pod down may let it pass now. */
export function mayHelp(
  rejectedBy: ReadonlySet<string>,
  waiting: PodInfo,
  event: ClusterEvent,
  context: HintContext,
): boolean {
  const name = nameOf(event);
  for (const plugin of rejectedBy) {
    const hints = registered.get(plugin);
    if (hints === undefined) return true;
    // The name says which event it is, which the type of the table cannot.
    const hint = hints[name] as ((waiting: PodInfo, event: ClusterEvent, context: HintContext) => boolean) | undefined;
    if (hint?.(waiting, event, context) === true) return true;
  }
  return false;
}

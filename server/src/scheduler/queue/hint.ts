import type { Behaviours } from '../../kubernetes/release.ts';
import type { ClusterState } from '../framework/cluster-state.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PluginArgs } from '../framework/profile.ts';
import type { ClusterEvent, EventName } from './cluster-event.ts';

/** What the hints look at besides the event. */
export interface HintContext {
  /** After the event. */
  readonly cluster: ClusterState;
  /** The arguments of the waiting pod's profile. */
  readonly args: PluginArgs;
  readonly behaviours: Behaviours;
}

type EventNamed<Name extends EventName> = Name extends `pod:${string}`
  ? ClusterEvent & { readonly kind: 'podChanged' }
  : Name extends `node:${string}`
    ? ClusterEvent & { readonly kind: 'nodeChanged' }
    : Extract<ClusterEvent, { readonly kind: string }> & { readonly kind: Name };

/** Whether the event may let a pod pass that the plugin turned down (upstream's Queue and QueueSkip). */
export type Hint<Name extends EventName> = (waiting: PodInfo, event: EventNamed<Name>, context: HintContext) => boolean;

/** The events that a plugin registers for, each with its hint. Source: EventsToRegister */
export type Hints = { readonly [Name in EventName]?: Hint<Name> };

/** For events that upstream registers without a hint. */
export const always = (): boolean => true;

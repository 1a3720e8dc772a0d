/** The scheduler engine's public door. Who only reads configurations uses configuration.ts, and loads no engine. */
export * from './decision.ts';
export { decide, type DecideOptions } from './decide.ts';
export { type ClusterObjects, clusterObjectsOf } from './framework/cluster-objects.ts';
export { ClusterState, type Kin } from './framework/cluster-state.ts';
export { compareBytewise } from './framework/order.ts';
export type { PodClass } from './framework/pod-class.ts';
export { changedPod, type PodInfo } from './framework/pod-info.ts';
export { defaultPluginArgs, defaultProfileOf, defaultSchedulerName, type Profile } from './framework/profile.ts';
export { compareInQueue } from './plugins/priority-sort.ts';
export { replay } from './replay.ts';
export { readConfiguration, type SchedulerConfiguration } from './configuration.ts';
export { gracePeriodSeconds } from './grace-period.ts';
export { LiveRun } from './live-run.ts';
export type * from './live-event.ts';
export { provisionFor } from './made-volumes.ts';
export { settleStorage } from './settled-storage.ts';
export { isDecidedByNodesAlone, type Room, roomsFor } from './room.ts';
export { SchedulingQueue } from './queue/scheduling-queue.ts';

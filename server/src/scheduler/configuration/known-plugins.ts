import type { Point } from './fields.ts';

/**
 * The plugins of upstream's own registry, with the extension points that each implements.
 * Source: pkg/scheduler/framework/plugins/registry.go and the plugins' interface assertions
 */
const knownPlugins: ReadonlyMap<string, ReadonlySet<Point>> = new Map<string, ReadonlySet<Point>>([
  ['SchedulingGates', new Set<Point>(['preEnqueue'])],
  ['PrioritySort', new Set<Point>(['queueSort'])],
  ['NodeUnschedulable', new Set<Point>(['filter'])],
  ['NodeName', new Set<Point>(['filter'])],
  ['TaintToleration', new Set<Point>(['filter', 'preScore', 'score'])],
  ['NodeAffinity', new Set<Point>(['preFilter', 'filter', 'preScore', 'score'])],
  ['NodePorts', new Set<Point>(['preFilter', 'filter'])],
  ['NodeResourcesFit', new Set<Point>(['preFilter', 'filter', 'preScore', 'score'])],
  ['VolumeRestrictions', new Set<Point>(['preFilter', 'filter'])],
  ['NodeVolumeLimits', new Set<Point>(['preFilter', 'filter'])],
  ['VolumeBinding', new Set<Point>(['preFilter', 'filter', 'preScore', 'score', 'reserve', 'preBind'])],
  ['VolumeZone', new Set<Point>(['preFilter', 'filter'])],
  ['PodTopologySpread', new Set<Point>(['preFilter', 'filter', 'preScore', 'score'])],
  ['InterPodAffinity', new Set<Point>(['preFilter', 'filter', 'preScore', 'score'])],
  ['DynamicResources', new Set<Point>(['preEnqueue', 'preFilter', 'filter', 'postFilter', 'reserve', 'preBind'])],
  ['DefaultPreemption', new Set<Point>(['preEnqueue', 'postFilter'])],
  ['NodeResourcesBalancedAllocation', new Set<Point>(['preScore', 'score'])],
  ['ImageLocality', new Set<Point>(['score'])],
  ['DefaultBinder', new Set<Point>(['bind'])],
]);

/**
 * Plugins whose Filter or Score fails without what their PreFilter or PreScore left; the others work it out themselves.
 * Source: getPreFilterState, getStateData and getPreScoreState where they are called in the plugins
 */
const stateNeeded: Readonly<Record<'filter' | 'score', ReadonlySet<string>>> = {
  filter: new Set([
    'NodePorts',
    'NodeResourcesFit',
    'VolumeRestrictions',
    'VolumeBinding',
    'PodTopologySpread',
    'InterPodAffinity',
    'DynamicResources',
  ]),
  score: new Set(['TaintToleration', 'PodTopologySpread', 'InterPodAffinity']),
};

/** The name of the Go interface, as upstream's errors print it. */
const interfaceNames: Readonly<Record<Point, string>> = {
  preEnqueue: 'PreEnqueuePlugin',
  queueSort: 'QueueSortPlugin',
  preFilter: 'PreFilterPlugin',
  filter: 'FilterPlugin',
  postFilter: 'PostFilterPlugin',
  preScore: 'PreScorePlugin',
  score: 'ScorePlugin',
  reserve: 'ReservePlugin',
  permit: 'PermitPlugin',
  preBind: 'PreBindPlugin',
  bind: 'BindPlugin',
  postBind: 'PostBindPlugin',
};

/** Whether Podium knows the plugin; others may be compiled into a scheduler of one's own. */
export function isKnownPlugin(name: string): boolean {
  return knownPlugins.has(name);
}

export function implementsPoint(name: string, point: Point): boolean {
  return knownPlugins.get(name)?.has(point) === true;
}

export function needsState(name: string, point: 'filter' | 'score'): boolean {
  return stateNeeded[point].has(name);
}

export function interfaceName(point: Point): string {
  return interfaceNames[point];
}

/** Plugins that earlier versions had. Source: pkg/scheduler/apis/config/validation/validation.go (invalidPluginsByVersion) */
export const removedPlugins: ReadonlySet<string> = new Set([
  'AzureDiskLimits',
  'CinderLimits',
  'EBSLimits',
  'GCEPDLimits',
]);

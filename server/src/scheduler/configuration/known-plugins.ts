import type { ExtensionPoint, Release } from '../../kubernetes/release.ts';

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
export const interfaceNames: Readonly<Record<ExtensionPoint, string>> = {
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
  placementGenerate: 'PlacementGeneratePlugin',
  placementScore: 'PlacementScorePlugin',
};

/** Whether Podium knows the plugin; others may be compiled into a scheduler of one's own. */
export function isKnownPlugin({ plugins }: Release, name: string): boolean {
  return Object.hasOwn(plugins, name);
}

export function implementsPoint({ plugins }: Release, name: string, point: ExtensionPoint): boolean {
  return Object.hasOwn(plugins, name) && plugins[name]!.points.includes(point);
}

export function needsState(name: string, point: 'filter' | 'score'): boolean {
  return stateNeeded[point].has(name);
}

/** Plugins that earlier versions had. Source: pkg/scheduler/apis/config/validation/validation.go (invalidPluginsByVersion) */
export const removedPlugins: ReadonlySet<string> = new Set([
  'AzureDiskLimits',
  'CinderLimits',
  'EBSLimits',
  'GCEPDLimits',
]);

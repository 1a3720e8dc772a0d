import type { ExtensionPoint, Release } from '../../kubernetes/release.ts';

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

/** Plugins that earlier versions had. Source: pkg/scheduler/apis/config/validation/validation.go (invalidPluginsByVersion) */
export const removedPlugins: ReadonlySet<string> = new Set([
  'AzureDiskLimits',
  'CinderLimits',
  'EBSLimits',
  'GCEPDLimits',
]);

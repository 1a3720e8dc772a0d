/** What a plugin says that misses what its PreFilter or PreScore should have left. */
const stateMissing: Readonly<Record<'filter' | 'score', ReadonlyMap<string, string>>> = {
  filter: new Map([
    ['NodePorts', 'reading "PreFilterNodePorts" from cycleState: not found'],
    ['NodeResourcesFit', 'error reading "PreFilterNodeResourcesFit" from cycleState: not found'],
    ['VolumeRestrictions', 'cannot read "PreFilterVolumeRestrictions" from cycleState'],
    ['VolumeBinding', 'not found'],
    ['PodTopologySpread', 'reading "PreFilterPodTopologySpread" from cycleState: not found'],
    ['InterPodAffinity', 'error reading "PreFilterInterPodAffinity" from cycleState: not found'],
    ['DynamicResources', 'not found'],
  ]),
  score: new Map([
    ['TaintToleration', 'failed to read "PreScoreTaintToleration" from cycleState: not found'],
    ['PodTopologySpread', 'reading "PreScorePodTopologySpread" from cycleState: not found'],
    ['InterPodAffinity', 'failed to read "PreScoreInterPodAffinity" from cycleState: not found'],
  ]),
};

/**
 * What the Filter or Score of a plugin says without what its PreFilter or PreScore left; undefined for those that work it
 * out themselves. Source: getPreFilterState, getStateData and getPreScoreState where they are called in the plugins
 */
export function stateMissingText(name: string, point: 'filter' | 'score'): string | undefined {
  return stateMissing[point].get(name);
}

/** Source: pkg/scheduler/schedule_one.go (minFeasibleNodesToFind, minFeasibleNodesPercentageToFind) */
const minFeasibleNodes = 100;
const minPercentage = 5;

/**
 * After how many feasible nodes the real scheduler stops looking. Podium looks at all and says that the answer may vary.
 * Source: pkg/scheduler/schedule_one.go (numFeasibleNodesToFind)
 */
export function feasibleNodesToFind(percentageOfNodesToScore: number, nodes: number): number {
  if (nodes < minFeasibleNodes) return nodes;
  let percentage = percentageOfNodesToScore;
  if (percentage === 0) percentage = Math.max(minPercentage, 50 - Math.trunc(nodes / 125));
  return Math.max(minFeasibleNodes, Math.trunc((nodes * percentage) / 100));
}

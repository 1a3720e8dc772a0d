/** Source: staging/src/k8s.io/kube-scheduler/framework/interface.go (MaxNodeScore) */
export const maxNodeScore = 100;

/**
 * Brings scores to 0..100 relative to the highest, in place; `reverse` when a low raw score is good.
 * Source: pkg/scheduler/framework/plugins/helper/normalize_score.go
 */
export function defaultNormalize(scores: Float64Array, reverse: boolean): void {
  let max = 0;
  for (const score of scores) if (score > max) max = score;
  if (max === 0) {
    if (reverse) scores.fill(maxNodeScore);
    return;
  }
  for (let i = 0; i < scores.length; i++) {
    const score = Math.trunc((maxNodeScore * scores[i]!) / max);
    scores[i] = reverse ? maxNodeScore - score : score;
  }
}

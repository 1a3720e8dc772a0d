/** Commands that few call: they reach to a cluster or to what is remote, or compare versions of Kubernetes. */
export const names = ['fetchRemotes', 'captureSnapshot', 'refreshSnapshot', 'upgrade'] as const;

/** Commands that reach beyond the editor: to a cluster, or to what is remote. */
export const names = ['fetchRemotes', 'captureSnapshot', 'refreshSnapshot'] as const;

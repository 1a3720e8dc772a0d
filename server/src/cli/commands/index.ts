import type { Command } from '../command.ts';

/** What `podium --help` says of a command, and where it is: only the one that is asked for is loaded. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command, in the order of `podium --help`. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'simulate',
    summary: 'show where pods land, which ones are evicted, and why the rest stay pending',
    load: async () => (await import('./simulate.ts')).simulateCommand,
  },
  {
    name: 'check',
    summary: 'show what the API server would reject, and other problems in manifests',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    name: 'baseline',
    summary: 'record the problems of today, so that check fails for new ones only',
    load: async () => (await import('./baseline.ts')).baselineCommand,
  },
  {
    name: 'sources',
    summary: 'list kustomizations, charts and objects of Flux and Argo CD, rendered',
    load: async () => (await import('./sources.ts')).sourcesCommand,
  },
  {
    name: 'snapshot',
    summary: 'save the scheduling-relevant state of a cluster, using kubectl',
    load: async () => (await import('./snapshot.ts')).snapshotCommand,
  },
  {
    name: 'evict',
    summary: 'show what the eviction API would answer for a pod',
    load: async () => (await import('./evict.ts')).evictCommand,
  },
  {
    name: 'drain',
    summary: 'show what kubectl drain would do to a node or a pool, and where the pods go',
    load: async () => (await import('./drain.ts')).drainCommand,
  },
  {
    name: 'fit',
    summary: 'show how many more replicas of a workload fit, and what stops the next one',
    load: async () => (await import('./fit.ts')).fitCommand,
  },
  {
    name: 'threats',
    summary: 'list which workloads could evict a pod, and which budgets do not protect it',
    load: async () => (await import('./threats.ts')).threatsCommand,
  },
  {
    name: 'upgrade',
    summary: 'show what another version of Kubernetes changes for your manifests',
    load: async () => (await import('./upgrade.ts')).upgradeCommand,
  },
  {
    name: 'pressure',
    summary: 'list which pods the kubelet evicts first when a node runs short of memory',
    load: async () => (await import('./pressure.ts')).pressureCommand,
  },
  {
    name: 'lsp',
    summary: 'run the language server, for any editor',
    load: async () => (await import('./lsp.ts')).lspCommand,
  },
  {
    name: 'mcp',
    summary: 'serve the same answers to assistants, over the Model Context Protocol',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  {
    name: 'completion',
    summary: 'print what completes commands, options and names in bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionCommand,
  },
];

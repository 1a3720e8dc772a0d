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
    summary: 'show who lands where, who is evicted for whom, and why the rest is pending',
    load: async () => (await import('./simulate.ts')).simulateCommand,
  },
  {
    name: 'check',
    summary: 'tell what the API server would refuse, and what the editor would underline',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  {
    name: 'baseline',
    summary: 'write down what check finds today, so that it fails for what is new only',
    load: async () => (await import('./baseline.ts')).baselineCommand,
  },
  {
    name: 'sources',
    summary: 'list what makes objects of the files: kustomizations, charts, Flux and Argo CD',
    load: async () => (await import('./sources.ts')).sourcesCommand,
  },
  {
    name: 'snapshot',
    summary: 'write down a cluster, as far as scheduling depends on it, with your own kubectl',
    load: async () => (await import('./snapshot.ts')).snapshotCommand,
  },
  {
    name: 'evict',
    summary: 'tell what the eviction API would answer for a pod, as kubectl drain asks it',
    load: async () => (await import('./evict.ts')).evictCommand,
  },
  {
    name: 'drain',
    summary: 'tell what kubectl drain would do to a node or a pool, and what comes of it',
    load: async () => (await import('./drain.ts')).drainCommand,
  },
  {
    name: 'fit',
    summary: 'tell how many more replicas of a workload fit, and what stops the next one',
    load: async () => (await import('./fit.ts')).fitCommand,
  },
  {
    name: 'threats',
    summary: 'tell who could evict a pod, and which budgets do not protect it',
    load: async () => (await import('./threats.ts')).threatsCommand,
  },
  {
    name: 'pressure',
    summary: 'tell whom the kubelet evicts first when a node runs short of memory',
    load: async () => (await import('./pressure.ts')).pressureCommand,
  },
  {
    name: 'lsp',
    summary: 'run the language server, for any editor',
    load: async () => (await import('./lsp.ts')).lspCommand,
  },
  {
    name: 'mcp',
    summary: 'serve the answers to assistants, as tools of the Model Context Protocol',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
];

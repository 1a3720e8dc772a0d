/**
 * Which folder may import from which, from the bottom up; each may import from itself as well. The linter holds it, and a
 * test compares it with the table of ARCHITECTURE.md, which says why, row by row.
 */

/** Folders of server/src, and what of server/src they import. */
export const layers = {
  kit: [],
  contract: ['kit'],
  kubernetes: ['kit'],
  scheduler: ['kit', 'kubernetes'],
  admission: ['kit', 'kubernetes'],
  disruption: ['kit', 'kubernetes'],
  manifests: ['kit', 'kubernetes'],
  processes: ['kit'],
  capture: ['kit', 'kubernetes', 'processes'],
  sources: ['kit', 'kubernetes', 'manifests', 'processes'],
  fetching: ['kit', 'manifests', 'processes', 'sources'],
  autoscaling: ['kit', 'kubernetes', 'scheduler'],
  simulation: ['kit', 'contract', 'kubernetes', 'scheduler', 'admission', 'disruption', 'autoscaling'],
  language: [
    'kit',
    'contract',
    'kubernetes',
    'scheduler',
    'admission',
    'disruption',
    'autoscaling',
    'manifests',
    'processes',
    'capture',
    'sources',
    'fetching',
    'simulation',
    'protocol.ts',
  ],
  cli: [
    'kit',
    'contract',
    'kubernetes',
    'scheduler',
    'admission',
    'disruption',
    'autoscaling',
    'manifests',
    'processes',
    'capture',
    'sources',
    'fetching',
    'simulation',
    'language',
    'main.ts',
  ],
  assistants: ['kit', 'kubernetes', 'manifests', 'processes', 'simulation', 'language', 'cli', 'protocol.ts'],
};

/** Layers that are deterministic and do no I/O: no editor, no YAML library, no Node. */
export const pure = [
  'kit',
  'contract',
  'kubernetes',
  'scheduler',
  'admission',
  'disruption',
  'autoscaling',
  'simulation',
];

/** Folders of server/src/scheduler, and what of server/src/scheduler they import. */
export const schedulerLayers = {
  framework: ['decision.ts'],
  cel: [],
  devices: ['cel', 'framework'],
  configuration: ['framework'],
  plugins: ['framework'],
  preemption: ['decision.ts', 'framework', 'plugins'],
  queue: ['decision.ts', 'framework', 'plugins'],
};

/** The client, and what of server/src and client/src it imports. */
export const clientLayers = {
  'client/src': ['protocol.ts', 'contract', 'kit'],
  'client/webview': ['protocol.ts', 'contract', 'kit', 'client/src/report'],
};

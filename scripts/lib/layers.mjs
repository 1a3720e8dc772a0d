/**
 * Which folder may import from which, from the bottom up; each may import from itself as well. The linter holds it, and a
 * test compares it with the table of ARCHITECTURE.md, which says why, row by row.
 */

/** Folders of server/src, and what of server/src they import. */
export const layers = {
  util: [],
  'report-model': ['util'],
  kubernetes: ['util'],
  scheduler: ['util', 'kubernetes'],
  admission: ['util', 'kubernetes'],
  disruption: ['util', 'kubernetes'],
  manifests: ['util', 'kubernetes'],
  processes: ['util'],
  capture: ['util', 'kubernetes', 'processes'],
  sources: ['util', 'kubernetes', 'manifests', 'processes'],
  fetching: ['util', 'manifests', 'processes', 'sources'],
  autoscaling: ['util', 'kubernetes', 'scheduler'],
  simulation: ['util', 'report-model', 'kubernetes', 'scheduler', 'admission', 'disruption', 'autoscaling'],
  language: [
    'util',
    'report-model',
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
    'util',
    'report-model',
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
  assistants: ['util', 'kubernetes', 'manifests', 'processes', 'simulation', 'language', 'cli', 'protocol.ts'],
};

/** Layers that are deterministic and do no I/O: no editor, no YAML library, no Node. */
export const pure = [
  'util',
  'report-model',
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

/**
 * Rooms inside a folder of server/src, in a row: each may import those before it. Files at the top of the folder may
 * import all of them, and are imported by none.
 */
export const rooms = {
  admission: [
    'format',
    'defaults',
    'volumes',
    'priority',
    'quota',
    'pods',
    'workloads',
    'cluster',
    'devices',
    'request',
  ],
  sources: ['files', 'kustomize', 'tools', 'helm', 'flux', 'argocd', 'rendering', 'discover', 'targets'],
  simulation: [
    'cluster',
    'operations',
    'run',
    'causes',
    'capacity',
    'growth',
    'report',
    'drains',
    'scenario',
    'compare',
    'remedies',
    'preview',
    'upgrade',
  ],
  language: [
    'connection',
    'settings',
    'field-docs',
    'index',
    'rules/support',
    'rules',
    'checks',
    'applied',
    'history',
    'known',
    'session',
    'code-actions',
    'completion',
    'structure',
    'navigation',
    'inlay',
    'hovers',
    'lenses',
    'diagnostics',
    'simulate',
    'server',
  ],
};

/** The client, and what of server/src and client/src it imports. */
export const clientLayers = {
  'client/src': ['protocol.ts', 'report-model', 'util'],
  'client/webview': ['protocol.ts', 'report-model', 'util', 'client/src/report'],
};

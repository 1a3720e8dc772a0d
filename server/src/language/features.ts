import { clusterStatusFeature } from './cluster-status.ts';
import { codeActionsFeature } from './code-actions.ts';
import { codeLensFeature } from './code-lens.ts';
import { completionFeature } from './completion.ts';
import { diagnosticsFeature } from './diagnostics.ts';
import type { Feature } from './feature.ts';
import { hoverFeature } from './hover.ts';
import { inlayHintsFeature } from './inlay-hints.ts';
import { navigationFeature } from './navigation.ts';
import { overviewFeature } from './overview.ts';
import { simulateFeature } from './simulate.ts';
import { structureFeature } from './structure.ts';
import { targetsFeature } from './targets.ts';

/** Everything the editor can ask for. */
export const features: readonly Feature[] = [
  diagnosticsFeature,
  hoverFeature,
  codeLensFeature,
  completionFeature,
  navigationFeature,
  structureFeature,
  inlayHintsFeature,
  codeActionsFeature,
  simulateFeature,
  overviewFeature,
  clusterStatusFeature,
  targetsFeature,
];

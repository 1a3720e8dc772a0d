import { clusterStatusFeature } from './cluster-status.ts';
import { codeActionsFeature } from '../code-actions/feature.ts';
import { codeLensFeature } from '../lenses/feature.ts';
import { completionFeature } from '../completion/feature.ts';
import { diagnosticsFeature } from '../diagnostics/feature.ts';
import type { Feature } from '../session/feature.ts';
import { hoverFeature } from '../hovers/feature.ts';
import { inlayHintsFeature } from '../inlay/feature.ts';
import { navigationFeature } from '../navigation/feature.ts';
import { overviewFeature } from '../simulate/overview.ts';
import { simulateFeature } from '../simulate/feature.ts';
import { structureFeature } from '../structure/feature.ts';
import { targetsFeature } from '../simulate/targets.ts';

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

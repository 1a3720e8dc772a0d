import type { ClusterChange, Deletion } from './cluster-change.ts';
import type { PodKey } from './decision.ts';
import type { Arrival, PlannedChange } from './live-event.ts';

/** What is known to happen later. */
export type Planned =
  | { readonly kind: 'arrival'; readonly arrival: Arrival }
  | { readonly kind: 'change'; readonly change: ClusterChange }
  /** Without `graceSeconds` a pod has its own time to end. */
  | { readonly kind: 'deletion'; readonly deletion: Deletion; readonly graceSeconds?: number | undefined }
  | { readonly kind: 'gates-removed'; readonly key: PodKey }
  /** Somebody else acts: a controller, or a person. */
  | { readonly kind: 'act'; readonly act: () => void }
  | Gone;

/** The grace period of a pod is over. */
interface Gone {
  readonly kind: 'gone';
  readonly key: PodKey;
}

export function plannedOf(written: Arrival | PlannedChange): Planned {
  if ('pod' in written) return { kind: 'arrival', arrival: written };
  return 'change' in written
    ? { kind: 'change', change: written.change }
    : { kind: 'deletion', deletion: written.deleted };
}

export function isGone(planned: Planned): planned is Gone {
  return planned.kind === 'gone';
}

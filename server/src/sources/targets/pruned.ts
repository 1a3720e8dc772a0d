import { namespaceOfKind, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { asMap, asText } from '../../manifests/read-data.ts';
import type { Source } from '../files/source.ts';
import type { AppliedSource } from './applied-source.ts';

/** Whether what a source no longer makes is removed: as an object of Flux or Argo CD says, and by Helm at an upgrade. */
function isPruned({ prunes, kind }: Source): boolean {
  return prunes ?? (kind === 'chart' || kind === 'helm-release' || kind === 'helmfile');
}

/**
 * Whether an object says of itself that it stays.
 * Source: Helm, pkg/kube (ResourcePolicyAnno); fluxcd/kustomize-controller, docs (prune: disabled);
 * argo-cd, docs/user-guide/sync-options.md
 */
function stays(value: JsonObject): boolean {
  const { annotations, labels } = asMap(value['metadata']);
  const [noted, labelled] = [asMap(annotations), asMap(labels)];
  const ofFlux = 'kustomize.toolkit.fluxcd.io/prune';
  return (
    noted['helm.sh/resource-policy'] === 'keep' ||
    noted[ofFlux] === 'disabled' ||
    labelled[ofFlux] === 'disabled' ||
    /(?:^|,)\s*Prune=false\s*(?:,|$)/.test(asText(noted['argocd.argoproj.io/sync-options']))
  );
}

/** Objects of sources that are removed when nothing makes them any more. */
export function prunedObjects(sources: readonly AppliedSource[]): ReadonlySet<WorkloadKey> {
  const keys = new Set<WorkloadKey>();
  for (const { source, made } of sources) {
    if (!isPruned(source)) continue;
    for (const { object } of made) {
      const { apiVersion, kind, namespace, name, value } = object;
      if (!stays(value)) keys.add(workloadKey(kind, namespaceOfKind(apiVersion, kind, namespace), name));
    }
  }
  return keys;
}

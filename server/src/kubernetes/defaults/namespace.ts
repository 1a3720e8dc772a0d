import type { Namespace } from '../objects.ts';

// Source: LabelMetadataName in staging/src/k8s.io/api/core/v1/well_known_labels.go
const NAME_LABEL = 'kubernetes.io/metadata.name';

/** Gives a namespace the label that carries its name. Source: pkg/apis/core/v1/defaults.go SetDefaults_Namespace */
export function defaultNamespace(namespace: Namespace): Namespace {
  const { metadata } = namespace;
  const name = metadata?.name ?? '';
  if (name === '' || metadata?.labels?.[NAME_LABEL] === name) return namespace;
  return { ...namespace, metadata: { ...metadata, labels: { ...metadata?.labels, [NAME_LABEL]: name } } };
}

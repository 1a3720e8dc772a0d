/**
 * Labels of nodes that have another name now, which nodes no longer have.
 * Source: staging/src/k8s.io/api/core/v1/well_known_labels.go
 */
const renamed: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['node-role.kubernetes.io/master', 'node-role.kubernetes.io/control-plane'],
]);

/** What a label is called now; undefined where its name has stayed. */
export function currentLabel(key: string): string | undefined {
  return renamed.get(key);
}

import type { Pod, Toleration } from '../objects.ts';

// Source: the defaults of plugin/pkg/admission/defaulttolerationseconds/admission.go
const TOLERATED_SECONDS = 300;
const defaultKeys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;

/**
 * Lets a pod stay five minutes on a node that fails, unless the pod says what it wants there. The admission plugin is
 * on by default, but a cluster can go without it: hence it is no part of `defaultPod`.
 * Source: plugin/pkg/admission/defaulttolerationseconds/admission.go Admit
 */
export function addDefaultTolerations(pod: Pod): Pod {
  const { spec } = pod;
  if (spec === undefined) return pod;
  const written = spec.tolerations ?? [];
  const missing = defaultKeys.filter((key) => !written.some((toleration) => covers(toleration, key)));
  if (missing.length === 0) return pod;
  const added = missing.map((key): Toleration => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: TOLERATED_SECONDS,
  }));
  return { ...pod, spec: { ...spec, tolerations: [...written, ...added] } };
}

function covers({ key = '', effect = '' }: Toleration, wanted: string): boolean {
  return (key === wanted || key === '') && (effect === 'NoExecute' || effect === '');
}

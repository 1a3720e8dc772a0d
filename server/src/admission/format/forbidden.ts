import type { ObjectMeta } from '../../kubernetes/objects.ts';
import { goString } from './go-zero.ts';

/**
 * The text of a 403 that an admission plugin gives: `pods "web-0" is forbidden: <detail>`.
 * `resource` is the plural with its group: `priorityclasses.scheduling.k8s.io`.
 * Source: NewForbidden and extractResourceName in staging/src/k8s.io/apiserver/pkg/admission/errors.go
 */
export function forbiddenText(resource: string, meta: ObjectMeta | undefined, detail: string): string {
  const name = goString(meta?.name) || goString(meta?.generateName) || 'Unknown';
  return `${resource} "${name}" is forbidden: ${detail}`;
}

import { defaultPod, mergeMatchLabelKeys } from '../../kubernetes/defaults/index.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { Pod, PodTemplateSpec } from '../../kubernetes/objects.ts';
import { validatePod, validatePodTemplate } from './pod.ts';

/**
 * What the API server refuses about the pods of a workload although it accepts the workload: the workload is stored,
 * and its controller then fails to make pods. `basePath` leads from the top of the workload to the template. The
 * errors' fields are those of the pod, as in the controller's event; their paths lead into the template.
 */
export function validatePodsOfTemplate(template: PodTemplateSpec, basePath: Path): FieldError[] {
  const { labels, annotations } = template.metadata ?? {};
  const metadata = {
    // Controllers make valid names, not known here; what is wrong with the workload's own shows there.
    generateName: 'pod-',
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  const pod: Pod = { metadata, ...(template.spec === undefined ? {} : { spec: template.spec }) };
  const known = new Set(validatePodTemplate(template, basePath).map(identity));
  return validatePod(mergeMatchLabelKeys(defaultPod(pod)))
    .map((error) => ({ ...error, path: [...basePath, ...error.path] }))
    .filter((error) => !known.has(identity(error)));
}

function identity({ type, detail, path }: FieldError): string {
  return JSON.stringify([type, detail, path]);
}

import { isObject, valueAt } from '../../util/values.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import {
  type Batches,
  duplicate,
  invalid,
  invalidFormat,
  required,
  requiredFormat,
  tooMany,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { dnsLabelProblems, dnsSubdomainProblems, pathSegmentProblems } from '../format/names.ts';

/** Source for this file: pkg/apis/scheduling/validation/validation.go of 1.35 and of 1.36 */

/** WorkloadMaxPodGroups, WorkloadMaxPodGroupTemplates */
const mostTemplates = 8;

/** ValidatePodGroup, without the metadata. */
export function* judgePodGroup({ spec }: KubeObject & { readonly spec?: unknown }): Batches {
  yield policyErrors(valueAt(spec, ['schedulingPolicy']), FieldPath.to('spec', 'schedulingPolicy'), false);
}

/** ValidateWorkload, without the metadata; the first version has its groups under another name. */
export function* judgeGangWorkload({ apiVersion = '', spec }: KubeObject & { readonly spec?: unknown }): Batches {
  const controller = valueAt(spec, ['controllerRef']);
  if (isObject(controller)) yield controllerErrors(controller, FieldPath.to('spec', 'controllerRef'));
  const isFirst = apiVersion === 'scheduling.k8s.io/v1alpha1';
  const [list, policy] = isFirst
    ? (['podGroups', 'policy'] as const)
    : (['podGroupTemplates', 'schedulingPolicy'] as const);
  const at = FieldPath.to('spec', list);
  const templates = valueAt(spec, [list]);
  if (!Array.isArray(templates) || templates.length === 0) {
    yield [required(at, 'must have at least one item')];
    return;
  }
  if (templates.length > mostTemplates) {
    yield [tooMany(at, templates.length, mostTemplates)];
    return;
  }
  const seen = new Set<string>();
  for (const [index, template] of templates.entries()) {
    const name = textOf(valueAt(template, ['name']));
    const each = at.index(index);
    yield isFirst
      ? invalidFormat(each.child('name'), name, dnsLabelProblems(name))
      : requiredFormat(each.child('name'), name, dnsLabelProblems);
    if (seen.has(name)) yield [duplicate(isFirst ? each.child('name') : each, name)];
    seen.add(name);
    yield policyErrors(valueAt(template, [policy]), each.child(policy), isFirst);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function controllerErrors(controller: unknown, at: FieldPath): readonly FieldError[] {
  const [group = '', kind, name] = ['apiGroup', 'kind', 'name'].map((field) => textOf(valueAt(controller, [field])));
  return [
    ...(group === '' ? [] : invalidFormat(at.child('apiGroup'), group, dnsSubdomainProblems(group))),
    ...requiredFormat(at.child('kind'), kind, pathSegmentProblems),
    ...requiredFormat(at.child('name'), name, pathSegmentProblems),
  ];
}

/** validatePodGroupPolicy, validatePodGroupSchedulingPolicy */
function policyErrors(policy: unknown, at: FieldPath, isFirst: boolean): readonly FieldError[] {
  const [hasBasic, gang] = [isObject(valueAt(policy, ['basic'])), valueAt(policy, ['gang'])];
  if (hasBasic && isObject(gang)) {
    const text = 'exactly one of `basic`, `gang` is required, but multiple fields are set';
    return [invalid(at, '{`basic`, `gang`}', text)];
  }
  if (hasBasic) return [];
  if (!isObject(gang)) {
    return isFirst
      ? [required(at, 'exactly one of `basic`, `gang` is required')]
      : [invalid(at, '', 'must specify one of: `basic`, `gang`')];
  }
  const { minCount = 0 } = gang as { readonly minCount?: number };
  const countAt = at.child('gang').child('minCount');
  if (minCount === 0 && !isFirst) return [required(countAt)];
  return minCount <= 0 ? [invalid(countAt, minCount, 'must be greater than zero')] : [];
}

import { isObject, valueAt } from '../../util/values.ts';
import { isServed } from '../../kubernetes/api/served.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Release } from '../../kubernetes/release.ts';
import {
  type Batches,
  duplicate,
  invalid,
  invalidFormat,
  oneOf,
  required,
  requiredFormat,
  tooMany,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { dnsLabelProblems, dnsSubdomainProblems, pathSegmentProblems } from '../format/names.ts';

/**
 * Sources for this file: of 1.35 pkg/apis/scheduling/validation/validation.go; since 1.36 the `+k8s:` tags of
 * staging/src/k8s.io/api/scheduling/v1alpha2/types.go, in the words of apimachinery/pkg/api/validate: the strategies in
 * pkg/registry/scheduling enforce them
 */

/** WorkloadMaxPodGroups, WorkloadMaxPodGroupTemplates */
const mostTemplates = 8;

const specAt = FieldPath.to('spec');

type Judged = KubeObject & { readonly spec?: unknown };

/** Queues and schedulers of others have kinds of these names, too; and what is not served is refused as that alone. */
export function isOfGroups({ apiVersion = '', kind }: KubeObject, { featureGates, served }: Release): boolean {
  const isNamed = kind === 'PodGroup' || kind === 'Workload';
  return isNamed && featureGates.has('GenericWorkload') && isServed(served, apiVersion, kind);
}

/** ValidatePodGroup, without the metadata. */
export function* judgePodGroup({ spec }: Judged, { featureGates }: Release): Batches {
  const ref = valueAt(spec, ['podGroupTemplateRef']);
  if (isObject(ref)) yield templateRefErrors(ref, specAt.child('podGroupTemplateRef'));
  const workload = valueAt(spec, ['workloadRef']);
  if (isObject(workload)) yield refErrors(workload, specAt.child('workloadRef'), 'templateName');
  yield policyErrors(valueAt(spec, ['schedulingPolicy']), specAt.child('schedulingPolicy'));
  if (featureGates.has('WorkloadAwarePreemption')) yield disruptionErrors(spec, specAt);
}

/** ValidateWorkload, without the metadata; the first version has its groups under another name. */
export function* judgeGangWorkload({ apiVersion, spec }: Judged, { featureGates }: Release): Batches {
  const controller = valueAt(spec, ['controllerRef']);
  if (isObject(controller)) yield controllerErrors(controller, specAt.child('controllerRef'));
  if (apiVersion === firstVersion) {
    yield* judgeFirstGroups(valueAt(spec, ['podGroups']));
    return;
  }
  const at = specAt.child('podGroupTemplates');
  const templates = valueAt(spec, ['podGroupTemplates']);
  const isOptional = apiVersion !== 'scheduling.k8s.io/v1alpha2';
  const isEmpty = !Array.isArray(templates) || templates.length === 0;
  const wrong = isOptional && isEmpty ? unionErrors(spec, since137, specAt) : sizeErrors(templates, at, '');
  yield wrong;
  if (wrong.length > 0 || !Array.isArray(templates)) return;
  const names = templates.map((template) => textOf(valueAt(template, ['name'])));
  // A list whose key is the name prints the whole of what is there twice, and before anything else.
  yield templates.flatMap((template: unknown, index) =>
    names.indexOf(names[index]!) < index ? [duplicate(at.index(index), asPrinted(template))] : [],
  );
  for (const [index, template] of templates.entries()) {
    const each = at.index(index);
    yield requiredFormat(each.child('name'), names[index], dnsLabelProblems);
    yield policyErrors(valueAt(template, ['schedulingPolicy']), each.child('schedulingPolicy'));
    if (featureGates.has('WorkloadAwarePreemption')) yield disruptionErrors(template, each);
  }
}

const firstVersion = 'scheduling.k8s.io/v1alpha1';

/** What a Workload of 1.37 has one of. */
const since137 = ['podGroupTemplates', 'compositePodGroupTemplates'];

function sizeErrors(list: unknown, at: FieldPath, none: string): readonly FieldError[] {
  if (!Array.isArray(list) || list.length === 0) return [required(at, none)];
  return list.length > mostTemplates ? [tooMany(at, list.length, mostTemplates)] : [];
}

function* judgeFirstGroups(groups: unknown): Batches {
  const at = specAt.child('podGroups');
  const wrong = sizeErrors(groups, at, 'must have at least one item');
  yield wrong;
  if (wrong.length > 0 || !Array.isArray(groups)) return;
  const seen = new Set<string>();
  for (const [index, group] of groups.entries()) {
    const name = textOf(valueAt(group, ['name']));
    const nameAt = at.index(index).child('name');
    yield invalidFormat(nameAt, name, dnsLabelProblems(name));
    if (seen.has(name)) yield [duplicate(nameAt, name)];
    seen.add(name);
    yield firstPolicyErrors(valueAt(group, ['policy']), at.index(index).child('policy'));
  }
}

/** In the order of the fields; this one is printed without a value, too. */
function asPrinted(template: unknown): unknown {
  return isObject(template) ? { ...template, schedulingConstraints: null } : template;
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

function templateRefErrors(ref: unknown, at: FieldPath): readonly FieldError[] {
  const workload = valueAt(ref, ['workload']);
  if (!isObject(workload)) return unionErrors(ref, ['workload'], at);
  return refErrors(workload, at.child('workload'), 'podGroupTemplateName');
}

function refErrors(ref: unknown, at: FieldPath, template: string): readonly FieldError[] {
  return [
    ...requiredFormat(at.child('workloadName'), textOf(valueAt(ref, ['workloadName'])), dnsSubdomainProblems),
    ...requiredFormat(at.child(template), textOf(valueAt(ref, [template])), dnsLabelProblems),
  ];
}

/** Exactly one of some structs. Source: Union in apimachinery/pkg/api/validate/union.go */
function unionErrors(value: unknown, members: readonly string[], at: FieldPath): FieldError[] {
  const set = members.filter((member) => {
    const part = valueAt(value, [member]);
    return Array.isArray(part) ? part.length > 0 : isObject(part);
  });
  if (set.length === 1) return [];
  const named = members.map((member) => `\`${member}\``).join(', ');
  return set.length === 0
    ? [invalid(at, '', `must specify one of: ${named}`)]
    : [invalid(at, `{${set.join(', ')}}`, `must specify exactly one of: ${named}`)];
}

/** Exactly one policy, and of a gang a number. */
function policyErrors(policy: unknown, at: FieldPath): readonly FieldError[] {
  const gang = valueAt(policy, ['gang']);
  const errors = unionErrors(policy, ['basic', 'gang'], at);
  if (!isObject(gang)) return errors;
  const { minCount = 0 } = gang as { readonly minCount?: number };
  const countAt = at.child('gang').child('minCount');
  if (minCount === 0) errors.push(required(countAt));
  if (minCount < 0) errors.push(invalid(countAt, minCount, 'must be greater than or equal to 1'));
  return errors;
}

/** validatePodGroupPolicy of 1.35 */
function firstPolicyErrors(policy: unknown, at: FieldPath): readonly FieldError[] {
  const [hasBasic, gang] = [isObject(valueAt(policy, ['basic'])), valueAt(policy, ['gang'])];
  if (hasBasic && isObject(gang)) {
    const text = 'exactly one of `basic`, `gang` is required, but multiple fields are set';
    return [invalid(at, '{`basic`, `gang`}', text)];
  }
  if (!isObject(gang)) return hasBasic ? [] : [required(at, 'exactly one of `basic`, `gang` is required')];
  const { minCount = 0 } = gang as { readonly minCount?: number };
  return minCount > 0 ? [] : [invalid(at.child('gang').child('minCount'), minCount, 'must be greater than zero')];
}

/** How a group is disrupted, and its priority. Since 1.37 the mode is a struct. */
function disruptionErrors(spec: unknown, at: FieldPath): readonly FieldError[] {
  const mode = valueAt(spec, ['disruptionMode']);
  const className = textOf(valueAt(spec, ['priorityClassName']));
  const priority = valueAt(spec, ['priority']);
  const priorityAt = at.child('priority');
  const modeAt = at.child('disruptionMode');
  return [
    ...(isObject(mode) ? unionErrors(mode, ['single', 'all'], modeAt) : []),
    ...oneOf(modeAt, typeof mode === 'string' ? mode : undefined, ['Pod', 'PodGroup']),
    ...(className === ''
      ? []
      : invalidFormat(at.child('priorityClassName'), className, dnsSubdomainProblems(className))),
    ...(typeof priority === 'number' && priority > highestPriority
      ? [invalid(priorityAt, priority, `must be less than or equal to ${highestPriority}`)]
      : []),
  ];
}

/** HighestUserDefinablePriority */
const highestPriority = 1_000_000_000;

/**
 * What of a group or its Workload may not change: each of its fields is judged when it is new, and never again. Not of
 * 1.37, where the number of a gang may.
 */
export function groupChanges(next: Judged, old: Judged, { featureGates }: Release): FieldError[] {
  const isFirst = next.apiVersion === firstVersion;
  if (!isFirst && next.apiVersion !== 'scheduling.k8s.io/v1alpha2') return [];
  const preemption = featureGates.has('WorkloadAwarePreemption')
    ? ['disruptionMode', 'priorityClassName', 'priority']
    : [];
  const fields =
    next.kind === 'PodGroup'
      ? ['podGroupTemplateRef', 'schedulingPolicy', ...preemption]
      : ['controllerRef', isFirst ? 'podGroups' : 'podGroupTemplates'];
  return fields.flatMap((field) => {
    const [now, before] = [next, old].map(
      ({ spec }) => valueAt(spec, [field]) ?? (field === 'disruptionMode' ? 'Pod' : null),
    );
    if (jsonOf(now) === jsonOf(before)) return [];
    if (isFirst && before === null && isObject(now)) return [...controllerErrors(now, specAt.child(field))];
    return [invalid(specAt.child(field), isFirst ? now : null, 'field is immutable')];
  });
}

/** The same for objects with the same fields, in whatever order they are written. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  );
}

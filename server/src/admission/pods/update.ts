import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Affinity, Container, NodeAffinity, NodeSelectorTerm, Pod, PodSpec } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { latestRelease } from '../../kubernetes/releases/index.ts';
import { allOf, because, forbidden, forbiddenWithDiff, invalid, required } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { inclusiveRangeText } from '../format/names.ts';
import { type CreationOptions, validateObjectMetaUpdate } from '../format/object-meta.ts';
import { judgePodObject, podMetaRules } from './pod.ts';
import { containerAppArmor, judgePodAnnotations } from './annotations.ts';
import { withoutDisabledFields, withoutImageVolumes } from './disabled-fields.ts';
import { validateOnlyDeletedGates } from './gates.ts';
import { podUpdateRules } from './rules.ts';
import { validateOnlyAddedTolerations } from './tolerations.ts';
import { completePodSpec } from '../defaults/defaults.ts';
import { inWordsOf } from '../format/wording.ts';
import { firstDifference, semanticallyEqual } from '../format/semantic-equality.ts';

/** Source for this file: ValidatePodUpdate in pkg/apis/core/validation/validation.go */

const maxInt32 = 2 ** 31 - 1;

/** Scheduling gates may go too, but upstream's message does not say so. */
const updatableFields =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

const specPath = FieldPath.to('spec');

/**
 * Judges the update of a stored pod. Both versions with API defaults, and both before or both after the merge of
 * `matchLabelKeys` into selectors. Of a changed field that nobody may change, upstream's message ends in a line-by-line
 * difference of its internal types; that part is left out here.
 */
export function validatePodUpdate(next: Pod, old: Pod, options?: CreationOptions): FieldError[] {
  const release = options?.release ?? latestRelease;
  return [...inWordsOf(release, updateErrors(next, old, release, options))];
}

function updateErrors(next: Pod, old: Pod, release: Release, options: CreationOptions | undefined): FieldError[] {
  const oldSpec = old.spec ?? { containers: [] };
  const spec = withoutDisabledFields(admittedSpec(next, old), release, oldSpec);
  const rules = podUpdateRules(old, release);
  const errors = [
    ...validateObjectMetaUpdate(next.metadata, old.metadata, podMetaRules, FieldPath.to('metadata')),
    ...allOf(judgePodObject({ ...next, spec }, rules, options)),
    ...validateAnnotationUpdates(next.metadata?.annotations, old.metadata?.annotations),
    // Upstream judges the annotations twice, and reports twice what is wrong with them.
    ...allOf(judgePodAnnotations(next.metadata?.annotations, spec, rules, FieldPath.to('metadata', 'annotations'))),
  ];
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = goList(spec[list]);
    const place = specPath.child(list);
    if (containers.length !== goList(oldSpec[list]).length) {
      return [...errors, forbidden(place, 'pod updates may not add or remove containers')];
    }
    append(errors, validateImages(containers, place));
  }
  const deadline = validateDeadlineUpdate(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds);
  append(errors, deadline.errors);
  if (deadline.final) return errors;

  const tolerations = specPath.child('tolerations');
  const gates = specPath.child('schedulingGates');
  append(
    errors,
    because(
      'immutable',
      ...validateOnlyAddedTolerations(goList(spec.tolerations), goList(oldSpec.tolerations), rules, tolerations),
    ),
    because('gate-added', ...validateOnlyDeletedGates(spec.schedulingGates, oldSpec.schedulingGates, gates)),
  );

  let remaining = withoutUpdatableFields(withoutImageVolumes(spec, release, oldSpec), oldSpec);
  // Judged by the old gates: an update may lift the last gate and tighten the placement at once.
  if (goList(oldSpec.schedulingGates).length > 0) {
    append(errors, validateGatedUpdate(spec, oldSpec));
    remaining = withOldPlacement(remaining, oldSpec);
  }
  const after = compared(remaining, options);
  const before = compared(oldSpec, options);
  if (!semanticallyEqual(after, before, 'core/v1 PodSpec')) {
    const difference = firstDifference(after, before, 'core/v1 PodSpec');
    const place = FieldPath.from(['spec', ...difference]).printedAs(specPath);
    append(
      errors,
      because('immutable', forbiddenWithDiff(place, `pod updates may not change fields other than ${updatableFields}`)),
    );
  }
  return errors;
}

/** With all defaults, and the account that a request gets which names none. */
function compared(spec: PodSpec, options: CreationOptions | undefined): PodSpec {
  const complete = completePodSpec(spec);
  if (options?.fillsServiceAccount === false) return complete;
  const account = complete.serviceAccountName ?? 'default';
  return { ...complete, serviceAccountName: account, serviceAccount: account };
}

/** Priority and policy that an update leaves out are the stored ones. Source: plugin/pkg/admission/priority */
function admittedSpec(next: Pod, old: Pod): PodSpec {
  const spec = next.spec ?? { containers: [] };
  const priority = spec.priority ?? old.spec?.priority;
  const preemptionPolicy = spec.preemptionPolicy ?? old.spec?.preemptionPolicy;
  return {
    ...spec,
    ...(priority === undefined ? {} : { priority }),
    ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }),
  };
}

/** Source: ValidatePodSpecificAnnotationUpdates. */
function validateAnnotationUpdates(
  next: Readonly<Record<string, string>> | undefined,
  old: Readonly<Record<string, string>> | undefined,
): FieldError[] {
  const mirrorPod = 'kubernetes.io/config.mirror';
  const at = FieldPath.to('metadata', 'annotations');
  const before = new Map(Object.entries(old ?? {}));
  const after = new Map(Object.entries(next ?? {}));
  const changed = [...before.keys()].filter((key) => after.get(key) !== before.get(key));
  const added = [...after.keys()].filter((key) => !before.has(key));
  return [
    ...changed.map((key) => ({ key, verb: 'remove or update' })),
    ...added.map((key) => ({ key, verb: 'add' })),
  ].flatMap(({ key, verb }) => {
    if (key.startsWith(containerAppArmor)) return [forbidden(at.key(key), `may not ${verb} AppArmor annotations`)];
    if (key === mirrorPod) return [forbidden(at.key(key), `may not ${verb} mirror pod annotation`)];
    return [];
  });
}

/** ValidateContainerUpdates: reports images once more that creation has reported already. */
function validateImages(containers: readonly Container[], at: FieldPath): FieldError[] {
  return containers.flatMap((container, index) => {
    const place = at.index(index).child('image');
    const image = goString(container.image);
    if (image === '') return [required(place)];
    return image === image.trim() ? [] : [invalid(place, image, 'must not have leading or trailing whitespace')];
  });
}

/** A deadline may be set, and be lowered. `final`: nothing else of the update is judged. */
function validateDeadlineUpdate(
  next: number | undefined,
  old: number | undefined,
): { readonly errors: readonly FieldError[]; readonly final: boolean } {
  const at = specPath.child('activeDeadlineSeconds');
  if (next === undefined) {
    const detail = 'must not update from a positive integer to nil value';
    return { errors: old === undefined ? [] : [invalid(at, null, detail)], final: false };
  }
  if (next < 0 || next > maxInt32) return { errors: [invalid(at, next, inclusiveRangeText(0, maxInt32))], final: true };
  if (old !== undefined && old < next) {
    return { errors: [invalid(at, next, 'must be less than or equal to previous value')], final: true };
  }
  return { errors: [], final: false };
}

/** The new spec with the old values of all that an update may change. */
function withoutUpdatableFields(spec: PodSpec, old: PodSpec): PodSpec {
  const { activeDeadlineSeconds, schedulingGates, tolerations, terminationGracePeriodSeconds } = old;
  const wasNegative = terminationGracePeriodSeconds !== undefined && terminationGracePeriodSeconds < 0;
  return withFields(spec, {
    containers: withOldImages(spec.containers, old.containers),
    initContainers: withOldImages(spec.initContainers, old.initContainers),
    activeDeadlineSeconds,
    schedulingGates,
    tolerations,
    ...(wasNegative && spec.terminationGracePeriodSeconds === 1 ? { terminationGracePeriodSeconds } : {}),
  });
}

function withOldImages(
  containers: readonly Container[] | undefined,
  old: readonly Container[] | undefined,
): readonly Container[] {
  return goList(containers).map((container, index) => withFields(container, { image: goList(old)[index]?.image }));
}

/** What an update of a gated pod may do to its placement, with exact prefixes: see `onlyAdds`. */
function validateGatedUpdate(spec: PodSpec, old: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const selector = new Map(Object.entries(spec.nodeSelector ?? {}));
  const oldSelector = Object.entries(old.nodeSelector ?? {});
  if (oldSelector.some(([key, value]) => selector.get(key) !== value)) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    const refused = invalid(specPath.child('nodeSelector'), spec.nodeSelector ?? {}, detail);
    append(errors, because('gated-node-selector', refused));
  }
  const affinity = validateNodeAffinityUpdate(spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity);
  append(errors, because('gated-node-affinity', ...affinity));
  return errors;
}

/** validateNodeAffinityMutation. Preferred terms are free. */
function validateNodeAffinityUpdate(next: NodeAffinity | undefined, old: NodeAffinity | undefined): FieldError[] {
  const oldTerms = goList(old?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms);
  if (oldTerms.length === 0) return [];
  const terms = goList(next?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms);
  const at = specPath
    .child('affinity', 'nodeAffinity')
    .child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  if (terms.length !== oldTerms.length) {
    return [invalid(at, terms, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return terms.flatMap((term, index) =>
    onlyAdds(term, oldTerms[index] ?? {})
      ? []
      : [invalid(at.index(index), term, 'only additions are allowed (no mutations or deletions)')],
  );
}

/** New requirements come after the old ones; a term that had none, and so matched nothing, stays without. */
function onlyAdds(next: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = (['matchExpressions', 'matchFields'] as const).map((list) => ({
    now: goList(next[list]),
    before: goList(old[list]),
  }));
  if (lists.every(({ before }) => before.length === 0)) return lists.every(({ now }) => now.length === 0);
  return lists.every(({ now, before }) =>
    before.every((requirement, index) => semanticallyEqual(now[index], requirement, 'core/v1 NodeSelectorRequirement')),
  );
}

/** The spec with the old node selector and node affinity, where a gated pod may change them. */
function withOldPlacement(spec: PodSpec, old: PodSpec): PodSpec {
  return withFields(spec, {
    nodeSelector: old.nodeSelector,
    affinity: withOldNodeAffinity(spec.affinity, old.affinity),
  });
}

function withOldNodeAffinity(affinity: Affinity | undefined, old: Affinity | undefined): Affinity | undefined {
  const nodeAffinity = old?.nodeAffinity;
  if (semanticallyEqual(affinity?.nodeAffinity, nodeAffinity, 'core/v1 NodeAffinity')) return affinity;
  if (affinity === undefined) return nodeAffinity === undefined ? undefined : { nodeAffinity };
  if (old === undefined && affinity.podAffinity === undefined && affinity.podAntiAffinity === undefined) {
    return undefined;
  }
  return withFields(affinity, { nodeAffinity });
}

/** A copy with some fields replaced; a field that is replaced by nothing is absent from the copy. */
function withFields<T extends object>(object: T, fields: { readonly [Key in keyof T]?: T[Key] | undefined }): T {
  const copy: Partial<T> = { ...object };
  for (const name of Object.keys(fields) as (keyof T)[]) {
    const value = fields[name];
    if (value === undefined) Reflect.deleteProperty(copy, name);
    else copy[name] = value;
  }
  return copy as T;
}

import { validatePod, validatePodTemplate } from '../../../admission/pods/pod.ts';
import { defaultPod, mergeMatchLabelKeys } from '../../../kubernetes/defaults/index.ts';
import type { FieldError } from '../../../kubernetes/field-error.ts';
import type { StatefulSet } from '../../../kubernetes/objects.ts';
import type { Fact } from '../../facts.ts';
import { isStoredPod } from '../../priority-classes.ts';
import { fieldErrorFinding } from './narrow.ts';
import { isPartial } from './partial-manifest.ts';
import { holdsVariable } from './placeholders.ts';
import type { Finding, ObjectSubject } from '../rule.ts';

/** Which of the rules about the fields of pods an error belongs to. */
export type PodRule =
  | 'invalid-scheduling-gates'
  | 'invalid-node-selector'
  | 'invalid-node-affinity'
  | 'invalid-pod-affinity'
  | 'invalid-topology-spread'
  | 'invalid-toleration'
  | 'invalid-resources'
  | 'invalid-pod';

/** The first part of a pod's spec that a path names, and the rule about it. */
const rulesByPart: readonly (readonly [RegExp, PodRule])[] = [
  [/\bspec\.schedulingGates\b/, 'invalid-scheduling-gates'],
  [/\bspec\.nodeSelector\b/, 'invalid-node-selector'],
  [/\bspec\.affinity\.nodeAffinity\b/, 'invalid-node-affinity'],
  [/\bspec\.affinity\b/, 'invalid-pod-affinity'],
  [/\bspec\.topologySpreadConstraints\b/, 'invalid-topology-spread'],
  [/\bspec\.tolerations\b/, 'invalid-toleration'],
  [/\bspec\.(?:overhead|resources|(?:containers|initContainers)\[\d+\]\.resources)\b/, 'invalid-resources'],
];

function ruleOf({ field, detail }: FieldError): PodRule {
  if (field.endsWith('spec.nodeName') && detail.includes('schedulingGates')) return 'invalid-scheduling-gates';
  return rulesByPart.find(([part]) => part.test(field))?.[1] ?? 'invalid-pod';
}

/** What the API server says of the fields of a pod, or of a workload's template, as far as it belongs to one rule. */
export function* podFindings({ fact }: ObjectSubject, rule: PodRule): Iterable<Finding> {
  for (const error of errorsOf(fact)) {
    if (ruleOf(error) === rule) yield fieldErrorFinding(fact, error);
  }
}

const known = new WeakMap<Fact, readonly FieldError[]>();

function errorsOf(fact: Fact): readonly FieldError[] {
  let errors = known.get(fact);
  if (errors === undefined) {
    errors = withoutEchoes(validate(fact));
    known.set(fact, errors);
  }
  return errors;
}

/** Of an empty value that is required the API server also says that it is malformed; once is enough in an editor. */
function withoutEchoes(errors: readonly FieldError[]): readonly FieldError[] {
  const required = new Set(errors.flatMap(({ type, field }) => (type === 'FieldValueRequired' ? [field] : [])));
  return errors.filter(
    ({ type, field, value }) => type === 'FieldValueRequired' || value !== '' || !required.has(field),
  );
}

function validate(fact: Fact): readonly FieldError[] {
  const { kind, object, problems, template } = fact;
  // The record of a pod that exists is not created again.
  if (template === undefined || isStoredPod(fact)) return [];
  // A pod is judged with its defaults, after `matchLabelKeys` were merged into its selectors; a template as it is.
  const errors =
    kind === 'Pod'
      ? validatePod(mergeMatchLabelKeys(defaultPod(object)))
      : validatePodTemplate({ metadata: template.metadata, spec: template.spec }, template.path, claimsOf(fact));
  // What has a wrong type was left out of the object, and is not to be missed there.
  const isWhole = !isPartial(fact) && problems.length === 0;
  return errors.filter((error) => !isUnknown(error) && (isWhole || !isMissed(error)));
}

/** Whether an error is about a value that somebody is still to fill in. */
function isUnknown({ value }: FieldError): boolean {
  return typeof value === 'string' && holdsVariable(value);
}

/** The volumes that a StatefulSet makes claims for. */
function claimsOf({ kind, object }: Fact): readonly string[] {
  if (kind !== 'StatefulSet') return [];
  return ((object as StatefulSet).spec?.volumeClaimTemplates ?? []).map((claim) => claim.metadata?.name ?? '');
}

/** Whether an error is about something that is not written, and may well be in what a patch changes. */
function isMissed({ type, assumesWhole }: FieldError): boolean {
  return assumesWhole === true || type === 'FieldValueRequired' || type === 'FieldValueNotFound';
}

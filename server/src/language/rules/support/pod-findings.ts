import { validatePod, validatePodTemplate } from '../../../admission/pods/pod.ts';
import { defaultPod, mergeMatchLabelKeys } from '../../../kubernetes/defaults/index.ts';
import type { FieldError } from '../../../kubernetes/field-error.ts';
import type { Path } from '../../../kubernetes/json.ts';
import type { StatefulSet } from '../../../kubernetes/objects.ts';
import type { Fact } from '../../facts.ts';
import { isStoredPod } from '../../priority-classes.ts';
import { fieldErrorFinding } from './narrow.ts';
import { isPartial } from './partial-manifest.ts';
import { holdsVariable } from './placeholders.ts';
import type { Finding, ObjectSubject } from '../rule.ts';

/** The rules about single parts of a pod's spec, by the way to the part; the first that fits counts. */
const rulesByPart: readonly (readonly [way: Path, rule: string])[] = [
  [['schedulingGates'], 'invalid-scheduling-gates'],
  [['nodeSelector'], 'invalid-node-selector'],
  [['affinity', 'nodeAffinity'], 'invalid-node-affinity'],
  [['affinity'], 'invalid-pod-affinity'],
  [['topologySpreadConstraints'], 'invalid-topology-spread'],
  [['tolerations'], 'invalid-toleration'],
  [['overhead'], 'invalid-resources'],
  [['resources'], 'invalid-resources'],
  [['containers', '*', 'resources'], 'invalid-resources'],
  [['initContainers', '*', 'resources'], 'invalid-resources'],
];

function ruleOf({ path, cause }: FieldError, template: Path): string {
  if (cause === 'gates-and-node') return 'invalid-scheduling-gates';
  const [spec, ...part] = path.slice(template.length);
  if (spec !== 'spec') return 'invalid-pod';
  const leadsInto = (way: Path): boolean => way.every((step, index) => step === '*' || step === part[index]);
  return rulesByPart.find(([way]) => leadsInto(way))?.[1] ?? 'invalid-pod';
}

/** What the API server says of the fields of a pod, or of a workload's template, as far as it belongs to one rule. */
export function* podFindings({ fact }: ObjectSubject, rule: string): Iterable<Finding> {
  for (const error of errorsOf(fact)) {
    if (ruleOf(error, fact.template?.path ?? []) === rule) yield fieldErrorFinding(fact, error);
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
  return errors.filter(
    (error) => !isUnknown(error) && !isConsequence(error, problems) && (isWhole || !isMissed(error)),
  );
}

/** Whether an error is about what stands in place of a value of a wrong type, and not about what is written. */
function isConsequence({ path }: FieldError, problems: Fact['problems']): boolean {
  return problems.some((problem) => problem.path.every((step, index) => path[index] === step));
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

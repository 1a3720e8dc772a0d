import { say } from '../../util/say.ts';
import { changeRefusals } from '../../admission/request/update.ts';
import { highestUserDefinablePriority, validatePriorityClassUpdate } from '../../admission/priority/priority-class.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import { isMadeAnew } from '../../kubernetes/hooks.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { Pod } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { Fact } from '../index/fact.ts';
import type { Kind } from '../index/kinds.ts';
import { valueAt } from '../../util/values.ts';
import { classFindings } from './support/class-findings.ts';
import { changes } from './support/compared-with.ts';
import { fixAt, insertFirst, removeEntry, replaceScalar, replaceWord } from './support/edits.ts';
import { objectRefusals, refusalFinding } from './support/object-refusals.ts';
import { podFindings } from './support/pod-findings.ts';
import { podUpdateFindings } from './support/pod-update-findings.ts';
import { refusalFixes } from './support/refusal-fixes.ts';
import { refusedPodFinding } from './support/refused-pod.ts';
import { isWholeWorkload } from './support/whole-workload.ts';
import type { EarlierVersion, Finding, Fix, FixEdit, FixSubject, ObjectRule, ObjectSubject } from './support/rule.ts';

type Findings = (subject: ObjectSubject, rule: string) => Iterable<Finding>;

/** The rules that repeat what the API server says: which part of its answer each tells, and how that is mended. */
export const refusals: readonly ObjectRule[] = [
  refusal(
    'priority-mismatch',
    'A pod sets a priority that differs from the value of its class',
    (subject) => refusedPodFinding(subject, 'priority-mismatch'),
    {
      isFixSafe: true,
      fix: fixAt((fact, path) => [removal(say`Remove \`priority\`: the class decides it`, fact, path)]),
    },
  ),
  refusal(
    'preemption-policy-mismatch',
    'A pod sets a preemption policy that differs from that of its class',
    (subject) => refusedPodFinding(subject, 'policy-mismatch'),
    { fix: fixAt((fact, path) => [removal(say`Remove \`preemptionPolicy\`: the class decides it`, fact, path)]) },
  ),
  refusal('class-value-out-of-range', 'A PriorityClass has a value above 1000000000', classFindings, {
    fix: fixAt((fact, path) => [
      {
        title: say`Lower the value to ${highestUserDefinablePriority}, the highest allowed`,
        edits: [replaceWord(fact, path, String(highestUserDefinablePriority))],
      },
    ]),
  }),
  // With git it is only likely that an object exists as it was committed; deleting and creating it again is legal.
  refusal(
    'class-changed',
    'The value or the preemption policy of an existing PriorityClass changes',
    (subject) => changes(subject, classChanges, 'error'),
    { severity: 'warning' },
  ),
  refusal('gate-added', 'A scheduling gate is added to a pod that exists already', podUpdateFindings, {
    fix: fixAt(takeBackGate),
  }),
  refusal('gated-node-selector', 'The nodeSelector of a gated pod loses or changes an entry', podUpdateFindings, {
    fix: fixAt(putBackEntries),
  }),
  refusal('invalid-priority-class', 'Another field of a PriorityClass that the API server refuses', classFindings),
  refusal(
    'gated-node-affinity',
    'The required node affinity of a gated pod changes in another way than by added requirements',
    podUpdateFindings,
  ),
  refusal('immutable-pod-field', 'A field of an existing pod changes that may not change', podUpdateFindings, {
    severity: 'warning',
  }),
  refusal('invalid-scheduling-gates', 'Scheduling gates that the API server refuses', podFindings),
  refusal('invalid-node-selector', 'A nodeSelector that the API server refuses', podFindings),
  refusal('invalid-node-affinity', 'Node affinity that the API server refuses', podFindings),
  refusal('invalid-pod-affinity', 'Pod affinity or anti-affinity that the API server refuses', podFindings),
  refusal('invalid-topology-spread', 'Topology spread constraints that the API server refuses', podFindings),
  refusal('invalid-toleration', 'A toleration that the API server refuses', podFindings),
  refusal('invalid-resources', 'Resources or overhead that the API server refuses', podFindings),
  refusal('invalid-pod', 'Another field of a pod that the API server refuses', podFindings),
  refusal(
    'immutable-workload-field',
    'A field of an existing workload changes that may not change',
    (subject) => changes(subject, workloadChanges, 'error'),
    { severity: 'warning' },
  ),
  refusal(
    'immutable-object-field',
    'A field of an existing volume, claim, class, quota or node changes that may not change',
    (subject) => changes(subject, objectChanges, 'error'),
    { severity: 'warning' },
  ),
  refusal(
    'invalid-disruption-budget',
    'A PodDisruptionBudget that the API server refuses',
    allOfKind('PodDisruptionBudget'),
  ),
  refusal('invalid-quota', 'A ResourceQuota that the API server refuses', allOfKind('ResourceQuota')),
];

function refusal(code: string, title: string, findings: Findings, more: Partial<ObjectRule> = {}): ObjectRule {
  return {
    code,
    title,
    severity: 'error',
    scope: 'object',
    check: (subject) => findings(subject, code),
    fix: refusalFixes,
    ...more,
  };
}

/** All that is said of objects of a kind. */
function allOfKind(kind: Kind): Findings {
  return function* (subject) {
    const { fact, release } = subject;
    if (fact.kind !== kind) return;
    for (const refusal of objectRefusals(fact, release)) yield* refusalFinding(subject, refusal);
  };
}

/** Of the metadata every kind tells the same. */
function classChanges({ kind, object }: Fact, { object: old }: EarlierVersion): readonly FieldError[] {
  if (kind !== 'PriorityClass' || isMadeAnew(object)) return [];
  return validatePriorityClassUpdate(object, old).filter(({ at: { path } }) => path[0] !== 'metadata');
}

function workloadChanges(fact: Fact, { source, object: old }: EarlierVersion, release: Release): readonly FieldError[] {
  if (fact.object === old || !isWholeWorkload(fact) || isMadeAnew(fact.object)) return [];
  const errors = changeRefusals(fact.object, old, release).map((error) => ({
    ...error,
    // What the server has filled in says nothing to whoever changes the rest.
    value: valueAt(fact.object, error.at.text.split('.')) ?? error.value,
  }));
  // The template of a job in the cluster has labels and defaults that nobody wrote, and the job may be gone by now.
  const isCertain = source === 'git' || old.kind !== 'Job';
  return isCertain ? errors : errors.filter(({ at: { path } }) => path[1] !== 'template');
}

/** Of the others but pods and classes of priority, which have rules of their own. What is read from a cluster is no change. */
function objectChanges(fact: Fact, { object: old }: EarlierVersion, release: Release): readonly FieldError[] {
  const { kind, object, problems } = fact;
  const isTold = fact.template !== undefined || kind === 'PriorityClass' || isMadeAnew(object);
  if (object === old || isTold || problems.length > 0 || object.metadata?.uid !== undefined) return [];
  return changeRefusals(object, old, release);
}

function removal(title: string, fact: Fact, path: Path): Fix {
  return { title, preferred: true, edits: [removeEntry(fact, path)] };
}

/** The finding points at the name of a gate, which is an item of a list; without its last item the list goes too. */
function takeBackGate(fact: Fact, path: Path): readonly Fix[] {
  const list = path.slice(0, -2);
  const gates = valueAt(fact.manifest.value, list);
  const isOnly = Array.isArray(gates) && gates.length === 1;
  return [removal(say`Take back the gate`, fact, isOnly ? list : path.slice(0, -1))];
}

function putBackEntries(fact: Fact, path: Path, { earlierOf }: FixSubject): readonly Fix[] {
  const old = earlierOf(fact)
    .map(({ object }) => (object as Pod).spec?.nodeSelector)
    .find((selector) => selector !== undefined);
  const written = valueAt(fact.manifest.value, path);
  if (old === undefined || written === undefined) return [];
  const edits = Object.entries(old).flatMap(([key, value]): FixEdit[] => {
    const now = valueAt(written, [key]);
    if (now === value) return [];
    return [now === undefined ? insertFirst(fact, path, key, value) : replaceScalar(fact, [...path, key], value)];
  });
  return edits.length === 0 ? [] : [{ title: say`Put the entries back as they were`, preferred: true, edits }];
}

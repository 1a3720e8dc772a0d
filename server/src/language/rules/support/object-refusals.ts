import { getOrInsert } from '../../../util/maps.ts';
import { say } from '../../../util/say.ts';
import { isLeftToValues, type Refusal, refusalsInSteps, refusalsOf } from '../../../admission/request/judgment.ts';
import type { FieldError } from '../../../kubernetes/field-error.ts';
import { restsOnWhole } from '../../../admission/format/written.ts';
import { isWorkloadKind } from '../../../kubernetes/pod-template.ts';
import type { Release } from '../../../kubernetes/release.ts';
import type { Fact } from '../../index/fact.ts';
import { isStoredPod } from '../../index/priority-classes.ts';
import { nearestNames } from '../../../util/nearest-names.ts';
import { valueAt } from '../../../util/values.ts';
import { fieldErrorFinding } from './narrow.ts';
import type { Finding, ObjectSubject } from './rule.ts';

const known = new WeakMap<Release, WeakMap<Fact, readonly Refusal[]>>();

/** What the API server refuses of an object, as far as it is about what is written. */
export function objectRefusals(fact: Fact, release: Release): readonly Refusal[] {
  const refusals = getOrInsert(known, release, () => new WeakMap());
  return getOrInsert(refusals, fact, () => judge(fact, release));
}

/** Has an object judged before somebody asks for it, in steps. */
export function* judgeInSteps(fact: Fact, release: Release): Generator<void, void> {
  const { object } = fact;
  yield;
  if (isCreated(fact)) yield* refusalsInSteps(object, release);
}

/** Not the record of a pod that exists, nor what a controller makes of what is written. */
function isCreated(fact: Fact): boolean {
  return !isStoredPod(fact) && fact.object.kind === fact.kind;
}

function judge(fact: Fact, release: Release): readonly Refusal[] {
  if (!isCreated(fact)) return [];
  const { problems } = fact;
  const refusals = refusalsOf(fact.object, release).filter(({ isEcho }) => !isEcho);
  if (problems.length === 0) return refusals;
  // What has a wrong type was left out of the object, and is not to be missed there.
  const isOfPods = ({ ofTemplate }: FieldError): boolean => fact.kind === 'Pod' || ofTemplate === true;
  const left = new Set(problems.map(({ path }) => JSON.stringify(path)));
  return refusals.filter(
    ({ error }) =>
      (isOfPods(error) || !isWorkloadKind(fact.kind)) && !isConsequence(error, left) && !restsOnWhole(error),
  );
}

/** Whether an error is about what stands in place of a value of a wrong type, and not about what is written. */
function isConsequence({ at: { path } }: FieldError, left: ReadonlySet<string>): boolean {
  for (let length = 0; length <= path.length; length += 1) {
    if (left.has(JSON.stringify(path.slice(0, length)))) return true;
  }
  return false;
}

/** A refusal, unless it would only be one if a manifest were whole that looks like a part. */
export function* refusalFinding(
  { fact, knowsPatches }: ObjectSubject,
  { error, doubt, more }: Refusal,
): Iterable<Finding> {
  if (doubt === 'part' && !knowsPatches) return;
  const isLeft = fact.manifest.rendering?.hasOnlyOwnValues === true && isLeftToValues(error);
  const isDoubtful = (doubt !== 'none' && !knowsPatches) || isLeft;
  const found = fieldErrorFinding(fact, error);
  const near = misspeltContainer(fact, error);
  const finding = near === '' ? found : { ...found, message: say`${found.message}. ${near}` };
  const { gate } = error;
  yield {
    ...finding,
    ...(gate === undefined
      ? {}
      : { message: say`${finding.message}. The feature gate ${gate} allows it (podium.kubernetes.featureGates)` }),
    // The cluster may have switched it on.
    ...(isDoubtful || gate !== undefined ? { severity: 'warning' as const } : {}),
    ...(more === undefined ? {} : { more }),
  };
}

/** A container without an image in what a source made: mostly a patch has misspelt the name of another one. */
function misspeltContainer(fact: Fact, { at: { path }, type }: FieldError): string {
  const [list, index, field] = path.slice(-3);
  if (type !== 'FieldValueRequired' || field !== 'image' || typeof index !== 'number') return '';
  if (fact.manifest.rendering === undefined || !String(list).toLowerCase().endsWith('containers')) return '';
  const containers = valueAt(fact.manifest.value, path.slice(0, -2));
  if (!Array.isArray(containers)) return '';
  const names = containers.map((container) => asText(valueAt(container, ['name'])));
  const name = names[index] ?? '';
  const others = names.filter((other, at) => at !== index && other !== '');
  const [near] = nearestNames(name, others, 2);
  if (others.length === 0) return '';
  const hint = near === undefined ? '' : say`; did you mean ${near}?`;
  return say`No container ${name} is there to patch${hint}`;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

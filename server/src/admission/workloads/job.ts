import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import type { CronJob, Job, PodTemplateSpec } from '../../kubernetes/objects.ts';
import type { Path } from '../../kubernetes/json.ts';
import { unknownUid } from '../defaults/prepare.ts';
import { validateManagedBy, validatePolicies } from './job-policies.ts';
import { isTimeZone, scheduleProblem } from './cron-schedule.ts';
import { type Batches, invalid, invalidFormat, notSupported, required } from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goString } from '../format/go-zero.ts';
import { validateNonNegative } from '../format/int-or-percent.ts';
import { judgeLabelSelector } from '../format/label-selector.ts';
import { byteLength, dnsLabelProblems, labelValueProblems } from '../format/names.ts';

/** What is said of the pod template, in the place among the others where upstream says it. */
export type JudgeTemplate = (template: PodTemplateSpec, path: Path, claims?: readonly string[]) => Batches;

/**
 * Jobs and CronJobs.
 * Source for this file: pkg/apis/batch/validation/validation.go
 */

type JobSpec = NonNullable<Job['spec']>;

const nameAt = FieldPath.to('metadata', 'name');

/** A job's name, eleven characters shorter than a label: a CronJob's jobs are named after it and the minute. */
const maxCronJobNameLength = 52;

/** maxParallelismForIndexedJob, maxFailedIndexesForIndexedJob, completionsSoftLimit. */
const maxIndexed = 100_000;

/** The labels that a job gives its pods, with its name as their value. Source: pkg/apis/batch/types.go */
const nameLabels: readonly string[] = ['job-name', 'batch.kubernetes.io/job-name'];

/**
 * ValidateJob. Where the server writes a selector of its own, it is not yet written, unless `generated`: then labels and
 * selector are judged as they are.
 */
export function* judgeJob({ metadata, spec }: Job, judge: JudgeTemplate, generated = false): Batches {
  if (spec === undefined) return;
  const at = FieldPath.to('spec');
  const name = goString(metadata?.name);
  const isManual = spec.manualSelector === true;
  if (!isManual && !generated) yield* judgeGeneratedSelector(name, spec, at);
  if (!isManual && generated) yield validateGeneratedLabels(name, metadata?.uid ?? unknownUid, spec, at);
  yield* judgeJobSpec(spec, at, judge);
  if (isManual || generated) yield* judgeWrittenSelector(spec, at);
  yield validateIndexedName(name, spec);
}

/** ValidateCronJobCreate. */
export function* judgeCronJob({ metadata, spec }: CronJob, judge: JudgeTemplate): Batches {
  let errors: FieldError[] = [];
  const at = FieldPath.to('spec');
  const schedule = goString(spec.schedule);
  const scheduleAt = at.child('schedule');
  if (schedule === '') {
    errors.push(required(scheduleAt));
  } else {
    const problem = scheduleProblem(schedule);
    if (problem !== undefined) errors.push(invalid(scheduleAt, schedule, problem));
    if (schedule.includes('TZ')) {
      const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
      errors.push(invalid(scheduleAt, schedule, detail));
    }
  }
  append(errors, validateNonNegative(spec.startingDeadlineSeconds, at.child('startingDeadlineSeconds')));
  append(errors, validateTimeZone(spec.timeZone, at.child('timeZone')));
  const policies = ['Allow', 'Forbid', 'Replace'];
  const policy = goString(spec.concurrencyPolicy) || 'Allow';
  if (!policies.includes(policy)) errors.push(notSupported(at.child('concurrencyPolicy'), policy, policies));
  const job = spec.jobTemplate.spec;
  if (job !== undefined) {
    const jobAt = at.child('jobTemplate', 'spec');
    yield errors;
    errors = [];
    yield* judgeJobSpec(job, jobAt, judge);
    if (job.selector !== undefined) {
      errors.push(invalid(jobAt.child('selector'), job.selector, '`selector` will be auto-generated'));
    }
    if (job.manualSelector === true) errors.push(notSupported(jobAt.child('manualSelector'), true, ['nil', 'false']));
  }
  append(
    errors,
    validateNonNegative(spec.successfulJobsHistoryLimit, at.child('successfulJobsHistoryLimit')),
    validateNonNegative(spec.failedJobsHistoryLimit, at.child('failedJobsHistoryLimit')),
  );
  const name = goString(metadata?.name);
  if (byteLength(name) > maxCronJobNameLength) {
    errors.push(invalid(nameAt, name, `must be no more than ${maxCronJobNameLength} characters`));
  }
  yield errors;
}

/** validateGeneratedSelector, of a job that has what the server generates. */
function validateGeneratedLabels(
  name: string,
  uid: string,
  { selector, template }: JobSpec,
  at: FieldPath,
): FieldError[] {
  if (selector === undefined) return [];
  const errors: FieldError[] = [];
  const labels = template.metadata?.labels;
  const expected = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  for (const [label, value] of Object.entries(expected)) {
    const place = at.child('template', 'metadata', 'labels').key(label);
    if (labels?.[label] === undefined) errors.push(required(place, `must be '${value}'`));
    else if (labels[label] !== value) errors.push(invalid(place, labels, `must be '${value}'`));
  }
  const { invalid: problem, matches } = compileLabelSelector(selector);
  if (problem === undefined && !matches(expected)) {
    errors.push(invalid(at.child('selector'), selector, '`selector` not auto-generated'));
  }
  return errors;
}

/** The part of ValidateJobSpec about selectors that are there. */
function* judgeWrittenSelector({ selector, template }: JobSpec, at: FieldPath): Batches {
  const selectorAt = at.child('selector');
  if (selector === undefined) yield [required(selectorAt)];
  yield* judgeLabelSelector(selector, selectorAt);
  const { invalid: problem, matches } = compileLabelSelector(selector);
  const labels = template.metadata?.labels;
  if (problem === undefined && !matches(labels)) {
    const detail = '`selector` does not match template `labels`';
    yield [invalid(at.child('template', 'metadata', 'labels'), labels ?? null, detail)];
  }
}

/**
 * validateGeneratedSelector: the server adds labels with the job's name and uid to the template, and its uid to the
 * selector, where these are not written; what is written may then require nothing else.
 * Source of what is added: generateSelector in pkg/registry/batch/job/strategy.go
 */
function* judgeGeneratedSelector(name: string, { selector, template }: JobSpec, at: FieldPath): Batches {
  const errors: FieldError[] = [];
  const labelsAt = at.child('template', 'metadata', 'labels');
  const labels = template.metadata?.labels ?? {};
  for (const label of nameLabels) {
    const value = Object.hasOwn(labels, label) ? labels[label] : name;
    if (name !== '' && value !== name) errors.push(invalid(labelsAt.key(label), labels, `must be '${name}'`));
  }
  // The name becomes the value of labels, which is shorter. A generated name is short enough.
  const printed = at.child('template', 'labels');
  append(errors, invalidFormat(nameAt.printedAs(printed), name, labelValueProblems(name)));
  yield errors;
  if (selector === undefined) return;
  yield* judgeLabelSelector(selector, at.child('selector'));
  const generated = Object.fromEntries(nameLabels.map((label) => [label, name]));
  const { invalid: problem, matches } = compileLabelSelector(selector);
  if (problem === undefined && !matches(generated)) {
    yield [invalid(at.child('selector'), selector, '`selector` not auto-generated')];
  }
}

/** validateJobSpec. */
function* judgeJobSpec(spec: JobSpec, at: FieldPath, judge: JudgeTemplate): Batches {
  const counts = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const;
  yield counts.flatMap((field) => validateNonNegative(spec[field], at.child(field)));
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    yield [required(at.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified')];
  }
  yield validateManagedBy(spec.managedBy, at.child('managedBy'));
  yield validateCompletionMode(spec, at);
  yield validatePolicies(spec, at);
  yield validatePodReplacement(spec, at.child('podReplacementPolicy'));
  yield* judge(spec.template, at.child('template').path);
  yield validateRestartPolicy(spec, at.child('template', 'spec', 'restartPolicy'));
}

function validateCompletionMode(spec: JobSpec, at: FieldPath): FieldError[] {
  const { completionMode, completions, parallelism, backoffLimitPerIndex, maxFailedIndexes } = spec;
  const errors: FieldError[] = [];
  if (completionMode === 'Indexed') {
    if (completions === undefined) errors.push(required(at.child('completions'), 'when completion mode is Indexed'));
    if (parallelism !== undefined && parallelism > maxIndexed) {
      const detail = `must be less than or equal to ${maxIndexed} when completion mode is Indexed`;
      errors.push(invalid(at.child('parallelism'), parallelism, detail));
    }
    if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
      errors.push(invalid(at.child('maxFailedIndexes'), maxFailedIndexes, 'must be less than or equal to completions'));
    }
    const most = (field: 'parallelism' | 'maxFailedIndexes', limit: number, when = ''): void => {
      const value = spec[field] ?? 0;
      if (value > limit) errors.push(invalid(at.child(field), value, `must be less than or equal to ${limit}${when}`));
    };
    most('maxFailedIndexes', maxIndexed);
    if (completions !== undefined && completions > maxIndexed && backoffLimitPerIndex !== undefined) {
      if (maxFailedIndexes === undefined) {
        const detail = `must be specified when completions is above ${maxIndexed}`;
        errors.push(required(at.child('maxFailedIndexes'), detail));
      }
      const when = ` when completions are above ${maxIndexed} and used with backoff limit per index`;
      most('parallelism', maxIndexed / 10, when);
      most('maxFailedIndexes', maxIndexed / 10, when);
    }
    return errors;
  }
  if (completionMode !== undefined && completionMode !== 'NonIndexed') {
    errors.push(notSupported(at.child('completionMode'), completionMode, ['NonIndexed', 'Indexed']));
    return errors;
  }
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
    if (spec[field] !== undefined) {
      errors.push(invalid(at.child(field), spec[field], 'requires indexed completion mode'));
    }
  }
  return errors;
}

/** validatePodReplacementPolicy. */
function validatePodReplacement({ podReplacementPolicy, podFailurePolicy }: JobSpec, at: FieldPath): FieldError[] {
  if (podReplacementPolicy === undefined) return [];
  const supported = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return supported.includes(podReplacementPolicy) ? [] : [notSupported(at, podReplacementPolicy, supported)];
}

function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, at: FieldPath): FieldError[] {
  const policy = goString(template.spec?.restartPolicy);
  if (policy === '' || policy === 'Always') return [required(at, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(at, policy, ['OnFailure', 'Never'])];
  return podFailurePolicy === undefined || policy === 'Never'
    ? []
    : [invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

/** The pods of an indexed job are named after it and their index, and so are their hosts. */
function validateIndexedName(name: string, { completionMode, completions }: JobSpec): FieldError[] {
  if (completionMode !== 'Indexed' || completions === undefined || completions <= 0 || name === '') return [];
  const longest = `${name}-${completions - 1}`;
  if (dnsLabelProblems(longest).length === 0) return [];
  return [invalid(nameAt, name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

function validateTimeZone(timeZone: string | undefined, at: FieldPath): FieldError[] {
  if (timeZone === undefined) return [];
  if (timeZone === '') return [invalid(at, timeZone, 'timeZone must be nil or non-empty string')];
  const isName = timeZone
    .split('/')
    .every((part) => part !== '.' && part !== '..' && /^(?!-)[A-Za-z.\-_0-9+]{1,14}$/.test(part));
  const unknown = invalid(at, timeZone, `unknown time zone ${timeZone}`);
  if (!isName) return [unknown];
  if (timeZone.toLowerCase() !== 'local') return isTimeZone(timeZone) ? [] : [unknown];
  return [
    invalid(at, timeZone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'),
    ...(timeZone === 'Local' ? [] : [unknown]),
  ];
}

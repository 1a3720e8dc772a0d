import { append } from '../../util/append.ts';
import type { Release } from '../../kubernetes/release.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { HorizontalPodAutoscaler } from '../../kubernetes/objects.ts';
import {
  compareQuantities,
  formatQuantity,
  integerQuantity,
  isQuantityError,
  parseQuantity,
} from '../../kubernetes/quantity.ts';
import {
  type Batches,
  forbidden,
  inBatches,
  invalid,
  invalidFormat,
  notSupported,
  required,
} from '../format/field-errors.ts';
import { FieldPath } from '../format/field-path.ts';
import { goList, goNumber, goString } from '../format/go-zero.ts';
import { dnsLabelProblems, dnsSubdomainProblems, pathSegmentProblems } from '../format/names.ts';
import type { MetaRules } from '../format/object-meta.ts';
import { validateContainerResourceName } from '../format/resource-names.ts';

/** Source for this file: pkg/apis/autoscaling/validation/validation.go */

type Spec = HorizontalPodAutoscaler['spec'];
type Metric = NonNullable<Spec['metrics']>[number];
type Target = NonNullable<Metric['resource']>['target'];
type Rules = NonNullable<NonNullable<Spec['behavior']>['scaleUp']>;

/** Source: MaxPeriodSeconds, MaxStabilizationWindowSeconds */
const maxPeriodSeconds = 1800;
const maxStabilizationWindowSeconds = 3600;

export const autoscalerMetaRules: MetaRules = {
  namespaced: true,
  nameProblems: dnsSubdomainProblems,
  coreFinalizers: true,
};

const specAt = FieldPath.to('spec');

export function* judgeAutoscalerSpec(spec: Spec, release: Release): Batches {
  const errors: FieldError[] = [];
  const { minReplicas } = spec;
  const maxReplicas = goNumber(spec.maxReplicas);
  const least = release.featureGates.has('HPAScaleToZero') ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < least) {
    const refusal = invalid(specAt.child('minReplicas'), minReplicas, `must be greater than or equal to ${least}`);
    errors.push(minReplicas === 0 ? { ...refusal, gate: 'HPAScaleToZero' } : refusal);
  }
  const maxAt = specAt.child('maxReplicas');
  const { wantsMaximumOfAutoscalers } = release.behaviours;
  if (maxReplicas === 0 && wantsMaximumOfAutoscalers) {
    errors.push(required(maxAt, 'must be set and greater than 0'));
  } else if (maxReplicas < 1) {
    const detail = `must be greater than ${wantsMaximumOfAutoscalers ? 'or equal to 1' : '0'}`;
    errors.push(invalid(maxAt, maxReplicas, detail));
  }
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const detail = 'must be greater than or equal to `minReplicas`';
    errors.push(invalid(specAt.child('maxReplicas'), maxReplicas, detail));
  }
  const behaviorAt = specAt.child('behavior');
  yield errors;
  yield validateReference(spec.scaleTargetRef, specAt.child('scaleTargetRef'), true);
  // The older form of an autoscaler says this instead of a metric. Source: pkg/apis/autoscaling/v1/conversion.go
  const { targetCPUUtilizationPercentage: target = 1 } = spec as { readonly targetCPUUtilizationPercentage?: number };
  if (target < 1) {
    const printed = specAt.child('metrics').index(0).child('resource', 'target', 'averageUtilization');
    const place = specAt.child('targetCPUUtilizationPercentage').printedAs(printed);
    yield [invalid(place, target, 'must be greater than 0')];
  }
  yield* judgeMetrics(goList(spec.metrics), minReplicas, specAt.child('metrics'));
  for (const field of ['scaleUp', 'scaleDown'] as const) {
    yield validateScalingRules(spec.behavior?.[field], behaviorAt.child(field), release);
  }
}

interface Reference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** ValidateCrossVersionObjectReference. What is scaled may not be of the core group without saying so. */
function validateReference(reference: Reference, at: FieldPath, needsGroup: boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['kind', 'name'] as const) {
    const value = goString(reference[field]);
    const place = at.child(field);
    if (value === '') errors.push(required(place));
    else append(errors, invalidFormat(place, value, pathSegmentProblems(value)));
  }
  const apiVersion = goString(reference.apiVersion);
  const versionAt = at.child('apiVersion');
  const parts = apiVersion.split('/');
  if (parts.length > 2) {
    errors.push(invalid(versionAt, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  } else if (
    needsGroup &&
    (parts.length < 2 || parts[0] === '') &&
    apiVersion !== '/' &&
    goString(reference.kind) !== 'ReplicationController'
  ) {
    errors.push(invalid(versionAt, apiVersion, 'apiVersion must specify API group'));
  }
  return errors;
}

function* judgeMetrics(metrics: readonly Metric[], minReplicas: number | undefined, at: FieldPath): Batches {
  yield* inBatches(metrics, (metric, index) => validateMetric(metric, at.index(index)));
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    yield [forbidden(at, 'must specify at least one Object or External metric to support scaling to zero replicas')];
  }
}

const sourceTypes: readonly string[] = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
/** In the order in which upstream looks for them: the first that is there is judged. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

function validateMetric(metric: Metric, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const type = goString(metric.type);
  const typeAt = at.child('type');
  if (type === '') errors.push(required(typeAt, 'must specify a metric source type'));
  if (!sourceTypes.includes(type)) errors.push(notSupported(typeAt, type, sourceTypes));
  const present = sources.filter((source) => metric[source] !== undefined);
  if (present[0] !== undefined) append(errors, validateSource(metric, present[0], at.child(present[0])));
  const expected = sources.find((source) => source === type.charAt(0).toLowerCase() + type.slice(1));
  if (!sourceTypes.includes(type) || expected === undefined) {
    errors.push(notSupported(typeAt, type, sourceTypes));
  } else if (metric[expected] === undefined) {
    errors.push(required(at.child(expected), 'must populate information for the given metric source'));
  }
  if (present.length !== 1) {
    for (const source of present) {
      if (source !== expected) errors.push(forbidden(at.child(source), 'must populate the given metric source only'));
    }
  }
  return errors;
}

function validateSource(metric: Metric, source: (typeof sources)[number], at: FieldPath): FieldError[] {
  switch (source) {
    case 'object': {
      const { describedObject, metric: identifier, target } = metric.object!;
      return [
        ...validateReference(describedObject, at.child('describedObject'), false),
        ...validateIdentifier(identifier, at.child('metric')),
        ...validateTarget(target, at.child('target')),
        ...(target.value === undefined && target.averageValue === undefined
          ? [required(at.child('target', 'averageValue'), 'must set either a target value or averageValue')]
          : []),
      ];
    }
    case 'external': {
      const { metric: identifier, target } = metric.external!;
      const errors = [
        ...validateIdentifier(identifier, at.child('metric')),
        ...validateTarget(target, at.child('target')),
      ];
      if (target.value === undefined && target.averageValue === undefined) {
        const detail = 'must set either a target value for metric or a per-pod target';
        errors.push(required(at.child('target', 'averageValue'), detail));
      }
      if (target.value !== undefined && target.averageValue !== undefined) {
        const detail = 'may not set both a target value for metric and a per-pod target';
        errors.push(forbidden(at.child('target', 'value'), detail));
      }
      return errors;
    }
    case 'pods': {
      const { metric: identifier, target } = metric.pods!;
      return [
        ...validateIdentifier(identifier, at.child('metric')),
        ...validateTarget(target, at.child('target')),
        ...(target.averageValue === undefined
          ? [required(at.child('target', 'averageValue'), 'must specify a positive target averageValue')]
          : []),
      ];
    }
    case 'resource': {
      const { name, target } = metric.resource!;
      return [
        ...(goString(name) === '' ? [required(at.child('name'), 'must specify a resource name')] : []),
        ...validateResourceTarget(target, at),
      ];
    }
    case 'containerResource': {
      const { name, container, target } = metric.containerResource!;
      return [
        ...(goString(name) === ''
          ? [required(at.child('name'), 'must specify a resource name')]
          : validateContainerResourceName(name, at.child('name'))),
        ...(goString(container) === ''
          ? [required(at.child('container'), 'must specify a container')]
          : invalidFormat(at.child('container'), container, dnsLabelProblems(container))),
        ...validateResourceTarget(target, at),
      ];
    }
  }
}

function validateResourceTarget(target: Target, at: FieldPath): FieldError[] {
  const errors = validateTarget(target, at.child('target'));
  const utilization = target.averageUtilization !== undefined;
  const value = target.averageValue !== undefined;
  if (!utilization && !value) {
    const detail = 'must set either a target raw value or a target utilization';
    errors.push(required(at.child('target', 'averageUtilization'), detail));
  }
  if (utilization && value) {
    const detail = 'may not set both a target raw value and a target utilization';
    errors.push(forbidden(at.child('target', 'averageValue'), detail));
  }
  return errors;
}

/** validateMetricTarget. */
function validateTarget(target: Target, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const type = goString(target.type);
  if (type === '') errors.push(required(at.child('type'), 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(invalid(at.child('type'), type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const field of ['value', 'averageValue'] as const) {
    const written = target[field];
    const quantity = written === undefined ? undefined : parseQuantity(written);
    if (quantity === undefined || isQuantityError(quantity)) continue;
    if (compareQuantities(quantity, integerQuantity(0)) <= 0) {
      errors.push(invalid(at.child(field), formatQuantity(quantity), 'must be positive'));
    }
  }
  const utilization = target.averageUtilization;
  if (utilization !== undefined && utilization < 1) {
    errors.push(invalid(at.child('averageUtilization'), utilization, 'must be greater than 0'));
  }
  return errors;
}

function validateIdentifier({ name }: { readonly name?: string }, at: FieldPath): FieldError[] {
  const value = goString(name);
  const place = at.child('name');
  if (value === '') return [required(place, 'must specify a metric name')];
  return invalidFormat(place, value, pathSegmentProblems(value));
}

function validateScalingRules(rules: Rules | undefined, at: FieldPath, { featureGates }: Release): FieldError[] {
  if (rules === undefined) return [];
  const errors: FieldError[] = [];
  const { stabilizationWindowSeconds: window, selectPolicy } = rules;
  const windowAt = at.child('stabilizationWindowSeconds');
  if (window !== undefined && window < 0) {
    errors.push(invalid(windowAt, window, 'must be greater than or equal to zero'));
  }
  if (window !== undefined && window > maxStabilizationWindowSeconds) {
    errors.push(invalid(windowAt, window, `must be less than or equal to ${maxStabilizationWindowSeconds}`));
  }
  const policies = ['Disabled', 'Max', 'Min'];
  if (selectPolicy !== undefined && !policies.includes(selectPolicy)) {
    errors.push(notSupported(at.child('selectPolicy'), selectPolicy, policies));
  }
  const policiesAt = at.child('policies');
  if (goList(rules.policies).length === 0) errors.push(required(policiesAt, 'must specify at least one Policy'));
  goList(rules.policies).forEach((policy, index) => {
    const place = policiesAt.index(index);
    if (policy.type !== 'Pods' && policy.type !== 'Percent') {
      errors.push(notSupported(place.child('type'), goString(policy.type), ['Percent', 'Pods']));
    }
    for (const field of ['value', 'periodSeconds'] as const) {
      const amount = goNumber(policy[field]);
      if (amount <= 0) errors.push(invalid(place.child(field), amount, 'must be greater than zero'));
    }
    if (goNumber(policy.periodSeconds) > maxPeriodSeconds) {
      const detail = `must be less than or equal to ${maxPeriodSeconds}`;
      errors.push(invalid(place.child('periodSeconds'), policy.periodSeconds, detail));
    }
  });
  const toleranceAt = at.child('tolerance');
  // Dropped while its gate is off. Source: dropDisabledFields in pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go
  const isRead = featureGates.has('HPAConfigurableTolerance') && rules.tolerance !== undefined;
  const tolerance = isRead ? parseQuantity(rules.tolerance) : undefined;
  if (tolerance !== undefined && !isQuantityError(tolerance) && tolerance.nanos < 0n) {
    errors.push(invalid(toleranceAt, formatQuantity(tolerance), 'must be greater than or equal to 0'));
  }
  return errors;
}

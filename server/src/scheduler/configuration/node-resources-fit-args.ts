import type { JsonObject } from '../../kubernetes/json.ts';
import {
  defaultPluginArgs,
  type NodeResourcesFitArgs,
  type ResourceWeight,
  type ShapePoint,
} from '../framework/profile.ts';
import type { ResourceFields, ScoringStrategyFields } from './fields.ts';
import type { Place } from './place.ts';

type Strategy = NodeResourcesFitArgs['scoringStrategy'];
const strategies: readonly Strategy['type'][] = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'];

/** Source: SetDefaults_NodeResourcesFitArgs, ValidateNodeResourcesFitArgs */
export function readNodeResourcesFit(value: JsonObject, at: Place): NodeResourcesFitArgs {
  const {
    ignoredResources = [],
    ignoredResourceGroups = [],
    scoringStrategy,
  } = at.decode(value, 'NodeResourcesFitArgs');
  for (const [index, name] of ignoredResources.entries()) at.at('ignoredResources', index).labelName(name);
  for (const [index, group] of ignoredResourceGroups.entries()) {
    const groupAt = at.at('ignoredResourceGroups', index);
    if (group.includes('/')) groupAt.invalid(group, "resource group name can't contain '/'");
    groupAt.labelName(group);
  }
  const strategy =
    scoringStrategy === undefined
      ? defaultPluginArgs.NodeResourcesFit.scoringStrategy
      : readStrategy(scoringStrategy, at.at('scoringStrategy'));
  return { ignoredResources, ignoredResourceGroups, scoringStrategy: strategy };
}

function readStrategy(fields: ScoringStrategyFields, at: Place): Strategy {
  const defaults = defaultPluginArgs.NodeResourcesFit.scoringStrategy;
  // The type has no default of its own once a strategy is written.
  const written = fields.type ?? '';
  const type = strategies.find((each) => each === written);
  if (type === undefined) at.at('type').notSupported(written, strategies);
  const weighted = withWeights(fields.resources ?? []);
  const resources = weighted.length === 0 ? defaults.resources : weighted;
  for (const [index, { name, weight }] of resources.entries()) {
    if (weight > 0 && weight <= 100) continue;
    at.at('resources', index, 'weight').invalid(weight, `resource weight of ${name} not in valid range (0, 100]`);
  }
  const ratio = fields.requestedToCapacityRatio;
  const ratioAt = at.at('requestedToCapacityRatio');
  const isRatio = type === 'RequestedToCapacityRatio';
  const { checksScoringStrategy } = at.release.behaviours;
  if (ratio !== undefined && !isRatio && checksScoringStrategy) {
    ratioAt.forbidden('must be nil when type is not RequestedToCapacityRatio');
  } else if (ratio !== undefined) {
    // Where the type is not checked, the path of the shape is printed as if it stood one level higher.
    validateShape(ratio.shape ?? [], (checksScoringStrategy ? ratioAt : ratioAt.printedAs(at)).at('shape'));
  } else if (isRatio) {
    const crash = 'the scheduler crashes at its start without it';
    ratioAt.required(checksScoringStrategy ? 'must be specified when type is RequestedToCapacityRatio' : crash);
  }
  return { type: type ?? defaults.type, resources, shape: isRatio ? (ratio?.shape ?? []) : [] };
}

/** A weight of 0 or none stands for 1. */
export function withWeights(resources: readonly ResourceFields[]): readonly ResourceWeight[] {
  return resources.map(({ name, weight }) => ({ name, weight: weight === undefined || weight === 0 ? 1 : weight }));
}

/** Source: validateFunctionShape; MaxCustomPriorityScore in pkg/scheduler/apis/config/types.go */
export function validateShape(shape: readonly ShapePoint[], at: Place): void {
  const maxUtilization = 100;
  const maxScore = 10;
  if (shape.length === 0) at.required('at least one point must be specified');
  const unsorted = shape.findIndex((point, index) => index > 0 && shape[index - 1]!.utilization >= point.utilization);
  if (unsorted >= 0) {
    const { utilization } = shape[unsorted]!;
    at.at(unsorted, 'utilization').invalid(utilization, 'values must be sorted in increasing order');
  }
  for (const [index, { utilization, score }] of shape.entries()) {
    if (utilization < 0 || utilization > maxUtilization) {
      at.at(index, 'utilization').invalid(utilization, `not in valid range [0, ${maxUtilization}]`);
    }
    if (score < 0 || score > maxScore) at.at(index, 'score').invalid(score, `not in valid range [0, ${maxScore}]`);
  }
}

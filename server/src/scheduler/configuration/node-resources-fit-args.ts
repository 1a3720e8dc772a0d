import type { FieldError } from '../../kubernetes/field-error.ts';
import type { JsonObject, Path } from '../../kubernetes/json.ts';
import type { Release } from '../../kubernetes/release.ts';
import {
  defaultPluginArgs,
  type NodeResourcesFitArgs,
  type ResourceWeight,
  type ShapePoint,
} from '../framework/profile.ts';
import { decodeFields } from './decode.ts';
import type { ResourceFields, ScoringStrategyFields } from './fields.ts';
import { validateLabelName } from './label-names.ts';
import { forbidden, invalid, markedAt, notSupported, required } from './problems.ts';

type StrategyType = NodeResourcesFitArgs['scoringStrategy']['type'];
const strategies: readonly StrategyType[] = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'];

/** Source: SetDefaults_NodeResourcesFitArgs, ValidateNodeResourcesFitArgs */
export function readNodeResourcesFit(
  release: Release,
  value: JsonObject,
  path: Path,
  problems: FieldError[],
): NodeResourcesFitArgs {
  const fields = decodeFields(value, 'NodeResourcesFitArgs', path, problems, release.types);
  const { ignoredResources = [], ignoredResourceGroups = [], scoringStrategy } = fields;
  for (const [index, name] of ignoredResources.entries()) {
    validateLabelName(name, [...path, 'ignoredResources', index], problems);
  }
  for (const [index, group] of ignoredResourceGroups.entries()) {
    const at = [...path, 'ignoredResourceGroups', index];
    if (group.includes('/')) problems.push(invalid(at, group, "resource group name can't contain '/'"));
    validateLabelName(group, at, problems);
  }
  const strategy =
    scoringStrategy === undefined
      ? defaultPluginArgs.NodeResourcesFit.scoringStrategy
      : readStrategy(release, scoringStrategy, [...path, 'scoringStrategy'], problems);
  return { ignoredResources, ignoredResourceGroups, scoringStrategy: strategy };
}

function readStrategy(
  release: Release,
  fields: ScoringStrategyFields,
  path: Path,
  problems: FieldError[],
): NodeResourcesFitArgs['scoringStrategy'] {
  const defaults = defaultPluginArgs.NodeResourcesFit.scoringStrategy;
  // The type has no default of its own once a strategy is written.
  const written = fields.type ?? '';
  const type = strategies.find((each) => each === written);
  if (type === undefined) problems.push(notSupported([...path, 'type'], written, strategies));
  const resources =
    fields.resources === undefined || fields.resources.length === 0
      ? defaults.resources
      : withWeights(fields.resources);
  for (const [index, { name, weight }] of resources.entries()) {
    if (weight > 0 && weight <= 100) continue;
    problems.push(
      invalid(
        [...path, 'resources', index, 'weight'],
        weight,
        `resource weight of ${name} not in valid range (0, 100]`,
      ),
    );
  }
  const ratio = fields.requestedToCapacityRatio;
  const ratioPath = [...path, 'requestedToCapacityRatio'];
  const shape = ratio?.shape ?? [];
  const isRatio = type === 'RequestedToCapacityRatio';
  if (release.behaviours.checksScoringStrategy) {
    if (ratio !== undefined && !isRatio) {
      problems.push(forbidden(ratioPath, 'must be nil when type is not RequestedToCapacityRatio'));
    } else if (ratio === undefined && isRatio) {
      problems.push(required(ratioPath, 'must be specified when type is RequestedToCapacityRatio'));
    } else if (ratio !== undefined) {
      validateShape(shape, ratioPath, ratioPath, problems);
    }
  } else if (ratio !== undefined) {
    // These print the path of the shape as if it stood one level higher.
    validateShape(shape, path, ratioPath, problems);
  } else if (isRatio) {
    problems.push(required(ratioPath, 'the scheduler crashes at its start without it'));
  }
  return { type: type ?? defaults.type, resources, shape: isRatio ? shape : [] };
}

/** A weight of 0 or none stands for 1. */
export function withWeights(resources: readonly ResourceFields[]): readonly ResourceWeight[] {
  return resources.map(({ name, weight }) => ({ name, weight: weight === undefined || weight === 0 ? 1 : weight }));
}

/** Source: validateFunctionShape; MaxCustomPriorityScore in pkg/scheduler/apis/config/types.go */
function validateShape(shape: readonly ShapePoint[], printed: Path, written: Path, problems: FieldError[]): void {
  const maxUtilization = 100;
  const maxScore = 10;
  const add = (make: (path: Path) => FieldError, ...rest: Path): void => {
    problems.push(markedAt(make([...printed, 'shape', ...rest]), [...written, 'shape', ...rest]));
  };
  if (shape.length === 0) add((path) => required(path, 'at least one point must be specified'));
  const unsorted = shape.findIndex((point, index) => index > 0 && shape[index - 1]!.utilization >= point.utilization);
  if (unsorted >= 0) {
    const { utilization } = shape[unsorted]!;
    add((path) => invalid(path, utilization, 'values must be sorted in increasing order'), unsorted, 'utilization');
  }
  for (const [index, { utilization, score }] of shape.entries()) {
    if (utilization < 0 || utilization > maxUtilization) {
      add((path) => invalid(path, utilization, `not in valid range [0, ${maxUtilization}]`), index, 'utilization');
    }
    if (score < 0 || score > maxScore) {
      add((path) => invalid(path, score, `not in valid range [0, ${maxScore}]`), index, 'score');
    }
  }
}

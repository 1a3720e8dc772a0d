import type { FieldError } from '../../kubernetes/field-error.ts';
import type { JsonObject, Path } from '../../kubernetes/json.ts';
import type { TopologySpreadConstraint } from '../../kubernetes/objects.ts';
import type { PodTopologySpreadArgs } from '../framework/profile.ts';
import type { Release } from '../../kubernetes/release.ts';
import { decodeFields } from './decode.ts';
import { validateLabelName } from './label-names.ts';
import { duplicate, forbidden, invalid, notSupported, required } from './problems.ts';

const defaultings: readonly PodTopologySpreadArgs['defaultingType'][] = ['System', 'List'];
const actions: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway'];

/** Source: SetDefaults_PodTopologySpreadArgs, ValidatePodTopologySpreadArgs */
export function readPodTopologySpread(
  release: Release,
  value: JsonObject,
  path: Path,
  problems: FieldError[],
): PodTopologySpreadArgs {
  const fields = decodeFields(value, 'PodTopologySpreadArgs', path, problems, release.types);
  const defaultConstraints: readonly TopologySpreadConstraint[] = fields.defaultConstraints ?? [];
  const typePath = [...path, 'defaultingType'];
  const written =
    fields.defaultingType === undefined || fields.defaultingType === '' ? 'System' : fields.defaultingType;
  const defaultingType = defaultings.find((each) => each === written);
  if (defaultingType === undefined) {
    problems.push(notSupported(typePath, written, defaultings));
  } else if (defaultingType === 'System' && defaultConstraints.length > 0) {
    problems.push(invalid(typePath, written, 'when .defaultConstraints are not empty'));
  }
  for (const index of defaultConstraints.keys()) {
    validateConstraint(defaultConstraints, index, [...path, 'defaultConstraints', index], problems);
  }
  return { defaultingType: defaultingType ?? 'System', defaultConstraints };
}

function validateConstraint(
  constraints: readonly TopologySpreadConstraint[],
  index: number,
  path: Path,
  problems: FieldError[],
): void {
  const { maxSkew, topologyKey, whenUnsatisfiable, labelSelector } = constraints[index]!;
  if (maxSkew <= 0) problems.push(invalid([...path, 'maxSkew'], maxSkew, 'not in valid range (0, inf)'));
  if (topologyKey === '') problems.push(required([...path, 'topologyKey'], 'can not be empty'));
  else validateLabelName(topologyKey, [...path, 'topologyKey'], problems);
  const actionPath = [...path, 'whenUnsatisfiable'];
  if (whenUnsatisfiable === '') problems.push(required(actionPath, 'can not be empty'));
  else if (!actions.includes(whenUnsatisfiable)) problems.push(notSupported(actionPath, whenUnsatisfiable, actions));
  if (labelSelector !== undefined) {
    problems.push(
      forbidden([...path, 'labelSelector'], 'constraint must not define a selector, as they deduced for each pod'),
    );
  }
  const repeats = constraints
    .slice(0, index)
    .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
  if (repeats) problems.push(duplicate(path, `{${topologyKey}, ${whenUnsatisfiable}}`));
}

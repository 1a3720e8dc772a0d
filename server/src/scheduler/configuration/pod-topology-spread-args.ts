import type { JsonObject } from '../../kubernetes/json.ts';
import type { TopologySpreadConstraint } from '../../kubernetes/objects.ts';
import type { PodTopologySpreadArgs } from '../framework/profile.ts';
import type { Place } from './place.ts';

const defaultings: readonly PodTopologySpreadArgs['defaultingType'][] = ['System', 'List'];
const actions: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway'];

/** Source: SetDefaults_PodTopologySpreadArgs, ValidatePodTopologySpreadArgs */
export function readPodTopologySpread(value: JsonObject, at: Place): PodTopologySpreadArgs {
  const fields = at.decode(value, 'PodTopologySpreadArgs');
  const defaultConstraints: readonly TopologySpreadConstraint[] = fields.defaultConstraints ?? [];
  const typeAt = at.at('defaultingType');
  const written =
    fields.defaultingType === undefined || fields.defaultingType === '' ? 'System' : fields.defaultingType;
  const defaultingType = defaultings.find((each) => each === written);
  if (defaultingType === undefined) {
    typeAt.notSupported(written, defaultings);
  } else if (defaultingType === 'System' && defaultConstraints.length > 0) {
    typeAt.invalid(written, 'when .defaultConstraints are not empty');
  }
  for (const [index, constraint] of defaultConstraints.entries()) {
    validateConstraint(constraint, defaultConstraints.slice(0, index), at.at('defaultConstraints', index));
  }
  return { defaultingType: defaultingType ?? 'System', defaultConstraints };
}

function validateConstraint(
  { maxSkew, topologyKey, whenUnsatisfiable, labelSelector }: TopologySpreadConstraint,
  before: readonly TopologySpreadConstraint[],
  at: Place,
): void {
  if (maxSkew <= 0) at.at('maxSkew').invalid(maxSkew, 'not in valid range (0, inf)');
  if (topologyKey === '') at.at('topologyKey').required('can not be empty');
  else at.at('topologyKey').labelName(topologyKey);
  const actionAt = at.at('whenUnsatisfiable');
  if (whenUnsatisfiable === '') actionAt.required('can not be empty');
  else if (!actions.includes(whenUnsatisfiable)) actionAt.notSupported(whenUnsatisfiable, actions);
  if (labelSelector !== undefined) {
    at.at('labelSelector').forbidden('constraint must not define a selector, as they deduced for each pod');
  }
  if (before.some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable)) {
    at.duplicate(`{${topologyKey}, ${whenUnsatisfiable}}`);
  }
}

import { getOrInsert } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { isList, isObject } from '../../util/values.ts';
import { qualifiedName } from '../../util/words.ts';
import { type Minor } from '../../util/minors.ts';
import { fieldErrorText } from '../../admission/format/field-errors.ts';
import { refusalsOf } from '../../admission/request/judgment.ts';
import { type FieldType, structOf } from '../../kubernetes/api/index.ts';
import { groupOf, isOwnGroup, isServed } from '../../kubernetes/api/served.ts';
import { decodedOnce } from '../../kubernetes/decode/index.ts';
import { formatPath, type Json, type JsonObject, type Path } from '../../kubernetes/json.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import type { Declared, PodDisruptionBudget } from '../../kubernetes/objects.ts';
import { podTemplateOf } from '../../kubernetes/pod-template.ts';
import type { FeatureGate, Release } from '../../kubernetes/release.ts';
import { newestRelease, releaseOf } from '../../kubernetes/releases/index.ts';
import { sinceWhen } from './release-changes.ts';
import type {
  ComingChange,
  FieldChange,
  FieldState,
  KindChange,
  ObjectName,
  RefusalChange,
  Serving,
} from './upgrade-report.ts';

/** A part of a cluster that is moved from one minor to another. */
export interface Move {
  readonly from: Minor;
  readonly to: Minor;
  /** A minor with the gates that are switched. */
  readonly releaseOf: (minor: Minor) => Release;
}

/** Kinds that are taken otherwise. */
export function kindChanges(values: readonly JsonObject[], { from, to }: Move): readonly KindChange[] {
  const names = new Map<string, { apiVersion: string; kind: string; objects: string[] }>();
  for (const value of values) {
    const { apiVersion, kind } = value;
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || kind.endsWith('List')) continue;
    if (!isOwnGroup(newestRelease.served, groupOf(apiVersion))) continue;
    const key = `${apiVersion} ${kind}`;
    const found = getOrInsert(names, key, () => ({ apiVersion, kind, objects: [] }));
    found.objects.push(qualifiedName(nameOf(value)));
  }
  return [...names.values()].flatMap(({ apiVersion, kind, objects }) => {
    const serving = (release: Release): Serving => servingOf(release, apiVersion, kind);
    const before = serving(releaseOf(from));
    const after = serving(releaseOf(to));
    if (before === after) return [];
    return [{ apiVersion, kind, before, after, since: sinceWhen(from, to, serving), objects: [...new Set(objects)] }];
  });
}

function servingOf({ served, servedOnDemand }: Release, apiVersion: string, kind: string): Serving {
  if (isServed(served, apiVersion, kind)) return 'served';
  const onDemand = Object.hasOwn(servedOnDemand, apiVersion) && servedOnDemand[apiVersion]!.includes(kind);
  return onDemand ? 'on demand' : 'never';
}

/**
 * Fields that an API server drops while a gate is off: Go's struct and the field's name → the gate.
 * Source: dropDisabledFields in pkg/api/pod/util.go, and in the strategies of other kinds
 */
const gatedFields: ReadonlyMap<string, string> = new Map([
  ['Container.restartPolicyRules', 'ContainerRestartRules'],
  ['Volume.image', 'ImageVolume'],
  ['EnvVarSource.fileKeyRef', 'EnvFiles'],
  ['PodSpec.hostnameOverride', 'HostnameOverride'],
  ['PodSpec.schedulingGroup', 'GenericWorkload'],
  ['PodSpec.workloadRef', 'GenericWorkload'],
  ['PodSpec.evictionResponders', 'EvictionRequestAPI'],
  ['EmptyDirVolumeSource.mode', 'EmptyDirVolumeMode'],
  ['VolumeMount.bindMountOptions', 'VolumeBindMountOptions'],
  ['HTTPGetAction.protocol', 'H2CContainerProbe'],
  ['GRPCAction.mode', 'GRPCContainerProbeTLS'],
  ['RollingUpdateStatefulSetStrategy.maxUnavailable', 'MaxUnavailableStatefulSet'],
  ['CSIDriverSpec.preventPodSchedulingIfMissing', 'VolumeLimitScaling'],
  ['CSIDriverSpec.nodeAllocatableUpdatePeriodSeconds', 'MutableCSINodeAllocatableCount'],
  ['HPAScalingRules.tolerance', 'HPAConfigurableTolerance'],
  ['DeviceClassSpec.extendedResourceName', 'DRAExtendedResource'],
  ['ExactDeviceRequest.capacity', 'DRAConsumableCapacity'],
  ['DeviceSubRequest.capacity', 'DRAConsumableCapacity'],
  ['Device.allowMultipleAllocations', 'DRAConsumableCapacity'],
  ['DeviceCapacity.requestPolicy', 'DRAConsumableCapacity'],
  ['ExactDeviceRequest.tolerations', 'DRADeviceTaints'],
  ['DeviceSubRequest.tolerations', 'DRADeviceTaints'],
  ['Device.taints', 'DRADeviceTaints'],
  ['Device.bindsToNode', 'DRADeviceBindingConditions'],
  ['Device.bindingConditions', 'DRADeviceBindingConditions'],
  ['Device.bindingFailureConditions', 'DRADeviceBindingConditions'],
  ['Device.consumesCounters', 'DRAPartitionableDevices'],
  ['Device.nodeName', 'DRAPartitionableDevices'],
  ['Device.nodeSelector', 'DRAPartitionableDevices'],
  ['Device.allNodes', 'DRAPartitionableDevices'],
  ['ResourceSliceSpec.sharedCounters', 'DRAPartitionableDevices'],
  ['ResourceSliceSpec.perDeviceNodeSelection', 'DRAPartitionableDevices'],
]);

/** Of containers, `Always` has long made a sidecar of one that comes first. */
function gateOf(struct: string, key: string, value: Json | undefined, path: Path): string {
  const isOwnPolicy = struct === 'Container' && key === 'restartPolicy';
  if (isOwnPolicy && (path.at(-3) === 'containers' || value !== 'Always')) return 'ContainerRestartRules';
  return gatedFields.get(`${struct}.${key}`) ?? '';
}

/** A field that is not simply used, by its path. */
type Unused = ReadonlyMap<string, { readonly state: FieldState; readonly gate: string; readonly path: Path }>;

/** Fields that are made something else of. */
export function fieldChanges(declared: Declared, move: Move): readonly FieldChange[] {
  const { value } = declared;
  if (value === undefined) return [];
  const { from, to } = move;
  const before = unusedFields(value, move.releaseOf(from));
  const after = unusedFields(value, move.releaseOf(to));
  const changes: FieldChange[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(path), after.get(path)];
    const stateIn = (release: Release): FieldState =>
      unusedFields(value, move.releaseOf(release.minor)).get(path)?.state ?? 'used';
    if ((was?.state ?? 'used') === (is?.state ?? 'used')) continue;
    changes.push({
      object: nameOf(value),
      path,
      before: was?.state ?? 'used',
      after: is?.state ?? 'used',
      since: sinceWhen(from, to, stateIn),
      gate: (is?.state === 'dropped' ? is.gate : was?.gate) ?? '',
      origin: declared.placeOf?.((was ?? is)!.path) ?? declared.origin,
    });
  }
  return changes;
}

function unusedFields(value: JsonObject, release: Release): Unused {
  const found = new Map<string, { state: FieldState; gate: string; path: Path }>();
  const { apiVersion, kind } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return found;
  const struct = structOf(release.types, apiVersion, kind);
  if (struct === undefined) return found;
  const add = (path: Path, state: FieldState, gate: string): void =>
    void found.set(formatPath(path), { state, gate, path });
  const isOn = (gate: string): boolean => release.featureGates.has(gate as FeatureGate);
  const walk = (part: Json | undefined, type: FieldType, path: Path): void => {
    if (type.kind === 'list') {
      for (const [at, item] of (isList(part) ? part : []).entries()) walk(item, type.item, [...path, at]);
      return;
    }
    if (!isObject(part)) return;
    for (const [key, item] of Object.entries(part)) {
      const place = [...path, key];
      if (type.kind === 'map') walk(item, type.value, place);
      if (type.kind !== 'struct') continue;
      const field = type.fields.get(key);
      const gate = gateOf(type.goName, key, item, place);
      if (field === undefined) add(place, 'unknown', '');
      else if (gate !== '' && !isOn(gate)) add(place, 'dropped', gate);
      else walk(item, field.type, place);
    }
  };
  walk(value, struct, []);
  return found;
}

/** Refusals that only one of the two gives. */
export function refusalChanges(declared: Declared, move: Move): readonly RefusalChange[] {
  const { value } = declared;
  if (value === undefined) return [];
  const refusalsIn = (release: Release): ReadonlyMap<string, { readonly text: string; readonly path: Path }> => {
    const { object, problems } = decodedOnce(value, release.types);
    if (problems.length > 0) return new Map();
    const refusals = refusalsOf(object, release).filter(({ isEcho }) => !isEcho);
    return new Map(refusals.map(({ error }) => [error.at.text, { text: fieldErrorText(error), path: error.at.path }]));
  };
  const { from, to } = move;
  const before = refusalsIn(move.releaseOf(from));
  const after = refusalsIn(move.releaseOf(to));
  const changes: RefusalChange[] = [];
  for (const field of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(field), after.get(field)];
    if ((was === undefined) === (is === undefined)) continue;
    const { text, path } = (is ?? was)!;
    changes.push({
      object: nameOf(value),
      change: is === undefined ? 'ends' : 'comes',
      since: sinceWhen(from, to, (release) => refusalsIn(move.releaseOf(release.minor)).has(field)),
      text,
      origin: declared.placeOf?.(path) ?? declared.origin,
    });
  }
  return changes;
}

/** What 1.38 changes, which is not released. Source: kubernetes#141785 */
export function comingChanges(all: readonly Declared[]): readonly ComingChange[] {
  const budgets: string[] = [];
  const spread: string[] = [];
  for (const { object } of all) {
    const { namespace = 'default', name = '' } = object.metadata ?? {};
    if (object.kind === 'PodDisruptionBudget') {
      const { selector } = (object as PodDisruptionBudget).spec ?? {};
      if (selector !== undefined && compileLabelSelector(selector).isEmpty) budgets.push(`${namespace}/${name}`);
      continue;
    }
    const constraints = podTemplateOf(object)?.spec.topologySpreadConstraints ?? [];
    const counts = constraints.some(
      ({ labelSelector }) => labelSelector !== undefined && compileLabelSelector(labelSelector).isEmpty,
    );
    if (counts) spread.push(`${object.kind ?? ''}/${namespace}/${name}`);
  }
  const coming = [
    {
      text: say`preemption counts a budget with an empty selector for all pods of its namespace; until then it leaves it out`,
      objects: budgets,
    },
    {
      text: say`a spread constraint with an empty selector counts all pods of the namespace; until then it counts none`,
      objects: spread,
    },
  ];
  return coming.flatMap((each) => (each.objects.length === 0 ? [] : [{ minor: '1.38', ...each }]));
}

function nameOf(value: JsonObject): ObjectName {
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const text = (field: Json | undefined): string => (typeof field === 'string' ? field : '');
  return { kind: text(value['kind']), namespace: text(metadata['namespace']), name: text(metadata['name']) };
}

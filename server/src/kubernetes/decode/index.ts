import { type KeptWith, keptWith } from '../../util/kept-with.ts';
import { getOrInsert } from '../../util/maps.ts';
import { isObject } from '../../util/values.ts';
import type { JsonObject, Path } from '../json.ts';
import type { KubeObject } from '../objects.ts';
import { Decoder, type DecodeProblem } from './decode-value.ts';
import { type ApiTypes, structOf } from '../api/index.ts';
import { isAdmissionConfiguration, isKnownKind, isKeptAsWritten, isSchedulerConfiguration } from '../api/kinds.ts';
import { latestRelease } from '../releases/index.ts';
import { autoscalerOf, isScaledObject } from '../keda.ts';
import { isExpanderConfigMap, isPoolKind } from '../pool-kinds.ts';
import { isSnapshotHeader } from '../snapshot-header.ts';

export {
  isAdmissionConfiguration,
  isKnownKind,
  isNamespaced,
  isNetworkPolicy,
  isOtherVersion,
  isKeptAsWritten,
  isSchedulerConfiguration,
} from '../api/kinds.ts';

/** An untyped value read as the API server reads it. */
export interface Decoded {
  /** Every field that is there has the type that `objects.ts` gives it; required fields are there. */
  readonly object: KubeObject;
  /** Values of the wrong type, which the API server refuses. They are missing from `object`. */
  readonly problems: readonly DecodeProblem[];
  /** Fields that the kind does not have. The API server ignores them, and warns about them. */
  readonly unknownFields: readonly Path[];
  /** How many more there are, where there are masses. */
  readonly more?: { readonly problems: number; readonly unknownFields: number };
}

/** Problems, and unknown fields, of one object that are kept: far more than anybody is shown. */
const mostKept = 2_000;

/**
 * Reads a manifest as an object of its kind. Never throws. Of a kind that Podium does not read, only `apiVersion`,
 * `kind` and the name and namespace are kept; PodGroups, DeviceTaintRules, configurations of the scheduler and of admission keep all they say, as
 * written, and so does what a snapshot says of itself; what says how a cluster grows is kept beside that, as `written`, and so is a ScaledObject of
 * KEDA beside the HorizontalPodAutoscaler that is made of it.
 */
export function decodeObject(value: JsonObject, types: ApiTypes = latestRelease.types): Decoded {
  const apiVersion = text(value['apiVersion']);
  const kind = text(value['kind']);
  if (isScaledObject(apiVersion, kind)) {
    const made = autoscalerOf(value);
    const object = made === undefined ? anonymous(value, apiVersion, kind) : decodeObject(made, types).object;
    return { object: { ...object, ...{ written: value } }, problems: [], unknownFields: [] };
  }
  const type = isKnownKind(apiVersion, kind) ? structOf(types, apiVersion, kind) : undefined;
  if (type === undefined) {
    const isConfiguration = isSchedulerConfiguration(apiVersion, kind) || isAdmissionConfiguration(apiVersion, kind);
    if (isPoolKind(apiVersion, kind) || isExpanderConfigMap(apiVersion, kind, nameIn(value))) {
      return {
        object: { ...anonymous(value, apiVersion, kind), ...{ written: value } },
        problems: [],
        unknownFields: [],
      };
    }
    const isKept = isConfiguration || isSnapshotHeader(apiVersion, kind) || isKeptAsWritten(apiVersion, kind);
    const kept = isKept ? value : {};
    return { object: { ...kept, ...anonymous(value, apiVersion, kind) }, problems: [], unknownFields: [] };
  }
  const decoder = new Decoder(types.namesEmbedded, mostKept);
  const decoded = decoder.decodeObject(value, type);
  const isWhole = !withSpec.has(kind) || decoded['spec'] !== undefined;
  const object = isWhole ? decoded : { ...decoder.decodeObject(emptySpec, type), ...decoded };
  // The types of objects.ts are made from the same source as the tables, so the decoded value has the type of its kind.
  const { problems, unknownFields, more } = decoder;
  return { object, problems, unknownFields, ...(more.problems + more.unknownFields === 0 ? {} : { more }) };
}

/** Kinds that are of no use without their spec, as `objects.ts` says. */
const withSpec: ReadonlySet<string> = new Set(['CronJob', 'HorizontalPodAutoscaler']);
const emptySpec: JsonObject = { spec: {} };

/** By value: a document that is read again keeps the values of list items that did not change. */
const decodedValues = new Map<ApiTypes, KeptWith<JsonObject, Decoded>>();

/** As `decodeObject`; whoever asks about the same value gets the same object. */
export function decodedOnce(value: JsonObject, types: ApiTypes = latestRelease.types): Decoded {
  const known = getOrInsert(decodedValues, types, () => keptWith());
  return getOrInsert(known, value, () => decodeObject(value, types));
}

function nameIn({ metadata }: JsonObject): unknown {
  return isObject(metadata) ? metadata['name'] : undefined;
}

function anonymous(value: JsonObject, apiVersion: string, kind: string): KubeObject {
  const metadata = value['metadata'];
  if (!isObject(metadata)) return { apiVersion, kind };
  const { name, namespace } = metadata;
  return { apiVersion, kind, metadata: { name: text(name), namespace: text(namespace) } };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

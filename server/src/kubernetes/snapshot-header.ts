import { isObject } from '../util/values.ts';
import type { JsonObject } from './json.ts';

/** What a snapshot says of itself, as an object among those of the cluster. */
export interface SnapshotHeader {
  /** The context of the kubeconfig that it was taken through. */
  readonly context: string;
  /** As the API server gives it: `v1.34.2`. */
  readonly serverVersion: string;
  /** In ISO 8601. */
  readonly takenAt: string;
  readonly missing: readonly MissingKind[];
  /** Those of Cluster Autoscaler that decide what it adds: commands are left out of what runs. */
  readonly autoscalerFlags?: readonly string[];
}

/** A kind that was asked for and is not in the snapshot. */
export interface MissingKind {
  /** Its name in the API: `poddisruptionbudgets`. */
  readonly resource: string;
  /** The server's own words. */
  readonly why: string;
  /** What follows from it: a sentence without a full stop. */
  readonly effect: string;
}

const apiVersion = 'podium/v1';
const kind = 'ClusterSnapshot';

export function isSnapshotHeader(ofVersion: string, ofKind: string): boolean {
  return ofVersion === apiVersion && ofKind === kind;
}

export function writtenHeader({
  context,
  serverVersion,
  takenAt,
  missing,
  autoscalerFlags = [],
}: SnapshotHeader): JsonObject {
  return {
    apiVersion,
    kind,
    metadata: { name: context },
    takenAt,
    serverVersion,
    missing: missing.map((each) => ({ ...each })),
    ...(autoscalerFlags.length === 0 ? {} : { autoscalerFlags }),
  };
}

/** Null for any other object. */
export function readHeader(value: JsonObject): SnapshotHeader | null {
  if (!isSnapshotHeader(textOf(value['apiVersion']), textOf(value['kind']))) return null;
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const missing: unknown = value['missing'];
  const flags: unknown = value['autoscalerFlags'];
  return {
    context: textOf(metadata['name']),
    serverVersion: textOf(value['serverVersion']),
    takenAt: textOf(value['takenAt']),
    missing: (Array.isArray(missing) ? missing : []).filter(isObject).map((each) => ({
      resource: textOf(each['resource']),
      why: textOf(each['why']),
      effect: textOf(each['effect']),
    })),
    autoscalerFlags: (Array.isArray(flags) ? flags : []).map(textOf),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

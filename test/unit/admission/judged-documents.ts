import { strict as assert } from 'node:assert';
import { reviewCreation } from '../../../server/src/admission/request/create.ts';
import { presetState } from '../../../server/src/cli/decide/preset-state.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { type Minor, minors } from '../../../server/src/util/minors.ts';

export const container = { name: 'c', image: 'i' };
export const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
export const selector = { matchLabels: { a: 'b' } };

export function object(apiVersion: string, kind: string, parts: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name: 'x', ...metadata }, ...parts };
}

export function pod(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return object('v1', 'Pod', { spec: { containers: [container], ...spec } }, metadata);
}

export function job(spec: JsonObject): JsonObject {
  const never = { spec: { restartPolicy: 'Never', containers: [container] } };
  return object('batch/v1', 'Job', { spec: { template: never, ...spec } });
}

export function statefulSet(spec: JsonObject): JsonObject {
  return object('apps/v1', 'StatefulSet', { spec: { selector, template, ...spec } });
}

export function volume(spec: JsonObject): JsonObject {
  const common = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } };
  return object('v1', 'PersistentVolume', { spec: { ...common, ...spec } });
}

export function claim(spec: JsonObject): JsonObject {
  const common = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return object('v1', 'PersistentVolumeClaim', { spec: { ...common, ...spec } });
}

export function autoscaler(spec: JsonObject): JsonObject {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' };
  return object('autoscaling/v2', 'HorizontalPodAutoscaler', { spec: { scaleTargetRef, maxReplicas: 1, ...spec } });
}

/** The refusals of a document, each without what it says of formats; empty where it is accepted. */
export function refusals(document: JsonObject, minor: Minor): string[] {
  const { causes = [], message = '' } = reviewCreation(document, presetState('apply'), releaseOf(minor));
  if (causes.length === 0) return message === '' ? [] : [message];
  return causes.map((cause) =>
    `${cause.field}: ${cause.message}`.replace(/: (?:a lowercase|name part|a valid).*$/, ''),
  );
}

export function warnings(document: JsonObject, minor: Minor): readonly string[] {
  return reviewCreation(document, presetState('apply'), releaseOf(minor)).warnings ?? [];
}

export type Row = readonly [what: string, document: JsonObject, refused: readonly string[], minors?: readonly Minor[]];

export const since136: readonly Minor[] = minors.filter((minor) => minor >= '1.36');
export const since135: readonly Minor[] = minors.filter((minor) => minor >= '1.35');

export function judged(rows: readonly Row[]): void {
  for (const [what, document, refused, which = minors] of rows) {
    it(what, () => {
      for (const minor of which) assert.deepEqual(refusals(document, minor), refused, minor);
    });
  }
}
export const before136: readonly Minor[] = minors.filter((minor) => minor < '1.36');

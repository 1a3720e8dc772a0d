import { allOf, fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { judgeWorkload } from '../../../server/src/admission/workloads/workload.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';

const apiVersions: Readonly<Record<string, string>> = {
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  ReplicationController: 'v1',
};
export const selector = { matchLabels: { app: 'web' } };
export const containers = [{ name: 'web', image: 'nginx' }];

export function template(spec: JsonObject = {}): JsonObject {
  return { metadata: { labels: { app: 'web' } }, spec: { containers, ...spec } };
}

/** A workload as it is when the API server judges it, with what a kind cannot be without. */
export function workload(kind: string, spec: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  const isJob = kind === 'Job';
  const whole = {
    ...(isJob ? { template: template({ restartPolicy: 'Never' }) } : { selector, template: template() }),
    ...spec,
  };
  const written = {
    apiVersion: apiVersions[kind] ?? 'apps/v1',
    kind,
    metadata: { name: 'web', ...metadata },
    spec: whole,
  };
  return decodeObject(written).object;
}

export function cronJob(spec: JsonObject, metadata: JsonObject = {}, job: JsonObject = {}): KubeObject {
  const jobTemplate = { spec: { template: template({ restartPolicy: 'Never' }), ...job } };
  const written = { schedule: '0 3 * * *', jobTemplate, ...spec };
  return decodeObject({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'web', ...metadata },
    spec: written,
  }).object;
}

export function texts(object: KubeObject): string[] {
  return allOf(judgeWorkload(object)).map(fieldErrorText);
}

export const mismatch =
  'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`';
export const negative = 'must be greater than or equal to 0';

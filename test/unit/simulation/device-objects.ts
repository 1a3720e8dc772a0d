import type { JsonObject } from '../../../server/src/kubernetes/json.ts';

/** Short ways to write down devices of the driver `gpu.example.com`, and who claims them. */

const apiVersion = 'resource.k8s.io/v1';
export const driver = 'gpu.example.com';

export function deviceClass(
  name: string,
  expression = `device.driver == '${driver}'`,
  more: JsonObject = {},
): JsonObject {
  return {
    apiVersion,
    kind: 'DeviceClass',
    metadata: { name },
    spec: { selectors: [{ cel: { expression } }], ...more },
  };
}

export function gpu(name: string, model: string, memory: string, more: JsonObject = {}): JsonObject {
  return { name, attributes: { model: { string: model } }, capacity: { memory: { value: memory } }, ...more };
}

export function slice(nodeName: string, devices: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    apiVersion,
    kind: 'ResourceSlice',
    metadata: { name: `${nodeName}-gpus` },
    spec: { driver, nodeName, pool: { name: nodeName, generation: 1, resourceSliceCount: 1, ...more }, devices },
  };
}

export function request(exactly: JsonObject = {}, expression?: string): JsonObject {
  const selectors = expression === undefined ? [] : [{ cel: { expression } }];
  return { name: 'r', exactly: { deviceClassName: 'gpu', selectors, ...exactly } };
}

export function claim(name: string, requests: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    apiVersion,
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'default' },
    spec: { devices: { requests, ...more } },
  };
}

export function template(name: string, requests: readonly JsonObject[]): JsonObject {
  return {
    apiVersion,
    kind: 'ResourceClaimTemplate',
    metadata: { name, namespace: 'default' },
    spec: { spec: { devices: { requests } } },
  };
}

export const uses = (...claims: readonly string[]): JsonObject => ({
  resourceClaims: claims.map((resourceClaimName, at) => ({ name: `c${at}`, resourceClaimName })),
});

export const usesTemplate = (resourceClaimTemplateName: string): JsonObject => ({
  resourceClaims: [{ name: 'gpu', resourceClaimTemplateName }],
});

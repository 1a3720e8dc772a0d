/**
 * Metadata, selectors and references. All fields of Kubernetes' types; the compiler compares them with its
 * client library.
 */
import type {
  V1LabelSelector,
  V1LabelSelectorRequirement,
  V1LocalObjectReference,
  V1ObjectMeta,
  V1ObjectReference,
  V1OwnerReference,
  V1SecretReference,
  V1TypedLocalObjectReference,
  V1TypedObjectReference,
} from '@kubernetes/client-node';
import { bool, int64, list, map, raw, required, string, stringOf, struct, time } from './field-types.ts';

export const objectMeta = struct<V1ObjectMeta>('ObjectMeta', () => ({
  annotations: map(string),
  creationTimestamp: time,
  deletionGracePeriodSeconds: int64,
  deletionTimestamp: time,
  finalizers: list(string),
  generateName: string,
  generation: int64,
  labels: map(string),
  managedFields: raw(),
  name: string,
  namespace: string,
  ownerReferences: list(ownerReference),
  resourceVersion: string,
  selfLink: string,
  uid: stringOf('types.UID'),
}));

const ownerReference = struct<V1OwnerReference>('OwnerReference', () => ({
  apiVersion: required(string),
  blockOwnerDeletion: bool,
  controller: bool,
  kind: required(string),
  name: required(string),
  uid: required(stringOf('types.UID')),
}));

export const labelSelector = struct<V1LabelSelector>('LabelSelector', () => ({
  matchExpressions: list(labelSelectorRequirement),
  matchLabels: map(string),
}));

const labelSelectorRequirement = struct<V1LabelSelectorRequirement>('LabelSelectorRequirement', () => ({
  key: required(string),
  operator: required(stringOf('v1.LabelSelectorOperator')),
  values: list(string),
}));

export const typedLocalObjectReference = struct<V1TypedLocalObjectReference>('TypedLocalObjectReference', () => ({
  apiGroup: string,
  kind: required(string),
  name: required(string),
}));

export const typedObjectReference = struct<V1TypedObjectReference>('TypedObjectReference', () => ({
  apiGroup: string,
  kind: required(string),
  name: required(string),
  namespace: string,
}));

export const localObjectReference = struct<V1LocalObjectReference>('LocalObjectReference', () => ({
  name: string,
}));

export const objectReference = struct<V1ObjectReference>('ObjectReference', () => ({
  apiVersion: string,
  fieldPath: string,
  kind: string,
  name: string,
  namespace: string,
  resourceVersion: string,
  uid: string,
}));

export const secretReference = struct<V1SecretReference>('SecretReference', () => ({
  name: string,
  namespace: string,
}));

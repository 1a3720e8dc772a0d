import { say } from '../../util/say.ts';
import { basename } from 'node:path';
import type { JsonObject } from '../../kubernetes/json.ts';
import { podTemplatePath } from '../../kubernetes/pod-template.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { asList, asMap } from '../../manifests/read-data.ts';
import { valueAtPath } from '../files/json-paths.ts';
import { shownPath } from '../files/paths.ts';
import { noFiles, type Source, type SourcePlace } from '../files/source.ts';

/**
 * Whether everything in a file is a part of a workload, a webhook's configuration or a definition, which the API server takes only when it is
 * put into a whole, but for configuration that it brings along.
 */
export function holdsParts({ documents }: ManifestFile): boolean {
  const objects = documents
    .flatMap(({ document }) => document.objects.map((object) => ({ object, document })))
    .filter(({ object: { kind } }) => kind !== 'ConfigMap' && kind !== 'Secret');
  return (
    objects.length > 0 &&
    objects.every(({ object: { kind, value }, document: { text } }) =>
      // The spec of a definition is not read.
      kind === 'CustomResourceDefinition' ? !/^ {1,8}group:/m.test(text) : directive.test(text) || isPart(kind, value),
    )
  );
}

/** What only a strategic merge patch has. Source: apimachinery/pkg/util/strategicpatch/patch.go (directiveMarker) */
const directive = /^[ \t-]*['"]?\$patch['"]?[ \t]*:/m;

/** Whether everything in a file is a patch of a workload, wherever it lies: neither its pods, or its name, are told nor their images. */
export function holdsPatches({ documents }: ManifestFile): boolean {
  const objects = documents.flatMap(({ document: { objects, text } }) => objects.map((object) => ({ object, text })));
  return (
    objects.length > 0 &&
    objects.every(({ object: { kind, value }, text }) => {
      if (isPartOfClaim(kind, value) || directive.test(text)) return true;
      const template = podTemplatePath(kind);
      const { name, generateName } = asMap(value['metadata']);
      const lacks = selecting.includes(kind) ? asMap(value['spec'])['selector'] : (name ?? generateName);
      if (template === undefined || lacks !== undefined) return false;
      const containers = asList(valueAtPath(value, [...template, 'spec', 'containers'])).map(asMap);
      return hasParts(containers);
    })
  );
}

function hasParts(containers: readonly JsonObject[]): boolean {
  return containers.length === 0 || containers.some(({ image }) => image === undefined);
}

/** Kinds whose selector must be written. */
const selecting: readonly string[] = ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'];

/** Source: pkg/apis/core/validation/validation.go (ValidatePersistentVolumeClaimSpec) */
function isPartOfClaim(kind: string, value: JsonObject): boolean {
  const { accessModes, resources } = asMap(value['spec']);
  return kind === 'PersistentVolumeClaim' && (accessModes === undefined || resources === undefined);
}

function isPart(kind: string, value: JsonObject): boolean {
  if (isPartOfClaim(kind, value)) return true;
  // A webhook's configuration without webhooks does nothing.
  if (kind.endsWith('WebhookConfiguration')) return value['webhooks'] === undefined;
  const template = podTemplatePath(kind);
  if (template === undefined) return false;
  if (selecting.includes(kind) && asMap(value['spec'])['selector'] === undefined) return true;
  const containers = asList(valueAtPath(value, [...template, 'spec', 'containers'])).map(asMap);
  return hasParts(containers);
}

/**
 * A file of a folder from which kubeadm takes patches of what it runs.
 * Source: cmd/kubeadm/app/util/patches/patches.go (target[suffix][+patchtype].extension)
 */
export function isKubeadmPatch(path: string): boolean {
  return /^(?:etcd|kube-apiserver|kube-controller-manager|kube-scheduler|corednsdeployment)[a-z0-9]*(?:\+(?:strategic|merge|json))?\.(?:yaml|json)$/.test(
    basename(path),
  );
}

/** A patch that nobody takes in: nothing of it is applied, which is told rather than kept quiet. */
export function unusedPatch(path: string, root: string): Source {
  const place = { file: path, line: 0 };
  const part = unusedPart(`patch:${path}`, shownPath(path, root), place, new Set([path]));
  if (!isKubeadmPatch(path)) return part;
  return { ...part, refusal: { why: 'not-applied', message: say`written for kubeadm to patch what it runs`, place } };
}

/** A part of manifests that nobody takes in. */
export function unusedPart(id: string, name: string, place: SourcePlace, inputs: ReadonlySet<string>): Source {
  const message = say`written for use in a kustomization, and used by none`;
  return {
    id,
    kind: 'kustomization',
    name,
    place,
    recipe: null,
    refusal: { why: 'not-applied', message, place },
    ...noFiles,
    inputs,
    isPlain: false,
    groups: [],
    labels: [],
  };
}

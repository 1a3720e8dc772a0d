import { isNumber } from '../../../util/exact-integer.ts';
import { completePodSpec } from '../../../admission/defaults/defaults.ts';
import type { Container, Pod, PodSpec, PodTemplateSpec } from '../../../kubernetes/objects.ts';
import { formatQuantity, isQuantityError, parseQuantity } from '../../../kubernetes/quantity.ts';
import { keptWith } from '../../../util/kept-with.ts';
import { getOrInsert } from '../../../util/maps.ts';
import { omit } from '../../../util/omit.ts';

/** A template that a workload has or had. */
export interface Revision {
  /** By the order in which they first came: going back to an earlier one has its number again. */
  readonly number: number;
  readonly template: PodTemplateSpec;
  /** The same for templates that are equal after defaulting. */
  readonly key: string;
}

/** The templates of a workload. */
export class Revisions {
  readonly all: Revision[] = [];
  /** Those of which only a pod tells, by the hash in its labels. */
  readonly #ofPods = new Map<string, Revision>();

  /** The one that is equal to a template; a new one where there is none. */
  of(template: PodTemplateSpec): Revision {
    const key = templateKey(template);
    const known = this.all.find((each) => each.key === key) ?? this.#likePods(template);
    if (known !== undefined) return known;
    const revision = { number: this.all.length + 1, template, key };
    this.all.push(revision);
    return revision;
  }

  /** The earlier one of a pod that there is, with what the server and others have filled in. */
  ofPod(hash: string, { metadata, spec }: Pod): Revision {
    return getOrInsert(this.#ofPods, hash, () => {
      const labels = omit(metadata?.labels ?? {}, ...controllerLabels);
      const template = { metadata: { labels }, spec: omit(spec ?? { containers: [] }, 'nodeName', 'priority') };
      const revision = { number: this.all.length + 1, template, key: `pod ${hash}` };
      this.all.push(revision);
      return revision;
    });
  }

  #likePods(template: PodTemplateSpec): Revision | undefined {
    if (this.#ofPods.size === 0) return undefined;
    const outline = outlineOf(template);
    return [...this.#ofPods.values()].find((each) => outlineOf(each.template) === outline);
  }
}

const controllerLabels = [
  'controller-revision-hash',
  'pod-template-generation',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
] as const;

/** What nobody fills in. */
function outlineOf({ spec = { containers: [] } }: PodTemplateSpec): string {
  const { containers, initContainers = [], nodeSelector, affinity, priorityClassName } = spec;
  const made = ({ name, image, command, args, env, resources }: Container) =>
    ({ name, image, command, args, env, resources }) as Container;
  return templateKey({
    spec: {
      containers: containers.map(made),
      initContainers: initContainers.map(made),
      nodeSelector,
      affinity,
      priorityClassName,
    } as PodSpec,
  });
}

const hashLabel = 'pod-template-hash';

/** Without what a controller adds to the labels. Source: EqualIgnoreHash in deployment_util.go */
export function withoutHash({ metadata, ...rest }: PodTemplateSpec): PodTemplateSpec {
  if (metadata?.labels === undefined || !(hashLabel in metadata.labels)) {
    return metadata === undefined ? rest : { ...rest, metadata };
  }
  return { ...rest, metadata: { ...metadata, labels: omit(metadata.labels, hashLabel) } };
}

const templateKeys = keptWith<PodTemplateSpec, string>();

/** Equal for templates that the API server stores as semantically equal ones. */
export function templateKey(template: PodTemplateSpec): string {
  return getOrInsert(templateKeys, template, () => {
    const { metadata = {}, spec = { containers: [] } } = withoutHash(template);
    const completed = { metadata: omit(metadata, 'creationTimestamp'), spec: completePodSpec(spec) };
    return JSON.stringify(canonical(completed, ''));
  });
}

/** Fields of quantities by name. */
const amounts: ReadonlySet<string> = new Set(['requests', 'limits', 'overhead']);

/** In the order of keys, without what is empty, and amounts in one form: `0.5` is `500m`. */
function canonical(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[]).map((each) => canonical(each, ''));
  if (typeof value !== 'object' || value === null || isNumber(value)) {
    return key === 'sizeLimit' ? amount(value) : value;
  }
  const entries = Object.entries(value as Readonly<Record<string, unknown>>)
    .map(([name, each]): [string, unknown] => [name, amounts.has(key) ? amount(each) : canonical(each, name)])
    .filter(([, each]) => !isEmpty(each));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function amount(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const quantity = parseQuantity(value);
  return isQuantityError(quantity) ? value : formatQuantity(quantity);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  // `securityContext: {}` is what the server fills in, and `emptyDir: {}` says as much as nothing beside its name.
  return Array.isArray(value) && value.length === 0;
}

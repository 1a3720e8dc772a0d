import { isObject, valueAt } from '../../util/values.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { podTemplatePath } from '../../kubernetes/pod-template.ts';
import { holdsVariable } from '../../kubernetes/placeholders.ts';

/**
 * What a refusal is worth of something that a person writes. `none`: the server refuses it. `whole`: it does where this
 * is the whole object, and it looks as if it were. `part`: it does where this is the whole object, and it looks like a
 * patch of Kustomize, which names an object and what it changes.
 */
export type Uncertainty = 'none' | 'whole' | 'part';

/** Kinds whose `spec.selector` is required. Source: ValidateDeploymentSpec and its like in pkg/apis/apps/validation */
const selecting: ReadonlySet<string | undefined> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet']);

/** What people write where somebody is to write something else: `override_me`, `AUTOMATIC_REPLACE`, `ACCOUNT_NAME`. */
const toBeReplaced = /(?:override|change|replace|fill)[-_]?me|^REPLACE_|_REPLACE$/i;
const inCapitals =
  /^[A-Z][A-Z0-9_]*_(?:NAME|ID|HOST|URL|KEY|TOKEN|DOMAIN|REGION|ZONE|BUCKET|SECRET|PASSWORD|USER|IP|PROJECT)$/;

/** Whether a value that is refused is one that somebody is still to fill in. */
export function isUnfinished(value: unknown): boolean {
  return typeof value === 'string' && (holdsVariable(value) || toBeReplaced.test(value) || inCapitals.test(value));
}

/** `SERVICE_ACCOUNT`, where the name of something else is to stand: no name has capitals. */
const wordsInCapitals = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Whether an error is of such a value. What somebody calls by a name in capitals may as well be a mistake. */
export function isOfUnfinished({ value, at: { path } }: FieldError): boolean {
  if (isUnfinished(value)) return true;
  const refers = /[a-z]Name$/.test(String(path.at(-1) ?? ''));
  return refers && typeof value === 'string' && wordsInCapitals.test(value);
}

/** Whether an error is about something that is not written, and may well be in what a patch changes. */
export function restsOnWhole({ type, assumesWhole }: FieldError): boolean {
  return assumesWhole === true || type === 'FieldValueRequired' || type === 'FieldValueNotFound';
}

/** How much of an object a manifest has. */
export class Wholeness {
  readonly #object: KubeObject;
  readonly #template: Path | undefined;
  /** Whether it lacks a selector that its kind requires. */
  readonly lacksSelector: boolean;
  /** Whether it has all its containers, with their images, or is of a kind that makes no pods. */
  readonly hasContainers: boolean;
  /** Whether nothing of the pods seems to be left out. */
  readonly #hasWholePods: boolean;

  constructor(object: KubeObject) {
    const { kind } = object;
    const template = podTemplatePath(kind);
    this.#object = object;
    this.#template = template;
    const written = template === undefined ? undefined : valueAt(object, [...template, 'spec', 'containers']);
    const containers: readonly unknown[] = Array.isArray(written) ? written : [];
    const haveImages = containers.every((container) => isObject(container) && 'image' in container);
    this.lacksSelector = selecting.has(kind) && valueAt(object, ['spec', 'selector']) === undefined;
    this.hasContainers = template === undefined || kind === 'Pod' || (containers.length > 0 && haveImages);
    this.#hasWholePods = kind === 'Job' || kind === 'CronJob' ? haveImages : !this.lacksSelector;
  }

  doubtOf(error: FieldError): Uncertainty {
    const template = this.#template;
    if (this.#object.kind === 'Service' && restsOnWhole(error)) return 'part';
    if (template === undefined || this.#object.kind === 'Pod') return 'none';
    if (error.ofTemplate === true) return this.#hasWholePods || !restsOnWhole(error) ? 'none' : 'part';
    const {
      at: { path },
    } = error;
    if (!this.hasContainers) return 'part';
    if (this.lacksSelector) {
      return valueAt(this.#object, [...template, 'metadata', 'labels']) === undefined ? 'part' : 'whole';
    }
    // Decoding fills in the zero value of what its type must have.
    const written = valueAt(this.#object, path);
    return written === undefined || written === '' ? 'whole' : 'none';
  }
}

import { invalidText, refusalsOf, type Refusal, undecodableText } from '../../admission/request/judgment.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Declared, Pod } from '../../kubernetes/objects.ts';
import type { Release } from '../../kubernetes/release.ts';
import { Wholeness } from '../../admission/format/written.ts';

/**
 * What the API server refuses of what is created: the same judgment as that of the diagnostics. What may be a patch, or
 * has parts that are still to be filled in, is not refused for what it lacks.
 */
export class Creation {
  readonly #release: Release;
  readonly #knowsPatches: boolean;

  /** @param knowsPatches whether everything that is a patch has been left out already */
  constructor(release: Release, knowsPatches: boolean) {
    this.#release = release;
    this.#knowsPatches = knowsPatches;
  }

  /** The answer to an object that is written; empty where it is accepted. */
  refusalOf({ object, value }: Declared): string {
    if (object.metadata?.uid !== undefined) return '';
    const undecodable = value === undefined ? undefined : undecodableText(value, this.#release);
    if (undecodable !== undefined) return undecodable;
    const errors = this.#counting(refusalsOf(object, this.#release));
    return errors.length === 0 ? '' : invalidText(object, errors, this.#release);
  }

  /** What is wrong with a pod that a controller makes of a workload, though the workload is accepted. */
  errorsOf(pod: Pod, workload: Declared | undefined): readonly FieldError[] {
    const refusals = refusalsOf(pod, this.#release);
    if (refusals.length === 0 || workload === undefined || workload.object.kind === 'Pod') {
      return this.#counting(refusals);
    }
    const wholeness = new Wholeness(workload.object);
    const { kind } = workload.object;
    return this.#counting(
      refusals
        .filter(({ error }) => !isMade(error, kind))
        .map((refusal) => ({
          ...refusal,
          doubt: wholeness.doubtOf({ ...refusal.error, ofTemplate: true }),
        })),
    );
  }

  textOf(pod: Pod, errors: readonly FieldError[]): string {
    return invalidText({ ...pod, apiVersion: 'v1', kind: 'Pod' }, errors, this.#release);
  }

  #counting(refusals: readonly Refusal[]): readonly FieldError[] {
    return refusals.flatMap(({ error, doubt }) => (doubt === 'none' || this.#knowsPatches ? [error] : []));
  }
}

/**
 * Whether an error is about what a controller makes up: a name with letters drawn by chance, and the node of a DaemonSet's
 * pod, which may be one that is only thought of.
 */
function isMade({ path }: FieldError, kind: string | undefined): boolean {
  if (path[0] === 'metadata') return path[1] === 'name' && kind !== 'StatefulSet';
  return kind === 'DaemonSet' && path.includes('matchFields');
}

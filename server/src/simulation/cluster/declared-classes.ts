import { isKnownKind } from '../../kubernetes/decode/index.ts';
import { nearestDeclaration } from '../../kubernetes/nearest-declaration.ts';
import type { Declared, KubeObject, Origin, PriorityClass } from '../../kubernetes/objects.ts';
import { systemPriorityClasses } from '../../admission/priority/priority.ts';
import { addTo, getOrInsert } from '../../util/maps.ts';
import type { Creation } from './creation.ts';
import type { SimulationInput } from './input.ts';

type DeclaredClass = Declared<PriorityClass & KubeObject>;

/** The classes of a simulation. Of one that is declared more than once, each pod gets the nearest declaration. */
export class DeclaredClasses {
  readonly #byName = new Map<string, [DeclaredClass, ...DeclaredClass[]]>();
  readonly #byUri = new Map<string, readonly PriorityClass[]>();
  readonly #first: readonly PriorityClass[];
  /** Names of classes that are declared more than once. */
  readonly repeated: readonly string[];

  /** Names of classes that the API server refuses, so that pods cannot have them. */
  readonly refused: readonly string[];
  /**
   * Whether every class of the cluster is known. The output of `kubectl get priorityclasses` always has the two system
   * classes, and hardly anything else does.
   */
  readonly complete: boolean;

  constructor({ workspace, snapshot }: SimulationInput, creation: Creation) {
    const refused = new Set<string>();
    for (const declared of workspace) {
      if (!isClass(declared)) continue;
      if (creation.refusalOf(declared) !== '') {
        refused.add(nameOf(declared));
        continue;
      }
      addTo(this.#byName, nameOf(declared), declared);
    }
    // What the manifests say of a class counts before what the snapshot says.
    for (const declared of snapshot) {
      if (isClass(declared) && !this.#byName.has(nameOf(declared))) this.#byName.set(nameOf(declared), [declared]);
    }
    this.refused = [...refused].filter((name) => !this.#byName.has(name)).sort();
    this.complete = [...systemPriorityClasses.keys()].every((name) => this.#byName.has(name));
    this.repeated = [...this.#byName].flatMap(([name, { length }]) => (length > 1 ? [name] : [])).sort();
    this.#first = [...this.#byName.values()].map(([{ object }]) => object);
  }

  /** Every class as it counts for what is written at a place; null where that is not known. */
  for(origin: Origin | null): readonly PriorityClass[] {
    if (origin === null || this.repeated.length === 0) return this.#first;
    return getOrInsert(this.#byUri, origin.uri, () =>
      [...this.#byName.values()].map(
        (declarations) => nearestDeclaration(declarations, origin.uri, (declared) => declared.origin?.uri).object,
      ),
    );
  }
}

function isClass(declared: Declared): declared is DeclaredClass {
  const { apiVersion = '', kind = '' } = declared.object;
  return kind === 'PriorityClass' && isKnownKind(apiVersion, kind) && nameOf(declared) !== '';
}

function nameOf({ object }: Declared): string {
  return object.metadata?.name ?? '';
}

import { contained } from '../../util/contain.ts';
import { addTo, getOrInsert } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { runToEnd, sortInSteps } from '../../util/steps.ts';
import { compareText } from '../../util/words.ts';
import { ownPodFields } from '../../kubernetes/own-pod-fields.ts';
import { isWorkloadKind, workloadKinds } from '../../kubernetes/pod-template.ts';
import type { ManifestDocument, ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import { type Fact, factOf, type FactSource } from './fact.ts';
import type { Kind } from './kinds.ts';

/** Why objects of a document could not be filed. */
const failures = new WeakMap<ManifestDocument, string>();

/** That an object of a document is not among the facts, because Podium failed on it; undefined where all are. */
export function failureToFile(document: ManifestDocument): string | undefined {
  return failures.get(document);
}

const signatures = new WeakMap<ManifestObject, string>();

/** Everything of a workload that other documents may depend on, as text. */
function signatureOf(manifest: ManifestObject): string {
  return getOrInsert(signatures, manifest, () =>
    JSON.stringify(manifest.value, (key, value: unknown) => (ownPodFields.has(key) ? undefined : value)),
  );
}

interface FileFacts {
  readonly file: ManifestFile;
  /** For each document of the file, in order. */
  readonly byDocument: readonly (readonly Fact[])[];
  readonly byKind: ReadonlyMap<Kind, Fact[]>;
}

/** The facts of one source, file by file. */
export class FactStore {
  readonly #source: FactSource;
  readonly #files = new Map<string, FileFacts>();
  readonly #kinds = new Map<Kind, Map<string, readonly Fact[]>>();
  readonly #lists = new Map<Kind, readonly Fact[]>();
  /** Kind → its files in order, which stays as it is while none of them comes or goes. */
  readonly #order = new Map<Kind, readonly string[]>();
  readonly #contentVersions = new Map<Kind, number>();
  #contentState = 0;
  /** While a workspace is read: the files whose workloads count already. */
  #early: Set<string> | null = null;
  /** What `prepareInSteps` has made: kind → its files in order, and their workloads. */
  readonly #prepared = new Map<Kind, { readonly order: readonly string[]; readonly list: readonly Fact[] }>();
  /** Grows whenever a kind is another in a file. */
  #changes = 0;

  constructor(source: FactSource) {
    this.#source = source;
  }

  file(uri: string): FileFacts | undefined {
    return this.#files.get(uri);
  }

  uris(): Iterable<string> {
    return this.#files.keys();
  }

  /** Until `showAll`, of workloads only those of some files are in the lists. */
  holdBack(): void {
    this.#early = new Set();
  }

  /** The workloads of a file count, although others are held back. */
  showEarly(uri: string): void {
    if (this.#early === null || this.#early.has(uri)) return;
    this.#early.add(uri);
    this.#forgetWorkloads();
  }

  showAll(): void {
    this.#early = null;
    this.#forgetWorkloads();
    for (const [kind, { order, list }] of this.#prepared) {
      this.#order.set(kind, order);
      this.#lists.set(kind, list);
    }
    this.#prepared.clear();
  }

  /** Makes the lists that `showAll` shows, a thousand workloads a step. What changes meanwhile is not prepared. */
  *prepareInSteps(): Generator<void, void> {
    for (const kind of workloadKinds) {
      const changes = this.#changes;
      const files = this.#kinds.get(kind) ?? new Map<string, readonly Fact[]>();
      const order = yield* sortInSteps([...files.keys()], compareText);
      const list: Fact[] = [];
      let stepEnd = objectsAStep;
      for (const uri of order) {
        for (const fact of files.get(uri) ?? none) list.push(fact);
        if (list.length < stepEnd) continue;
        stepEnd = list.length + objectsAStep;
        yield;
      }
      if (this.#changes === changes) this.#prepared.set(kind, { order, list });
    }
  }

  #forgetWorkloads(): void {
    for (const kind of workloadKinds) {
      this.#lists.delete(kind);
      this.#order.delete(kind);
    }
  }

  /** Takes a file in, or out with `undefined`. Answers whether any object came, went or changed. */
  set(uri: string, file: ManifestFile | undefined): boolean {
    return runToEnd(this.setInSteps(uri, file));
  }

  /** As `set`, a thousand objects a step. Nothing else takes the same file in meanwhile. */
  *setInSteps(uri: string, file: ManifestFile | undefined): Generator<void, boolean> {
    const before = this.#files.get(uri);
    if (file === undefined) {
      if (before === undefined) return false;
      this.#files.delete(uri);
      for (const kind of before.byKind.keys()) this.#setKind(kind, uri, undefined);
      return before.byKind.size > 0;
    }
    if (before?.file === file) return false;
    /** Kinds of objects that came, went or changed. */
    const touched = new Set<Kind>();
    const touch = (facts: readonly Fact[]): void => {
      for (const { kind } of facts) touched.add(kind);
    };
    const documents = before?.file.documents;
    const byDocument: (readonly Fact[])[] = [];
    let filed = 0;
    for (const [index, placed] of file.documents.entries()) {
      const known = before?.byDocument[index];
      const then = documents?.[index];
      if (known !== undefined && (then === placed || then?.document === placed.document)) {
        byDocument.push(known);
        continue;
      }
      const facts: Fact[] = [];
      for (const manifest of placed.document.objects) {
        const fact = contained(
          say`this document`,
          () => factOf(this.#source, uri, placed, manifest),
          (text) => {
            failures.set(placed.document, text);
            return undefined;
          },
        );
        if (fact !== undefined) facts.push(fact);
        if (++filed % objectsAStep === 0) yield;
      }
      touch(facts);
      if (known !== undefined) touch(known);
      byDocument.push(facts);
    }
    before?.byDocument.slice(byDocument.length).forEach(touch);
    const byKind = new Map(before?.byKind);
    for (const kind of touched) byKind.delete(kind);
    for (const facts of byDocument) {
      for (const fact of facts) {
        if (!touched.has(fact.kind) || fact.isUnnamed) continue;
        addTo(byKind, fact.kind, fact);
      }
    }
    this.#files.set(uri, { file, byDocument, byKind });
    let changed = false;
    for (const kind of touched) changed = this.#setKind(kind, uri, byKind.get(kind)) || changed;
    return changed;
  }

  ofKind(kind: Kind): readonly Fact[] {
    return getOrInsert(this.#lists, kind, () => {
      const files = this.#kinds.get(kind);
      // By name of the file, so that answers do not depend on the order in which files were read.
      return files === undefined ? none : this.#inOrder(kind, files).flatMap((uri) => files.get(uri)!);
    });
  }

  /** Every object of a kind, those that are held back as well. */
  allOfKind(kind: Kind): readonly Fact[] {
    const prepared = this.#prepared.get(kind);
    if (prepared !== undefined) return prepared.list;
    const files = this.#kinds.get(kind);
    return files === undefined ? none : [...files.keys()].sort().flatMap((uri) => files.get(uri)!);
  }

  #inOrder(kind: Kind, files: ReadonlyMap<string, unknown>): readonly string[] {
    let order = this.#order.get(kind);
    if (order === undefined) {
      const early = isWorkloadKind(kind) ? this.#early : null;
      const uris = early === null ? [...files.keys()] : [...early].filter((uri) => files.has(uri));
      this.#order.set(kind, (order = uris.sort()));
    }
    return order;
  }

  #isHeldBack(kind: Kind, uri: string): boolean {
    return this.#early !== null && isWorkloadKind(kind) && !this.#early.has(uri);
  }

  #setKind(kind: Kind, uri: string, facts: readonly Fact[] | undefined): boolean {
    const files = getOrInsert(this.#kinds, kind, () => new Map());
    if (sameItems(files.get(uri), facts)) return false;
    this.#changes += 1;
    this.#prepared.delete(kind);
    if (!sameContent(files.get(uri), facts)) {
      this.#contentVersions.set(kind, this.contentVersion(kind) + 1);
      this.#contentState += 1;
    }
    const isShown = !this.#isHeldBack(kind, uri);
    if (isShown && files.has(uri) !== (facts !== undefined)) this.#order.delete(kind);
    if (facts === undefined) files.delete(uri);
    else files.set(uri, facts);
    if (isShown) this.#lists.delete(kind);
    return true;
  }

  /** Grows with every change that other documents may notice. */
  contentVersion(kind: Kind): number {
    return this.#contentVersions.get(kind) ?? 0;
  }

  /** Grows when the version of any kind does. */
  get contentState(): number {
    return this.#contentState;
  }
}

const none: readonly Fact[] = [];

const objectsAStep = 1_000;

/**
 * Workloads of a file that are compared with what they were. A captured cluster has a hundred thousand pods: to write
 * all of them as text takes seconds, and what is worked out anew instead does not.
 */
const mostCompared = 1_000;

function sameItems(a: readonly Fact[] | undefined, b: readonly Fact[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((fact, index) => fact === b[index]);
}

/** Whether lists are the same to everybody but the documents they stand in. */
function sameContent(a: readonly Fact[] | undefined, b: readonly Fact[] | undefined): boolean {
  if (b === undefined || a?.length !== b.length) return false;
  let compared = 0;
  return a.every((fact, index) => {
    const other = b[index]!;
    if (fact === other) return true;
    return (
      ++compared <= mostCompared &&
      fact.index === other.index &&
      isWorkloadKind(fact.kind) &&
      signatureOf(fact.manifest) === signatureOf(other.manifest)
    );
  });
}

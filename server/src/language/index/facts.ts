/**
 * What the manifests of the workspace and the cluster snapshot declare, kept up to date file by file. Every answer of
 * the editor is made from it.
 *
 * Lists are handed out per kind and keep their identity as long as none of their objects changes, so whatever was
 * computed from lists can be kept until one of them is another (`derived`). What was found from them stays good for
 * longer: until something changes in them that other documents may notice (`RecordingReader`).
 */
import { getOrInsert } from '../../util/maps.ts';
import { valueAt } from '../../util/values.ts';
import { qualifiedName } from '../../util/words.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { Origin } from '../../kubernetes/objects.ts';
import type { EntryPart, ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import { ClusterFacts } from './cluster-facts.ts';
import type { Kind } from './kinds.ts';
import { isWorkloadKind } from '../../kubernetes/pod-template.ts';
import { placedRange } from '../../manifests/text-positions.ts';
import type { Fact, FactsReader } from './fact.ts';
import { FactStore } from './fact-store.ts';

const none: readonly Fact[] = [];

export class Facts implements FactsReader {
  readonly cluster: ClusterFacts;
  readonly #workspace = new FactStore('workspace');
  readonly #snapshot: FactStore;
  readonly #merged = new Map<Kind, { workspace: readonly Fact[]; snapshot: readonly Fact[]; list: readonly Fact[] }>();
  #version = 0;

  /** @param cluster what there is besides the workspace; several may have the same */
  constructor(cluster: ClusterFacts = new ClusterFacts()) {
    this.cluster = cluster;
    this.#snapshot = cluster.store;
  }

  /** Grows whenever an object comes, goes or changes. */
  get version(): number {
    return this.#version + this.cluster.version;
  }

  /**
   * Until `showAll`, the lists of workloads have only those of files that are shown early, and those of the snapshot. A
   * workspace that is read brings thousands a second, and everything that is worked out from all of them would be
   * worked out anew each time, to be wrong a moment later. Other kinds are few, and say what a workload means.
   */
  holdBackWorkloads(): void {
    this.#workspace.holdBack();
  }

  /** An editor shows a file: its workloads count at once. */
  showEarly(uri: string): void {
    this.#workspace.showEarly(uri);
  }

  /** The workspace has been read. */
  showAll(): void {
    this.#workspace.showAll();
  }

  /** Makes in steps what `showAll` would have the first who asks make at once. */
  prepareInSteps(): Generator<void, void> {
    return this.#workspace.prepareInSteps();
  }

  /** As everything is once workloads are not held back any more, for what is made ready by then. */
  get whole(): FactsReader {
    const lists = new Map<Kind, readonly Fact[]>();
    const workloadsOf = (kind: Kind): readonly Fact[] =>
      getOrInsert(lists, kind, () => merge(this.#workspace.allOfKind(kind), this.#snapshot.ofKind(kind)));
    return { owner: this, ofKind: (kind) => (isWorkloadKind(kind) ? workloadsOf(kind) : this.ofKind(kind)) };
  }

  /** Takes a file of the workspace in, or out with `undefined`. */
  setFile(uri: string, file: ManifestFile | undefined): void {
    if (this.#workspace.set(uri, file)) this.#version += 1;
  }

  file(uri: string): ManifestFile | undefined {
    return (this.#workspace.file(uri) ?? this.#snapshot.file(uri))?.file;
  }

  /** Files of the workspace that were taken in. */
  fileUris(): Iterable<string> {
    return this.#workspace.uris();
  }

  /** The facts of one document of the workspace, in order. */
  inDocument(uri: string, index: number): readonly Fact[] {
    return this.#workspace.file(uri)?.byDocument[index] ?? none;
  }

  /** The fact of an object that a file shows. The snapshot, which may be too large for an editor, was read for itself. */
  factOf(uri: string, index: number, object: ManifestObject): Fact | undefined {
    const inWorkspace = this.inDocument(uri, index).find(({ manifest }) => manifest === object);
    if (inWorkspace !== undefined || this.cluster.file?.uri !== uri) return inWorkspace;
    const path = object.path.join('/');
    return this.#snapshot
      .file(uri)
      ?.byDocument[index]?.find(
        ({ manifest: { kind, namespace, name, path: at } }) =>
          kind === object.kind && namespace === object.namespace && name === object.name && at.join('/') === path,
      );
  }

  get owner(): object {
    return this;
  }

  ofKind(kind: Kind): readonly Fact[] {
    const workspace = this.#workspace.ofKind(kind);
    const snapshot = this.#snapshot.ofKind(kind);
    const known = this.#merged.get(kind);
    if (known?.workspace === workspace && known.snapshot === snapshot) return known.list;
    const list = merge(workspace, snapshot);
    this.#merged.set(kind, { workspace, snapshot, list });
    return list;
  }

  /** Grows with every change of objects of a kind that other documents may notice. */
  contentVersion(kind: Kind): number {
    return this.#workspace.contentVersion(kind) + this.#snapshot.contentVersion(kind);
  }

  /** Grows with every change of any object that other documents may notice. */
  get contentState(): number {
    return this.#workspace.contentState + this.#snapshot.contentState;
  }

  /** What the snapshot alone says of an object: its earlier version. */
  inSnapshot(kind: Kind, namespace: string, name: string): Fact | undefined {
    return byIdentity(this.#snapshot.ofKind(kind)).get(qualifiedName({ namespace, name }));
  }

  /** Where something of an object is written: its name, unless a path says otherwise. */
  originOf(fact: Fact, path: Path = ['metadata', 'name'], part?: EntryPart): Origin | undefined {
    const placed = this.file(fact.uri)?.documents[fact.index];
    if (placed === undefined) return undefined;
    const current = placed.document === fact.document ? fact : this.#successorOf(fact);
    if (current === undefined) return undefined;
    // A map or a list is shown by its key, as the whole of it would be too much.
    const shown = part ?? (typeof valueAt(current.manifest.value, path) === 'object' ? 'key' : 'value');
    return { uri: fact.uri, range: placedRange(placed, current.manifest.locateNearest(path, shown)) };
  }

  /** The same object after its document was edited. */
  #successorOf({ uri, index, kind, namespace, name }: Fact): Fact | undefined {
    const now = this.#workspace.file(uri) ?? this.#snapshot.file(uri);
    return now?.byDocument[index]?.find(
      (fact) => fact.kind === kind && fact.namespace === namespace && fact.name === name,
    );
  }
}

const identities = new WeakMap<readonly Fact[], ReadonlyMap<string, Fact>>();

function byIdentity(facts: readonly Fact[]): ReadonlyMap<string, Fact> {
  return getOrInsert(identities, facts, () => {
    // An object with `generateName` only is never the same as another.
    return new Map(facts.filter((fact) => fact.name !== '').map((fact) => [qualifiedName(fact), fact]));
  });
}

function merge(workspace: readonly Fact[], snapshot: readonly Fact[]): readonly Fact[] {
  if (snapshot.length === 0) return workspace;
  const declared = byIdentity(workspace);
  return [...workspace, ...snapshot.filter((fact) => !declared.has(qualifiedName(fact)))];
}

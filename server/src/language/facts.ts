/**
 * What the manifests of the workspace and the cluster snapshot declare, kept up to date file by file. Every answer of
 * the editor is made from it.
 *
 * Lists are handed out per kind and keep their identity as long as none of their objects changes, so whatever was
 * computed from lists can be kept until one of them is another (`derived`). What was found from them stays good for
 * longer: until something changes in them that other documents may notice (`RecordingReader`).
 */
import { valueAt } from '../kit/values.ts';
import { qualifiedName } from '../kit/words.ts';
import { namespaceOfKind } from '../kubernetes/names.ts';
import type { Path } from '../kubernetes/json.ts';
import { ownPodFields } from '../kubernetes/own-pod-fields.ts';
import type { KubeObject, Origin } from '../kubernetes/objects.ts';
import type {
  EntryPart,
  ManifestDocument,
  ManifestFile,
  ManifestObject,
  PlacedDocument,
} from '../manifests/manifest.ts';
import { type Kind, knownKind } from './kinds.ts';
import { isWorkloadKind, podTemplateOf, workloadKinds, type WorkloadTemplate } from '../kubernetes/pod-template.ts';
import { serverVersionIn } from '../manifests/server-version.ts';
import { placedRange } from '../manifests/text-positions.ts';

type FactSource = 'workspace' | 'snapshot';

/** One declared object. */
export interface Fact {
  readonly kind: Kind;
  /** `default` where a namespaced object names none; empty for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly source: FactSource;
  readonly uri: string;
  /** 0-based index of its document in the file. */
  readonly index: number;
  readonly document: ManifestDocument;
  readonly manifest: ManifestObject;
  /** The object with everything of a wrong type left out. */
  readonly object: KubeObject;
  /** What was left out, and why. */
  readonly problems: ManifestObject['decoded']['problems'];
  /** Undefined for kinds that make no pods. */
  readonly template: WorkloadTemplate | undefined;
}

/** What a rule or an answer reads from. */
export interface FactsReader {
  /** Every object of a kind: those of the workspace, then those that only the snapshot has. */
  ofKind(kind: Kind): readonly Fact[];
}

const signatures = new WeakMap<ManifestObject, string>();

/** Everything of a workload that other documents may depend on, as text. */
function signatureOf(manifest: ManifestObject): string {
  let signature = signatures.get(manifest);
  if (signature === undefined) {
    signature = JSON.stringify(manifest.value, (key, value: unknown) => (ownPodFields.has(key) ? undefined : value));
    signatures.set(manifest, signature);
  }
  return signature;
}

/** Of a workload; kept with its object, which keeps its identity as long as its text does not change. */
const templates = new WeakMap<KubeObject, WorkloadTemplate | undefined>();

class DeclaredFact implements Fact {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly source: FactSource;
  readonly uri: string;
  readonly index: number;
  readonly document: ManifestDocument;
  readonly manifest: ManifestObject;

  constructor(kind: Kind, source: FactSource, uri: string, placed: PlacedDocument, manifest: ManifestObject) {
    this.kind = kind;
    this.namespace = namespaceOfKind(manifest.apiVersion, manifest.kind, manifest.namespace);
    this.name = manifest.name;
    this.source = source;
    this.uri = uri;
    this.index = placed.index;
    this.document = placed.document;
    this.manifest = manifest;
  }

  // Decoding is left until somebody looks: most objects of a large workspace are only counted.
  get object(): KubeObject {
    return this.manifest.decoded.object;
  }

  get problems(): Fact['problems'] {
    return this.manifest.decoded.problems;
  }

  get template(): WorkloadTemplate | undefined {
    const { object } = this;
    if (!templates.has(object)) templates.set(object, podTemplateOf(object));
    return templates.get(object);
  }
}

/** An object of a document as a fact; undefined for kinds that are none of ours. */
function factOf(source: FactSource, uri: string, placed: PlacedDocument, manifest: ManifestObject): Fact | undefined {
  const kind = knownKind(manifest.apiVersion, manifest.kind);
  return kind === undefined ? undefined : new DeclaredFact(kind, source, uri, placed, manifest);
}

interface FileFacts {
  readonly file: ManifestFile;
  /** For each document of the file, in order. */
  readonly byDocument: readonly (readonly Fact[])[];
  readonly byKind: ReadonlyMap<Kind, Fact[]>;
}

/** The facts of one source, file by file. */
class FactStore {
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
  }

  #forgetWorkloads(): void {
    for (const kind of workloadKinds) {
      this.#lists.delete(kind);
      this.#order.delete(kind);
    }
  }

  /** Takes a file in, or out with `undefined`. Answers whether any object came, went or changed. */
  set(uri: string, file: ManifestFile | undefined): boolean {
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
    const byDocument = file.documents.map((placed, index) => {
      const known = before?.byDocument[index];
      const then = documents?.[index];
      if (known !== undefined && (then === placed || then?.document === placed.document)) return known;
      const facts = placed.document.objects.flatMap((manifest) => factOf(this.#source, uri, placed, manifest) ?? []);
      touch(facts);
      if (known !== undefined) touch(known);
      return facts;
    });
    before?.byDocument.slice(byDocument.length).forEach(touch);
    const byKind = new Map(before?.byKind);
    for (const kind of touched) byKind.delete(kind);
    for (const facts of byDocument) {
      for (const fact of facts) {
        if (!touched.has(fact.kind)) continue;
        const list = byKind.get(fact.kind);
        if (list === undefined) byKind.set(fact.kind, [fact]);
        else list.push(fact);
      }
    }
    this.#files.set(uri, { file, byDocument, byKind });
    let changed = false;
    for (const kind of touched) changed = this.#setKind(kind, uri, byKind.get(kind)) || changed;
    return changed;
  }

  ofKind(kind: Kind): readonly Fact[] {
    let list = this.#lists.get(kind);
    if (list === undefined) {
      const files = this.#kinds.get(kind);
      // By name of the file, so that answers do not depend on the order in which files were read.
      list = files === undefined ? none : this.#inOrder(kind, files).flatMap((uri) => files.get(uri)!);
      this.#lists.set(kind, list);
    }
    return list;
  }

  /** Every object of a kind, those that are held back as well. */
  allOfKind(kind: Kind): readonly Fact[] {
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
    let files = this.#kinds.get(kind);
    if (files === undefined) {
      files = new Map();
      this.#kinds.set(kind, files);
    }
    if (sameItems(files.get(uri), facts)) return false;
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

function sameItems(a: readonly Fact[] | undefined, b: readonly Fact[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((fact, index) => fact === b[index]);
}

/** Whether lists are the same to everybody but the documents they stand in. */
function sameContent(a: readonly Fact[] | undefined, b: readonly Fact[] | undefined): boolean {
  if (b === undefined || a?.length !== b.length) return false;
  return a.every((fact, index) => {
    const other = b[index]!;
    if (fact === other) return true;
    return (
      fact.index === other.index &&
      isWorkloadKind(fact.kind) &&
      signatureOf(fact.manifest) === signatureOf(other.manifest)
    );
  });
}

export class Facts implements FactsReader {
  readonly #workspace = new FactStore('workspace');
  readonly #snapshot = new FactStore('snapshot');
  #snapshotFile: ManifestFile | undefined;
  readonly #merged = new Map<Kind, { workspace: readonly Fact[]; snapshot: readonly Fact[]; list: readonly Fact[] }>();
  #version = 0;
  #serverVersion: string | undefined;

  /** Grows whenever an object comes, goes or changes. */
  get version(): number {
    return this.#version;
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

  /** As everything is once workloads are not held back any more, for what is made ready by then. */
  get whole(): FactsReader {
    const lists = new Map<Kind, readonly Fact[]>();
    const workloadsOf = (kind: Kind): readonly Fact[] => {
      let list = lists.get(kind);
      if (list === undefined) {
        list = merge(this.#workspace.allOfKind(kind), this.#snapshot.ofKind(kind));
        lists.set(kind, list);
      }
      return list;
    };
    return { ofKind: (kind) => (isWorkloadKind(kind) ? workloadsOf(kind) : this.ofKind(kind)) };
  }

  /** Takes a file of the workspace in, or out with `undefined`. */
  setFile(uri: string, file: ManifestFile | undefined): void {
    if (this.#workspace.set(uri, file)) this.#version += 1;
  }

  /** Takes the snapshot in; there is one at most. */
  setSnapshot(file: ManifestFile | undefined): void {
    let changed = false;
    for (const uri of [...this.#snapshot.uris()]) {
      if (uri !== file?.uri) changed = this.#snapshot.set(uri, undefined) || changed;
    }
    if (file !== undefined) changed = this.#snapshot.set(file.uri, file) || changed;
    if (changed) this.#version += 1;
    this.#snapshotFile = file;
    this.#serverVersion = file === undefined ? undefined : serverVersionIn(file);
  }

  /** The version of the API server, where the snapshot names it. */
  get serverVersion(): string | undefined {
    return this.#serverVersion;
  }

  get snapshot(): ManifestFile | undefined {
    return this.#snapshotFile;
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
    if (inWorkspace !== undefined || this.#snapshotFile?.uri !== uri) return inWorkspace;
    const path = object.path.join('/');
    return this.#snapshot
      .file(uri)
      ?.byDocument[index]?.find(
        ({ manifest: { kind, namespace, name, path: at } }) =>
          kind === object.kind && namespace === object.namespace && name === object.name && at.join('/') === path,
      );
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
  let map = identities.get(facts);
  if (map === undefined) {
    // An object with `generateName` only is never the same as another.
    map = new Map(facts.filter((fact) => fact.name !== '').map((fact) => [qualifiedName(fact), fact]));
    identities.set(facts, map);
  }
  return map;
}

function merge(workspace: readonly Fact[], snapshot: readonly Fact[]): readonly Fact[] {
  if (snapshot.length === 0) return workspace;
  const declared = byIdentity(workspace);
  return [...workspace, ...snapshot.filter((fact) => !declared.has(qualifiedName(fact)))];
}

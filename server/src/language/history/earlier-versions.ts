import { withLeftOut } from '../../kubernetes/left-out.ts';
import { namespaceOfKind, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { editorLimits } from '../../manifests/limits.ts';
import { readManifestFile } from '../../manifests/parse-manifest-file.ts';
import { runInSlices } from '../../util/run-in-slices.ts';
import type { EarlierVersions } from '../checks/rule-runner.ts';
import type { ReadCommittedTexts } from './committed-texts.ts';
import type { Fact } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import type { EarlierVersion } from '../rules/support/rule.ts';

interface Committed {
  readonly text: string | null;
  readonly file: ManifestFile | null;
  readonly versions: Map<string, readonly EarlierVersion[]>;
}

/**
 * What objects were before: in the last commit, asked for and kept, and in the cluster snapshot. Until the answer is
 * there, a file has no earlier version.
 */
export class KnownEarlierVersions implements EarlierVersions {
  readonly #facts: Facts;
  readonly #read: ReadCommittedTexts;
  readonly #commit: string;
  readonly #madeInCommit: (key: WorkloadKey, uri: string) => KubeObject | undefined;
  readonly #committed = new Map<string, Committed>();
  /** Grows when answers become out of date; an answer that was asked for before is dropped. */
  #generation = 0;
  #unknown: readonly string[] = [];

  /**
   * @param commit the one that texts are read of
   * @param madeInCommit what a source made of a file of the commit, where that was rendered
   */
  constructor(
    facts: Facts,
    read: ReadCommittedTexts,
    commit = 'HEAD',
    madeInCommit: (key: WorkloadKey, uri: string) => KubeObject | undefined = () => undefined,
  ) {
    this.#facts = facts;
    this.#read = read;
    this.#commit = commit;
    this.#madeInCommit = madeInCommit;
  }

  /** Why committed versions are not known, as the last answer said; empty when all that were asked for are. */
  get unknown(): readonly string[] {
    return this.#unknown;
  }

  /** Asks for the committed texts of files. Answers whether that told anything new. */
  async load(uris: readonly string[]): Promise<boolean> {
    if (uris.length === 0) return false;
    const generation = this.#generation;
    const { texts, unknown } = await this.#read(uris);
    if (generation !== this.#generation) return false;
    let isNew = unknown.join() !== this.#unknown.join();
    this.#unknown = unknown;
    for (const uri of uris) {
      const text = texts.get(uri) ?? null;
      const known = this.#committed.get(uri);
      if (known?.text === text) continue;
      // Documents that have not changed since are the same, and so are their objects.
      const now = this.#facts.file(uri);
      // Of the snapshot the text is not kept.
      const previous = now === this.#facts.cluster.file ? undefined : now;
      const steps = text === null ? null : readManifestFile(uri, text, null, previous, editorLimits);
      const file = steps === null ? null : await runInSlices(steps, () => generation === this.#generation);
      if (file === undefined || generation !== this.#generation) return isNew;
      this.#committed.set(uri, { text, file, versions: new Map() });
      if (known !== undefined || file !== null) isNew = true;
    }
    return isNew;
  }

  forget(uri: string): void {
    this.#committed.delete(uri);
  }

  /** HEAD moved: what is on its way is out of date. */
  invalidate(): void {
    this.#generation += 1;
  }

  stateOf(uri: string): unknown {
    return this.#committed.get(uri) ?? nothing;
  }

  of(fact: Fact): readonly EarlierVersion[] {
    if (fact.source !== 'workspace' || fact.name === '') return [];
    const versions: EarlierVersion[] = [];
    // What is written in a commit is not what a tool made of it then.
    const committed = fact.manifest.rendering === undefined ? this.#inCommit(fact) : this.#made(fact);
    if (committed !== null) versions.push(committed);
    const inCluster = this.#facts.inSnapshot(fact.kind, fact.namespace, fact.name);
    if (inCluster !== undefined) {
      versions.push({ source: 'snapshot', object: this.#whole(inCluster.object, fact.object) });
    }
    return versions;
  }

  #whole(stored: KubeObject, written: KubeObject): KubeObject {
    return this.#facts.cluster.header === undefined ? stored : withLeftOut(stored, written);
  }

  #made({ kind, namespace, name, uri }: Fact): EarlierVersion | null {
    const object = this.#madeInCommit(workloadKey(kind, namespace, name), uri);
    return object === undefined ? null : { source: 'git', commit: this.#commit, object };
  }

  #inCommit(fact: Fact): EarlierVersion | null {
    const committed = this.#committed.get(fact.uri);
    if (committed?.file === undefined || committed.file === null) return null;
    const key = workloadKey(fact.kind, fact.namespace, fact.name);
    let versions = committed.versions.get(key);
    if (versions === undefined) {
      versions = [...find(committed.file, fact, this.#commit)];
      committed.versions.set(key, versions);
    }
    if (versions.length < 2) return versions[0] ?? null;
    // A file may declare one name several times: what it had just so before has not changed.
    const now = JSON.stringify(fact.object);
    return versions.find(({ object }) => JSON.stringify(object) === now) ?? versions[0]!;
  }
}

const nothing = {};

function* find(file: ManifestFile, fact: Fact, commit: string): Iterable<EarlierVersion> {
  for (const { document } of file.documents) {
    for (const object of document.objects) {
      if (object.kind !== fact.manifest.kind || object.name !== fact.name) continue;
      if (namespaceOfKind(object.apiVersion, object.kind, object.namespace) === fact.namespace) {
        yield { source: 'git', commit, object: object.decoded.object };
      }
    }
  }
}

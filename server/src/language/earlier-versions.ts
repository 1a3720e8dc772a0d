import type { ManifestFile } from '../manifests/manifest.ts';
import { parseManifestFile } from '../manifests/parse-manifest-file.ts';
import { decodeObject } from '../kubernetes/decode/index.ts';
import type { EarlierVersions } from './check-file.ts';
import type { Fact, Facts } from './facts.ts';
import { namespaceOf } from './kinds.ts';
import type { EarlierVersion } from './rules/rule.ts';

/** Answers the text of a file as it was committed last; null when there is none. */
export type CommittedText = (uri: string) => Promise<string | null>;

interface Committed {
  readonly text: string | null;
  readonly file: ManifestFile | null;
  readonly versions: Map<string, EarlierVersion | null>;
}

/**
 * What objects were before: in the last commit, asked for file by file and kept, and in the cluster snapshot. Until
 * the answer is there, a file has no earlier version.
 */
export class KnownEarlierVersions implements EarlierVersions {
  readonly #facts: Facts;
  readonly #committedText: CommittedText;
  readonly #committed = new Map<string, Committed>();
  /** Grows when answers become out of date; an answer that was asked for before is dropped. */
  #generation = 0;

  constructor(facts: Facts, committedText: CommittedText) {
    this.#facts = facts;
    this.#committedText = committedText;
  }

  /** Asks for the committed text of a file. Answers whether that told anything new. */
  async load(uri: string): Promise<boolean> {
    const generation = this.#generation;
    const text = await this.#committedText(uri);
    if (generation !== this.#generation) return false;
    const known = this.#committed.get(uri);
    if (known?.text === text) return false;
    const file = text === null ? null : parseManifestFile(uri, text, null, known?.file ?? undefined);
    this.#committed.set(uri, { text, file, versions: new Map() });
    return known !== undefined || file !== null;
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
    const committed = this.#inCommit(fact);
    if (committed !== null) versions.push(committed);
    const inCluster = this.#facts.inSnapshot(fact.kind, fact.namespace, fact.name);
    if (inCluster !== undefined) versions.push({ source: 'snapshot', object: inCluster.object });
    return versions;
  }

  #inCommit(fact: Fact): EarlierVersion | null {
    const committed = this.#committed.get(fact.uri);
    if (committed?.file === undefined || committed.file === null) return null;
    const key = `${fact.kind}/${fact.namespace}/${fact.name}`;
    let version = committed.versions.get(key);
    if (version === undefined) {
      version = find(committed.file, fact);
      committed.versions.set(key, version);
    }
    return version;
  }
}

const nothing = {};

function find(file: ManifestFile, fact: Fact): EarlierVersion | null {
  for (const { document } of file.documents) {
    for (const object of document.objects) {
      if (object.kind !== fact.manifest.kind || object.name !== fact.name) continue;
      if (namespaceOf(object) === fact.namespace) return { source: 'git', object: decodeObject(object.value).object };
    }
  }
  return null;
}

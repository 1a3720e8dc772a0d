import { keptWith } from '../../util/kept-with.ts';
import { namespaceOfKind } from '../../kubernetes/names.ts';
import type { KubeObject } from '../../kubernetes/objects.ts';
import { openName } from '../../kubernetes/placeholders.ts';
import { podTemplateOf, type WorkloadTemplate } from '../../kubernetes/pod-template.ts';
import type { ManifestDocument, ManifestObject, PlacedDocument } from '../../manifests/manifest.ts';
import { getOrInsert } from '../../util/maps.ts';
import { type Kind, knownKind } from './kinds.ts';

export type FactSource = 'workspace' | 'snapshot';

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
  /** Whether nobody knows yet what it will be called: it is judged by nothing, and nothing by it. */
  readonly isUnnamed: boolean;
  /** Undefined for kinds that make no pods. */
  readonly template: WorkloadTemplate | undefined;
}

/** What a rule or an answer reads from. */
export interface FactsReader {
  /** Whose objects they are: what is worked out from them is kept for each owner. */
  readonly owner: object;
  /** Every object of a kind: those of the workspace, then those that only the snapshot has. */
  ofKind(kind: Kind): readonly Fact[];
}

/** Of a workload; kept with its object, which keeps its identity as long as its text does not change. */
const templates = keptWith<KubeObject, WorkloadTemplate | null>();

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

  get isUnnamed(): boolean {
    return openName(this.manifest) !== undefined;
  }

  get problems(): Fact['problems'] {
    return this.manifest.decoded.problems;
  }

  get template(): WorkloadTemplate | undefined {
    const { object } = this;
    const template = getOrInsert(templates, object, () => podTemplateOf(object) ?? null);
    return template ?? undefined;
  }
}

/** An object of a document as a fact; undefined for kinds that are none of ours. */
export function factOf(
  source: FactSource,
  uri: string,
  placed: PlacedDocument,
  manifest: ManifestObject,
): Fact | undefined {
  const kind = knownKind(manifest.apiVersion, manifest.kind);
  return kind === undefined ? undefined : new DeclaredFact(kind, source, uri, placed, manifest);
}

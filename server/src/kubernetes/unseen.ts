import type { Origin } from './objects.ts';

/** Why something that makes pods, or may, is not part of an answer. */
export type UnseenKind =
  /** A kustomization, a chart or the like that was not rendered. */
  | 'source'
  /** A chart that is rendered without values that nobody can know here: of a Secret. */
  | 'values'
  /** A source that is rendered without what it takes from elsewhere. */
  | 'partial'
  /** A custom resource of an operator that makes pods of it. */
  | 'operator'
  /** A part of a manifest, a patch or a component, that nothing puts into a whole. */
  | 'part'
  /** An object with a placeholder that nothing here has a value for. */
  | 'placeholder'
  /** A template that belongs to no chart. */
  | 'template'
  /** A document that cannot be read, wholly or in part; none of it counts. */
  | 'document'
  | 'encrypted'
  /** A file that is over a limit, or cannot be read. */
  | 'file'
  /** An object of a version that the API server does not serve. */
  | 'version';

/** Something that an answer could not see. */
export interface Unseen {
  readonly kind: UnseenKind;
  /** What it is: `HelmRelease media/plex`, `Prometheus`. */
  readonly name: string;
  /** One sentence without a full stop; of a tool, in its own words. */
  readonly why: string;
  /** The same of several of which each lacks another thing of that kind; it is one reason for all of them. */
  readonly ofSeveral?: string;
  /** How many of them. */
  readonly count: number;
  readonly origin: Origin | null;
  /** Whether it was tried and has failed, or took too long: by a fault in the files, or one that somebody put there. */
  readonly hasFailed?: boolean;
  /** Whether what it needs could be fetched, or is not there. */
  readonly absence?: 'not-fetched' | 'not-there';
  /** The tool that could render it, and is not installed. */
  readonly lacksTool?: 'kubectl' | 'helm';
}

/** What hides that nothing was found: an operator's pods are never known, and a part is of nothing that is applied. */
export function hides({ kind }: Pick<Unseen, 'kind'>): boolean {
  return kind !== 'operator' && kind !== 'part';
}

import { readFile } from 'node:fs/promises';
import { wholeFile } from '../../manifests/last-whole.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { parseManifestFile } from '../../manifests/parse-manifest-file.ts';
import { pathOf } from '../../sources/files/path-of.ts';
import type { Source, WhyNot } from '../../sources/files/source.ts';
import type { AppliedSource } from '../../sources/targets/applied-source.ts';
import type { FoundSources } from '../../sources/targets/workspace-sources.ts';

/** The texts of a workspace, by path where they are not those on disk. */
interface Texts {
  /** What editors hold and the disk has not; null for a file that is not there. */
  readonly unsaved: ReadonlyMap<string, string | null>;
  /** Manifests as they are written. */
  readonly plain: readonly ManifestFile[];
}

/** What is found of texts, or of those before where nothing comes of one that is edited. */
interface Kept {
  readonly found: FoundSources;
  readonly plain: readonly ManifestFile[];
  /** What came of the text of files whose text does not count. */
  readonly broken: readonly AppliedSource[];
  /** Says that this is what counts now; those files. */
  readonly take: () => readonly ManifestFile[];
}

/** Files that are edited and of which nothing comes now: what came of them last counts. */
export class UnfinishedEdits {
  readonly #openFiles: () => readonly ManifestFile[];
  /** By path, the texts of open files of which everything came last. */
  #whole: ReadonlyMap<string, string> = new Map();
  #uris: readonly string[] = [];

  constructor(openFiles: () => readonly ManifestFile[]) {
    this.#openFiles = openFiles;
  }

  /** URIs of those of the last finding. */
  get uris(): readonly string[] {
    return this.#uris;
  }

  /** What editors hold and the disk has not, by path. */
  async unsaved(): Promise<Map<string, string | null>> {
    const unsaved = new Map<string, string | null>();
    for (const [path, text] of this.#heldTexts()) {
      if ((await readFile(path, 'utf8').catch(() => null)) !== text) unsaved.set(path, text);
    }
    return unsaved;
  }

  /** What was saved counts, whatever comes of it. */
  saved(path: string): void {
    const text = this.#heldTexts().get(path);
    if (text !== undefined) this.#whole = new Map([...this.#whole, [path, text]]);
  }

  /**
   * What comes of the files; of one that is edited, and of which nothing comes now, what came of it last.
   * @param before what was found last
   */
  async findOrKeep(
    before: FoundSources | undefined,
    plainFiles: () => readonly ManifestFile[],
    find: (texts: Texts) => Promise<FoundSources>,
  ): Promise<Kept> {
    const held = this.#heldTexts();
    const unsaved = await this.unsaved();
    const texts = { unsaved, plain: plainFiles() };
    const found = await find(texts);
    const broken = brokenSince(before, found);
    const unfinished = await this.#unfinishedIn(before, broken, held, unsaved);
    const take = (): readonly ManifestFile[] => {
      if (unfinished.size === 0) this.#whole = held;
      const edited = this.#openFiles().filter(({ uri }) => unfinished.has(pathOf(uri) ?? uri));
      this.#uris = edited.map(({ uri }) => uri);
      return edited;
    };
    if (unfinished.size === 0) return { found, plain: texts.plain, broken: [], take };
    const asBefore = withTexts(texts, unfinished);
    return { found: await find(asBefore), plain: asBefore.plain, broken, take };
  }

  /** By path, what counts of unsaved files with which sources broke; null where there was none. */
  async #unfinishedIn(
    before: FoundSources | undefined,
    broken: readonly AppliedSource[],
    held: ReadonlyMap<string, string>,
    unsaved: ReadonlyMap<string, string | null>,
  ): Promise<ReadonlyMap<string, string | null>> {
    const ids = new Set(broken.map(({ source }) => source.id));
    const known = before?.applied.sources.filter(({ source }) => ids.has(source.id)) ?? [];
    const read = new Set([...broken, ...known].flatMap(({ source }) => [...reachedBy(source)]));
    const counts = new Map<string, string | null>();
    for (const path of unsaved.keys()) {
      if (!read.has(path)) continue;
      const text = this.#whole.get(path) ?? (await readFile(path, 'utf8').catch(() => null));
      if (text !== held.get(path)) counts.set(path, text);
    }
    return counts;
  }

  /** What editors hold, by path. */
  #heldTexts(): ReadonlyMap<string, string> {
    const held = this.#openFiles().flatMap((file): [path: string, text: string][] => {
      const path = pathOf(file.uri);
      const texts = wholeFile(file).documents.map(({ document }) => document.text);
      return path === null ? [] : [[path, texts.join('')]];
    });
    return new Map(held);
  }
}

/** Paths of what a source is made of. */
export function reachedBy({ inputs, resources, place }: Source): ReadonlySet<string> {
  return new Set([...inputs, ...resources, place.file]);
}

/** Sources of which nothing comes, or what cannot be read, and that were whole before. */
function brokenSince(before: FoundSources | undefined, { applied }: FoundSources): readonly AppliedSource[] {
  const whole = new Set(before?.applied.sources.filter(isWhole).map(({ source }) => source.id));
  return applied.sources.filter((one) => whole.has(one.source.id) && isBroken(one));
}

/** Why nothing comes of a source because of what is written. */
const written: ReadonlySet<WhyNot> = new Set<WhyNot>([
  'tool-error',
  'missing',
  'unreadable',
  'remote',
  'not-supported',
  'inflates-chart',
]);

function isBroken({ refusal, made }: AppliedSource): boolean {
  return refusal === null ? made.some(({ object }) => object.decoded.problems.length > 0) : written.has(refusal.why);
}

function isWhole(one: AppliedSource): boolean {
  return one.refusal === null && !isBroken(one);
}

/** With other texts of some files, by path; null for one that is not there. */
function withTexts({ unsaved, plain }: Texts, others: ReadonlyMap<string, string | null>): Texts {
  return {
    unsaved: new Map([...unsaved, ...others]),
    plain: plain.flatMap((file) => {
      const text = others.get(pathOf(file.uri) ?? file.uri);
      if (text === undefined) return [file];
      return text === null ? [] : [parseManifestFile(file.uri, text)];
    }),
  };
}

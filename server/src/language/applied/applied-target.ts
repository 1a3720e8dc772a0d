import type { Unseen } from '../../kubernetes/unseen.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { toolsWithoutSandbox } from '../../sources/targets/lesser-mode.ts';
import { type Listed, onlyApplied } from '../../sources/targets/only-applied.ts';
import { unseenIn } from '../../sources/targets/unseen.ts';
import { editedView } from '../../sources/targets/viewed-file.ts';
import type { RenderedTarget } from '../../sources/targets/rendered-target.ts';
import type { Facts } from '../index/facts.ts';

/** What would be applied together, as an editor knows it: kept up to date by edits until it is made anew. */
export class AppliedTarget {
  readonly name: string;
  /** Names of all that there are to choose from. */
  readonly of: readonly string[];
  readonly facts: Facts;
  readonly renderedTarget: RenderedTarget;
  /** Files that are no manifests of their own. */
  readonly #inputs: ReadonlySet<string>;
  #unseen: readonly Unseen[] | undefined;
  readonly #files = new Map<string, ManifestFile>();
  /** Files that have other objects than those that are written in them. */
  readonly #viewed = new Set<string>();
  #sorted: readonly ManifestFile[] | undefined;
  #listed: Listed | undefined;

  constructor(
    facts: Facts,
    rendered: RenderedTarget,
    of: readonly string[],
    inputs: ReadonlySet<string>,
    plain: ReadonlySet<ManifestFile>,
  ) {
    this.name = rendered.target;
    this.of = of;
    this.facts = facts;
    this.renderedTarget = rendered;
    this.#inputs = inputs;
    for (const file of rendered.files) {
      this.#files.set(file.uri, file);
      if (!plain.has(file)) this.#viewed.add(file.uri);
    }
    for (const uri of [...facts.fileUris()]) if (!this.#files.has(uri)) facts.setFile(uri, undefined);
    for (const file of rendered.files) facts.setFile(file.uri, file);
  }

  /** What makes pods, or may, and is not among the objects. */
  get unseen(): readonly Unseen[] {
    this.#unseen ??= [...unseenIn({ ...this.renderedTarget, files: this.files() }, this.#inputs), ...this.unlisted];
    return this.#unseen;
  }

  /** What a kustomization beside it does not list. */
  get unlisted(): readonly Unseen[] {
    return this.#onlyApplied().unlisted;
  }

  /** Names of the tools that have rendered some of it without a sandbox of the operating system. */
  get withoutSandbox(): readonly string[] {
    return toolsWithoutSandbox(this.renderedTarget.sources);
  }

  file(uri: string): ManifestFile | undefined {
    return this.#files.get(uri);
  }

  /** In the order of their URIs. */
  files(): readonly ManifestFile[] {
    this.#sorted ??= [...this.#files.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1));
    return this.#sorted;
  }

  /** Those that simulations are made from: what a kustomization beside it does not list is only judged. */
  applied(): readonly ManifestFile[] {
    return this.#onlyApplied().files;
  }

  #onlyApplied(): Listed {
    return (this.#listed ??= onlyApplied({ ...this.renderedTarget, files: this.files() }, this.#inputs));
  }

  /** A file was edited, came or went. What sources make of it stays until it is made anew. */
  setFile(uri: string, file: ManifestFile | undefined): void {
    const view = this.#files.get(uri);
    const now = file !== undefined && view !== undefined && this.#viewed.has(uri) ? editedView(view, file) : file;
    if (now === undefined) this.#files.delete(uri);
    else this.#files.set(uri, now);
    this.#sorted = undefined;
    this.#listed = undefined;
    this.#unseen = undefined;
    this.facts.setFile(uri, now);
  }

  /** Files whose objects are made by sources that read one of some files, and are judged when those are open. */
  madeFrom(paths: ReadonlySet<string>): ReadonlySet<string> {
    const uris = new Set<string>();
    for (const { source, made } of this.renderedTarget.sources) {
      const reads = [...paths].some((path) => source.inputs.has(path) || source.resources.has(path));
      if (reads) for (const { file } of made) uris.add(file.uri);
    }
    return uris;
  }
}

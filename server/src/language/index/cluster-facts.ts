import { runToEnd } from '../../util/steps.ts';
import type { ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import { serverVersionIn } from '../../manifests/server-version.ts';
import { isSnapshotHeader } from '../../kubernetes/snapshot-header.ts';
import { type Gates, noGates } from '../../kubernetes/feature-gates.ts';
import { FactStore } from './fact-store.ts';

/** What the snapshot of a cluster has. It is filed once, for all targets that are applied to it. */
export class ClusterFacts {
  readonly store = new FactStore('snapshot');
  #file: ManifestFile | undefined;
  #headerOf: ManifestFile | undefined;
  #header: ManifestObject | undefined;
  #version = 0;
  #serverVersion: string | undefined;
  #featureGates: Gates = noGates;

  /** Grows whenever an object comes, goes or changes. */
  get version(): number {
    return this.#version;
  }

  get file(): ManifestFile | undefined {
    return this.#file;
  }

  /** What the snapshot says of itself; undefined where `podium snapshot` or the editor has not taken it. */
  get header(): ManifestObject | undefined {
    if (this.#headerOf !== this.#file) {
      this.#headerOf = this.#file;
      this.#header = this.#file?.documents
        .flatMap(({ document }) => document.objects)
        .findLast(({ apiVersion, kind }) => isSnapshotHeader(apiVersion, kind));
    }
    return this.#header;
  }

  /** The version of the API server, where the snapshot names it. */
  get serverVersion(): string | undefined {
    return this.#serverVersion;
  }

  /** Gates that the configuration of a cluster beside the manifests switches. */
  get featureGates(): Gates {
    return this.#featureGates;
  }

  set featureGates(gates: Gates) {
    const isSame = JSON.stringify([...gates]) === JSON.stringify([...this.#featureGates]);
    if (isSame) return;
    this.#featureGates = gates;
    this.#version += 1;
  }

  /** Takes the snapshot in, or out with `undefined`; there is one at most. */
  set(file: ManifestFile | undefined): void {
    runToEnd(this.setInSteps(file));
  }

  /** As `set`; until the last step everything is answered as before. */
  *setInSteps(file: ManifestFile | undefined): Generator<void, void> {
    let changed = file !== undefined && (yield* this.store.setInSteps(file.uri, file));
    for (const uri of [...this.store.uris()]) {
      if (uri !== file?.uri) changed = this.store.set(uri, undefined) || changed;
    }
    if (changed) this.#version += 1;
    this.#file = file;
    this.#serverVersion = file === undefined ? undefined : serverVersionIn(file);
  }
}

import type { CancellationToken } from 'vscode-languageserver';
import { decodeObject } from '../kubernetes/decode/index.ts';
import type { Declared } from '../kubernetes/objects.ts';
import type { ManifestFile, ManifestObject, PlacedDocument } from '../manifests/manifest.ts';
import { Scene } from '../simulation/scene.ts';
import { rangeAt } from './position.ts';
import type { Settings } from './settings.ts';

/** What simulations are made from. */
export interface SimulationSource {
  readonly files: () => readonly ManifestFile[];
  readonly snapshot: () => ManifestFile | undefined;
  readonly settings: () => Settings;
  /** Changes with every edit. */
  readonly version: () => number;
}

/** The work was given up because nobody wants it any more or because it rests on text that has changed. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError';
  readonly reason: 'cancelled' | 'outdated';

  constructor(reason: 'cancelled' | 'outdated') {
    super(reason);
    this.reason = reason;
  }
}

/** How long a simulation may keep others waiting, in milliseconds: less than a frame. */
const slice = 8;

/** Runs simulations over the workspace as it is, in slices, so that the editor is never kept waiting. */
export class Simulations {
  readonly #source: SimulationSource;
  #scene: { readonly version: number; readonly settings: Settings; readonly scene: Scene } | undefined;
  /** Simulations run one after the other: side by side each would only take longer. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: SimulationSource) {
    this.#source = source;
  }

  /** The cluster with everything in place, made anew when anything has changed. */
  scene(): Scene {
    const version = this.#source.version();
    const settings = this.#source.settings();
    if (this.#scene?.version !== version || this.#scene.settings !== settings) {
      const { files, snapshot } = this.#source;
      const inCluster = snapshot();
      const scene = new Scene({
        workspace: files().filter((file) => file.uri !== inCluster?.uri).flatMap(declaredObjects),
        snapshot: inCluster === undefined ? [] : declaredObjects(inCluster),
        assumedNodes: settings.cluster.assumedNodes,
      });
      this.#scene = { version, settings, scene };
    }
    return this.#scene.scene;
  }

  /**
   * Runs a simulation to its end. Rejects with `AbandonedError` when the token is cancelled, or when `mustBeCurrent`
   * and the workspace changes meanwhile.
   */
  run<Result>(start: (scene: Scene) => Generator<void, Result>, token: CancellationToken, mustBeCurrent: boolean): Promise<Result> {
    const result = this.#last.then(() => this.#run(start, token, mustBeCurrent));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #run<Result>(start: (scene: Scene) => Generator<void, Result>, token: CancellationToken, mustBeCurrent: boolean): Promise<Result> {
    // Cancellations that wait in the queue of messages are heard first.
    await breath();
    if (token.isCancellationRequested) throw new AbandonedError('cancelled');
    const version = this.#source.version();
    const steps = start(this.scene());
    let resumed = performance.now();
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (performance.now() - resumed < slice) continue;
      await breath();
      if (token.isCancellationRequested) throw new AbandonedError('cancelled');
      if (mustBeCurrent && this.#source.version() !== version) throw new AbandonedError('outdated');
      resumed = performance.now();
    }
  }
}

/** Lets messages through that have come meanwhile. */
function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface KnownDeclared {
  readonly uri: string;
  readonly line: number;
  readonly declared: Declared;
}

const declaredByManifest = new WeakMap<ManifestObject, KnownDeclared>();

/** The objects of a file with their places. */
function declaredObjects(file: ManifestFile): Declared[] {
  return file.documents.flatMap((placed) => placed.document.objects.map((manifest) => declaredObject(file.uri, placed, manifest)));
}

function declaredObject(uri: string, placed: PlacedDocument, manifest: ManifestObject): Declared {
  const known = declaredByManifest.get(manifest);
  if (known?.uri === uri && known.line === placed.line) return known.declared;
  const range = rangeAt(placed, manifest.locateNearest(['metadata', 'name'], 'value'));
  const object = known?.declared.object ?? decodeObject(manifest.value).object;
  const declared: Declared = { object, origin: { uri, range } };
  declaredByManifest.set(manifest, { uri, line: placed.line, declared });
  return declared;
}

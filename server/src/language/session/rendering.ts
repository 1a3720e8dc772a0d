import type { CancellationToken } from 'vscode-languageserver';
import type { WorkspaceIndex } from '../../manifests/workspace-index.ts';
import type { Missing } from '../../simulation/cluster/input.ts';
import type { NodePlace } from '../../sources/files/node-places.ts';
import { failureText } from '../../util/contain.ts';
import { say } from '../../util/say.ts';
import type { AppliedTarget } from '../applied/applied-target.ts';
import type { AppliedHost, AppliedWorkspace } from '../applied/applied-workspace.ts';
import { isMarker } from '../applied/looks-owned.ts';
import type { Facts } from '../index/facts.ts';
import type { SessionHost } from './session-host.ts';
import type { WorkspaceFolders } from './workspace-folders.ts';

/** What the rendering of a workspace needs of its session. */
interface RenderingParts extends Pick<AppliedHost, 'openFiles' | 'settings' | 'isSnapshot' | 'info'> {
  readonly index: WorkspaceIndex;
  readonly facts: Facts;
  readonly folders: WorkspaceFolders;
  /** Other objects are applied now, or it is known that they are not known. */
  readonly changed: () => void;
}

/** What kubectl and helm make of the files of a workspace, where those are on disk. */
export class Rendering {
  readonly #host: SessionHost;
  readonly #parts: RenderingParts;
  #applied: AppliedWorkspace | undefined;
  /** Why sources are not known; undefined where they are. */
  #failure: string | undefined;

  constructor(host: SessionHost, parts: RenderingParts) {
    this.#host = host;
    this.#parts = parts;
  }

  /** Undefined before sources were looked for, and where there is nothing on disk. */
  get applied(): AppliedWorkspace | undefined {
    return this.#applied;
  }

  /** What is applied together; the first has the facts that all answers rest on. Empty while sources are not known. */
  get targets(): readonly AppliedTarget[] {
    return this.#applied?.targets ?? [];
  }

  /** A target by its name; the first where there is none of it. */
  target(name: string): AppliedTarget | undefined {
    return this.targets.find((target) => target.name === name) ?? this.targets[0];
  }

  /** Where the Nodes of the workspace come from; empty while sources are not known. */
  nodePlaces(facts: Facts | undefined = this.#parts.facts): readonly NodePlace[] {
    return this.#applied?.nodePlaces(facts) ?? [];
  }

  /** Whether it is known what sources make, as far as it can be. */
  get isKnown(): boolean {
    return !this.#parts.folders.areOnDisk || this.targets.length > 0 || this.#failure !== undefined;
  }

  /** Looks for sources, or makes anew what is known of them. */
  async look(): Promise<void> {
    if (this.#applied === undefined) await this.#find();
    else this.#applied.invalidate();
  }

  /** Settles when everything is rendered that a simulation rests on, or nobody wants it any more. */
  async whenWhole(token: CancellationToken): Promise<void> {
    if (this.#applied === undefined) await this.#find();
    await this.#applied?.whole(token);
  }

  /** What sources need may be there now. */
  invalidate(): void {
    this.#applied?.invalidate();
  }

  /** The user trusts the workspace, or has another answer whether kubectl and helm may be run. */
  setTrusted(isTrusted: boolean): void {
    this.#host.setTrusted(isTrusted);
    this.#applied?.askAgain();
  }

  /** What is not known of the workspace as nothing, or not everything, is rendered. */
  missing(): readonly Missing[] {
    return [...this.#neverRendered(), ...this.#failedSources()];
  }

  async #find(): Promise<void> {
    const { machine, isTrusted, storage, mayRender, folders } = this.#host;
    const { index, facts, openFiles, settings, isSnapshot, info, changed } = this.#parts;
    // A workspace that is not on disk has nothing that a program could render.
    if (machine === null || !this.#parts.folders.areOnDisk) return;
    const AppliedWorkspace = await machine.appliedWorkspace();
    if (this.#applied !== undefined) return;
    this.#applied = new AppliedWorkspace({
      index,
      facts,
      folders,
      isTrusted,
      storage,
      mayRender,
      openFiles,
      settings,
      isSnapshot,
      info,
      changed: () => {
        this.#failure = undefined;
        changed();
      },
      failed: (error) => {
        this.#failure = failureText(say`the kustomizations and charts of this workspace`, error);
        changed();
      },
    });
    this.#applied.invalidate();
  }

  /** That what kustomizations and charts make is not known, or no more than before. */
  #failedSources(): readonly Missing[] {
    if (this.#failure === undefined) return [];
    return [{ text: say`kustomizations and charts are not read`, detail: this.#failure }];
  }

  /** That kustomizations and charts of a workspace that is not on disk count as they are written. */
  #neverRendered(): readonly Missing[] {
    const { folders, index } = this.#parts;
    if (folders.areOnDisk) return [];
    if (!index.files().some(({ uri }) => isMarker(uri))) return [];
    const detail = say`kubectl and helm render what is on disk. Kustomizations and charts count as they are written here.`;
    return [{ text: say`nothing is rendered`, detail }];
  }
}

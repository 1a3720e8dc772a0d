import type { MayRenderParams } from '../../protocol.ts';
import { findTools, toolVersion } from '../../sources/tools/tools.ts';

/** What tools are run with. */
export interface RenderHost {
  /** Absolute paths of the folders that are worked on. */
  readonly folders: () => readonly string[];
  readonly isTrusted: () => boolean;
  /** Asks the user whether tools may be run; null where to trust the workspace is to allow it. */
  readonly mayRender: ((params: MayRenderParams) => Promise<boolean>) | null;
  readonly failed: (error: unknown) => void;
}

/** Whether the user lets tools render the workspace: trust alone, or an answer to a question that is asked once. */
export class RenderPermission {
  readonly #host: RenderHost;
  readonly #changed: () => void;
  #answer: 'unknown' | 'asking' | 'yes' | 'no' = 'unknown';

  /** @param changed is called when the user has answered */
  constructor(host: RenderHost, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
  }

  get isGiven(): boolean {
    return this.#host.isTrusted() && (this.#host.mayRender === null || this.#answer === 'yes');
  }

  /** Forgets the answer. */
  reset(): void {
    this.#answer = 'unknown';
  }

  /** Asks for it, unless the user has been asked. */
  async ask(): Promise<void> {
    const { mayRender, folders, isTrusted } = this.#host;
    if (this.#answer !== 'unknown' || !isTrusted() || mayRender === null) return;
    const { kustomize, helm } = findTools(folders());
    const tools = [kustomize, helm].filter((tool) => tool !== null);
    this.#answer = 'asking';
    try {
      const described = await Promise.all(
        tools.map(async (tool) => ({ ...tool, version: await toolVersion(tool, folders()) })),
      );
      this.#answer = tools.length === 0 || (await mayRender({ tools: described })) ? 'yes' : 'no';
    } catch (error) {
      this.#answer = 'no';
      this.#host.failed(error);
    }
    this.#changed();
  }
}

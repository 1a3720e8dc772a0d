import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { MayRenderParams } from '../../../server/src/protocol.ts';

const answerSchema = z.object({ tools: z.array(z.string()), mayRender: z.boolean() });

/** Where the answer is kept, one for each workspace. */
const key = 'podium.mayRender';

function question(tools: MayRenderParams['tools'], described: string): string {
  const hasHelm = tools.some(({ program }) => program === 'helm');
  if (!hasHelm) {
    return vscode.l10n.t(
      'Let Podium run {0} to render the kustomizations of this workspace? Offline, without plugins, and no file is changed.',
      described,
    );
  }
  if (tools.length === 1) {
    return vscode.l10n.t(
      'Let Podium run {0} to render the charts of this workspace? Offline, without plugins, and no file is changed.',
      described,
    );
  }
  return vscode.l10n.t(
    'Let Podium run {0} to render the kustomizations and charts of this workspace? Offline, without plugins, and no file is changed.',
    described,
  );
}

/** Whether kubectl and helm may be run in a workspace. The question stands in the side bar, and again when they are others. */
export class RenderConsent {
  readonly #kept: vscode.Memento;
  #question = '';
  /** The user has said so, and the server is about to ask. */
  #isAllowedNext = false;

  constructor(kept: vscode.Memento) {
    this.#kept = kept;
  }

  /** With tools, versions and paths; empty before something needs them. */
  get question(): string {
    return this.#question;
  }

  /** The tools that the server asks about next may run. */
  async allow(): Promise<void> {
    await this.#kept.update(key, undefined);
    this.#isAllowedNext = true;
  }

  async mayRender({ tools }: MayRenderParams): Promise<boolean> {
    if (!vscode.workspace.isTrusted) return false;
    const described = tools.map(({ program, version, path }) => `${program} ${version} (${path})`);
    this.#question = question(tools, described.join(vscode.l10n.t(' and ')));
    const known = z.safeParse(answerSchema, this.#kept.get(key)).data;
    if (known?.tools.join('\n') === described.join('\n')) return known.mayRender;
    if (!this.#isAllowedNext) return false;
    this.#isAllowedNext = false;
    await this.#kept.update(key, { tools: described, mayRender: true });
    return true;
  }

  /** Whether the user has allowed it, when last asked. */
  get isGiven(): boolean {
    return vscode.workspace.isTrusted && z.safeParse(answerSchema, this.#kept.get(key)).data?.mayRender === true;
  }
}

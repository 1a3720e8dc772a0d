import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { MayRenderParams } from '../../../server/src/protocol.ts';

const answerSchema = z.object({ tools: z.array(z.string()), mayRender: z.boolean() });

/** Where the answer is kept, one for each workspace. */
const key = 'podium.mayRender';

/** Asks once in a workspace whether kubectl and helm may be run, before they first are; again when they are others. */
export class RenderConsent {
  readonly #kept: vscode.Memento;

  constructor(kept: vscode.Memento) {
    this.#kept = kept;
  }

  async mayRender({ tools }: MayRenderParams): Promise<boolean> {
    if (!vscode.workspace.isTrusted) return false;
    const described = tools.map(({ program, version, path }) => `${program} ${version} (${path})`);
    const known = z.safeParse(answerSchema, this.#kept.get(key)).data;
    if (known?.tools.join('\n') === described.join('\n')) return known.mayRender;
    const allow = vscode.l10n.t('Render');
    const refuse = vscode.l10n.t('Do Not Render');
    const answer = await vscode.window.showInformationMessage(
      vscode.l10n.t(
        'To see what is really applied of this workspace, Podium runs {0} over its kustomizations and charts: without network, without plugins, and without changing a file.',
        described.join(vscode.l10n.t(' and ')),
      ),
      allow,
      refuse,
    );
    // Who closes the question is asked again the next time.
    if (answer === undefined) return false;
    await this.#kept.update(key, { tools: described, mayRender: answer === allow });
    return answer === allow;
  }

  /** Whether the user has allowed it, when last asked. */
  get isGiven(): boolean {
    return vscode.workspace.isTrusted && z.safeParse(answerSchema, this.#kept.get(key)).data?.mayRender === true;
  }

  async forget(): Promise<void> {
    await this.#kept.update(key, undefined);
  }
}

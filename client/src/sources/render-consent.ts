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

/** Asks once in a workspace whether kubectl and helm may be run, before they first are; again when they are others. */
export class RenderConsent {
  readonly #kept: vscode.Memento;

  /** The user has said so before the question could be asked again. */
  #isAllowedNext = false;

  constructor(kept: vscode.Memento) {
    this.#kept = kept;
  }

  /** Whoever asks next may run the tools, without a question. */
  allowNext(): void {
    this.#isAllowedNext = true;
  }

  async mayRender({ tools }: MayRenderParams): Promise<boolean> {
    if (!vscode.workspace.isTrusted) return false;
    const described = tools.map(({ program, version, path }) => `${program} ${version} (${path})`);
    const known = z.safeParse(answerSchema, this.#kept.get(key)).data;
    if (known?.tools.join('\n') === described.join('\n')) return known.mayRender;
    if (this.#isAllowedNext) {
      this.#isAllowedNext = false;
      await this.#kept.update(key, { tools: described, mayRender: true });
      return true;
    }
    const allow = vscode.l10n.t('Allow');
    const refuse = vscode.l10n.t('Not Here');
    const answer = await vscode.window.showInformationMessage(
      question(tools, described.join(vscode.l10n.t(' and '))),
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

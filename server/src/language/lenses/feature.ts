import { failureText } from '../../util/contain.ts';
import { say } from '../../util/say.ts';
import { type CodeLens, CodeLensRefreshRequest } from 'vscode-languageserver';
import * as z from 'zod/mini';
import { isScenarioName } from '../../manifests/file-provider.ts';
import type { Feature } from '../session/feature.ts';
import { lensesBesides, lensTargetSchema } from './lens-target.ts';
import type { LensText } from './lens-text.ts';
import { AbandonedError } from '../session/simulations.ts';

/** How long typing must pause before lenses are worked out again, in milliseconds. */
const pause = 300;

/**
 * A lens above each workload: its priority, and what its arrival would do; and above classes, budgets and nodes: what
 * they mean for others. Positions come from the text alone; the text of a lens is worked out when the editor shows it,
 * and while somebody types the last one stays. What is answered is loaded with the first question.
 */
export const codeLensFeature: Feature = {
  capabilities: { codeLensProvider: { resolveProvider: true } },
  register(connection, session) {
    const shown = new Map<string, ShownLens>();
    /** By file: the version of the model that its lenses were last listed from, as each says what targets make of it. */
    const listed = new Map<string, number>();
    let isTyping = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wereEnabled = session.settings.codeLens.enabled;

    connection.onCodeLens(async ({ textDocument }, token) => {
      if (!session.settings.codeLens.enabled) return [];
      const { codeLenses, scenarioLenses } = await import('./lens-places.ts');
      if (isScenarioName(textDocument.uri)) {
        return session.requests.answer('code lens', textDocument.uri, token, scenarioLenses);
      }
      return session.requests.answer('code lens', textDocument.uri, token, (file) => {
        listed.set(textDocument.uri, session.modelVersion);
        return codeLenses(
          file,
          session.rendering.targets.length === 0 ? [{ name: '', facts: session.facts }] : session.rendering.targets,
        );
      });
    });

    connection.onCodeLensResolve(async (lens, token): Promise<CodeLens> => {
      const parsed = z.safeParse(lensTargetSchema, lens.data);
      if (!parsed.success) return lens;
      // With what decides priorities, and judges classes for that.
      const { priorityText, titleOf, withTitle } = await import('./lens-text.ts');
      const target = parsed.data;
      const key = JSON.stringify(target);
      const last = shown.get(key);
      const lastTitle = last?.title;
      if (
        lastTitle !== undefined &&
        (isTyping || session.openFiles.isHalfTyped || last?.version === session.modelVersion)
      ) {
        return withTitle(lens, lastTitle, target);
      }
      // No version yet: the next change of the model then asks the editor for its lenses again.
      shown.set(key, { uri: target.uri, version: -1, title: lastTitle });
      // An answer now would lack what other files say, and what sources make of them; the editor is asked to come again.
      if (!session.workspaceRead) return withTitle(lens, lastTitle ?? { whole: readingText }, target);
      const fallback = lensesBesides.has(target.kind) ? '' : priorityText(target, session.facts);
      if (session.openFiles.isHalfTyped) return withTitle(lens, lastTitle ?? { whole: fallback }, target);
      for (;;) {
        await session.whenApplied(token);
        const version = session.modelVersion;
        try {
          const title = await titleOf(target, session, token);
          shown.set(key, { uri: target.uri, version, title });
          return withTitle(lens, title, target);
        } catch (error) {
          const isOutdated = error instanceof AbandonedError && error.reason === 'outdated';
          // There is no earlier text to show meanwhile, so it is worked out once more.
          if (isOutdated && lastTitle === undefined && !token.isCancellationRequested) continue;
          if (!(error instanceof AbandonedError)) {
            return withTitle(lens, { whole: failureText(say`this lens`, error), brief: failedText }, target);
          }
          return withTitle(lens, lastTitle ?? { whole: fallback }, target);
        }
      }
    });

    session.onClosed((uri) => {
      listed.delete(uri);
      for (const [key, lens] of shown) if (lens.uri === uri) shown.delete(key);
    });

    session.onChanged((what) => {
      // What an edit led to is no further edit.
      if (what === 'applied' && isTyping) return;
      isTyping = what === 'text';
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          isTyping = false;
          if (session.openFiles.isHalfTyped) return;
          if (session.client.workspace?.codeLens?.refreshSupport !== true) return;
          const versions = [...listed.values(), ...[...shown.values()].map(({ version }) => version)];
          const isCurrent = versions.every((version) => version === session.modelVersion);
          const { enabled } = session.settings.codeLens;
          if (isCurrent && enabled === wereEnabled) return;
          wereEnabled = enabled;
          connection.sendRequest(CodeLensRefreshRequest.type).catch((error: unknown) => {
            session.log.error('code lens', error);
          });
        },
        isTyping ? pause : 0,
      );
    });
  },
};

/** What a lens showed last. */
interface ShownLens {
  readonly uri: string;
  /** Of the model that the text was worked out from; -1 while it is to be worked out anew. */
  readonly version: number;
  /** The last text that was worked out, which stays while the next one is. */
  readonly title: LensText | undefined;
}

const failedText = say`Podium failed here: please report what its log says`;

const readingText = say`reading the workspace…`;

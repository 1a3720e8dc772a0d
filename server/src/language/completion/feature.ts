import { isScenarioName } from '../../manifests/file-provider.ts';
import {
  toldBySchemaNotification,
  toldBySchemaParamsSchema,
  yamlServerChangedNotification,
  yamlServerChangedParamsSchema,
} from '../../protocol.ts';
import { CompletionTriggerKind, type Position } from 'vscode-languageserver';
import * as z from 'zod/mini';
import type { ManifestFile } from '../../manifests/manifest.ts';
import type { Feature } from '../session/feature.ts';
import { kubernetesFor } from '../index/kubernetes-version.ts';
import { loadPoolTypes } from '../index/pool-types.ts';

/** What may be written where the cursor is: keys, values and snippets. The answers are loaded with the first question. */
export const completionFeature: Feature = {
  // Not the colon: the blank behind it would ask again, and until that is answered VS Code lets Enter take what the colon
  // had shown, in place of what has been typed since.
  capabilities: { completionProvider: { triggerCharacters: [' '] } },
  register(connection, session) {
    connection.onNotification(yamlServerChangedNotification, (params: unknown) => {
      session.yamlServerChanged(z.parse(yamlServerChangedParamsSchema, params));
    });
    connection.onNotification(toldBySchemaNotification, (params: unknown) => {
      session.schemaHasTold(z.parse(toldBySchemaParamsSchema, params));
    });
    const asked = new WeakMap<ManifestFile, Position>();
    const snippets = session.client.textDocument?.completion?.completionItem?.snippetSupport === true;
    connection.onCompletion(async ({ textDocument: { uri }, position, context }, token) => {
      const { completion } = await import('./completion.ts');
      await loadPoolTypes(session.facts);
      return session.requests.answer('completion', uri, token, async (file) => {
        const { facts, settings, index } = session;
        if (isScenarioName(file.uri)) {
          return (await import('../index/scenarios.ts')).scenarioCompletion(file, position, facts);
        }
        const written = index.file(file.uri) ?? file;
        // Whoever asks a second time about the same place of the same text has not come here by typing.
        const before = asked.get(written);
        const isAskedAgain = before?.line === position.line && before.character === position.character;
        const isTyped =
          context?.triggerKind === CompletionTriggerKind.TriggerForIncompleteCompletions ||
          (!isAskedAgain && session.openFiles.wasChangedAt(uri, position));
        asked.set(written, position);
        const { isIncomplete, items } = completion(written, position, {
          facts,
          release: kubernetesFor(facts, settings).release,
          isBesideSchema: settings.completion.keys === 'off' || session.stepsBack(file.uri, position),
          snippets,
          reopens: session.reopensLists,
          isTyped,
        });
        return isIncomplete ? { isIncomplete, items } : items;
      });
    });
  },
};

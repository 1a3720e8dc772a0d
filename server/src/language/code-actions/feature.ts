import { append } from '../../util/append.ts';
import type { CodeAction } from 'vscode-languageserver';
import { fixAll, quickFix, rewrite } from '../checks/code-action-kinds.ts';
import type { Feature } from '../session/feature.ts';

/** Repairs of problems, what may be written without one, and all repairs at once that cannot be wrong. */
export const codeActionsFeature: Feature = {
  capabilities: { codeActionProvider: { codeActionKinds: [quickFix, rewrite, fixAll] } },
  register(connection, session) {
    const knowsVersions = session.client.workspace?.workspaceEdit?.documentChanges === true;
    connection.onCodeAction(async ({ textDocument, range, context }, token) => {
      const { checker, quickFixes, fixAllActions, rewrites, withoutSnapshot } = await session.checks();
      const { plainEdit } = await import('../connection/plain-answers.ts');
      const { facts, earlier, settings, docs } = session;
      const surroundings = { facts, earlier, settings, docs, checker };
      return session.answerInSteps('code actions', textDocument.uri, token, function* (file) {
        yield* checker.findingsInSteps(file, settings);
        const wanted = context.only;
        const actions: CodeAction[] = [];
        if (wants(wanted, quickFix)) {
          append(actions, quickFixes(file, range, surroundings));
          append(actions, withoutSnapshot(context.diagnostics));
        }
        if (wants(wanted, rewrite)) append(actions, rewrites(file, range, facts));
        // "Fix all" is made when it is asked for, as on save; it is not for the light bulb.
        if (wanted !== undefined && wants(wanted, fixAll)) append(actions, fixAllActions(file, surroundings));
        return knowsVersions
          ? actions
          : actions.map(({ edit, ...action }) => (edit === undefined ? action : { ...action, edit: plainEdit(edit) }));
      });
    });
  },
};

function wants(only: readonly string[] | undefined, kind: string): boolean {
  return only === undefined || only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
}

import { append } from '../../util/append.ts';
import type { CodeAction } from 'vscode-languageserver';
import { fixAll, quickFix, rewrite } from '../checks/code-action-kinds.ts';
import type { Feature } from '../session/feature.ts';
import type { Session } from '../session/session.ts';

/** Repairs of problems, what may be written without one, and all repairs at once that cannot be wrong. */
export const codeActionsFeature: Feature = {
  capabilities: { codeActionProvider: { codeActionKinds: [quickFix, rewrite, fixAll] } },
  register(connection, session) {
    const { documentChanges, resourceOperations = [] } = session.client.workspace?.workspaceEdit ?? {};
    const knowsVersions = documentChanges === true;
    const createsFiles = knowsVersions && resourceOperations.includes('create');
    connection.onCodeAction(async ({ textDocument, range, context }, token) => {
      const { checker, quickFixes, fixAllActions, rewrites, valuesFileOf, waysOn } = await session.checks();
      const { plainEdit } = await import('../connection/plain-answers.ts');
      const { facts, earlier, settings, docs } = session;
      const surroundings = { facts, earlier, settings, docs, checker };
      const { uri } = textDocument;
      const valuesFile = knowsVersions ? valuesFileOf(uri) : null;
      const values = valuesFile === null ? null : await currentText(valuesFile, session);
      const own = session.folders.excludable(uri, settings.exclude);
      const maySplit = createsFiles && !session.folders.looksOwned(uri);
      return session.requests.answerInSteps('code actions', textDocument.uri, token, function* (file) {
        yield* checker.findingsInSteps(file, settings);
        const wanted = context.only;
        const actions: CodeAction[] = [];
        if (wants(wanted, quickFix)) {
          append(actions, quickFixes(file, range, surroundings));
          append(actions, waysOn(context.diagnostics, own));
        }
        if (wants(wanted, rewrite)) append(actions, rewrites(file, range, facts, { maySplit, values }));
        // "Fix all" is made when it is asked for, as on save; it is not for the light bulb.
        if (wanted !== undefined && wants(wanted, fixAll)) append(actions, fixAllActions(file, surroundings));
        return knowsVersions
          ? actions
          : actions.map(({ edit, ...action }) => (edit === undefined ? action : { ...action, edit: plainEdit(edit) }));
      });
    });
  },
};

/** As an editor has it, or else the disk; null where there is none. */
async function currentText(uri: string, session: Session): Promise<string | null> {
  const open = session.index.file(uri);
  if (open === undefined) return session.savedText(uri);
  return open.documents.map(({ document }) => document.text).join('');
}

function wants(only: readonly string[] | undefined, kind: string): boolean {
  return only === undefined || only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
}

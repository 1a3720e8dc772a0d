import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { ScenarioRequest } from '../../../server/src/protocol.ts';

/** For the walkthrough, which learns of no command that a lens runs. */
const simulatedOne = (): Thenable<unknown> =>
  vscode.commands.executeCommand('setContext', 'podium.workloadSimulated', true);

/** What a code lens says of its workload. */
const workloadSchema = z.object({ kind: z.string(), namespace: z.string(), name: z.string(), uri: z.string() });
type Workload = z.infer<typeof workloadSchema>;

/** A row of the side bar. */
const rowSchema = z.object({
  entry: z.object({ kind: z.string(), namespace: z.string(), name: z.string(), origin: z.object({ uri: z.string() }) }),
});

/** A row of the side bar for a scenario. */
const fileRowSchema = z.object({ entry: z.object({ origin: z.object({ uri: z.string() }) }) });

/**
 * `podium.simulate`, `podium.simulateChange`, `podium.simulateFile`, `podium.simulateWorkload` and `podium.showHierarchy`.
 * Arguments come from anybody.
 */
export function registerSimulate(open: (scenario: ScenarioRequest, accepted?: 'snapshot') => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand('podium.simulate', (argument: unknown) => {
      // A repair of the problem that the snapshot cannot be used.
      open({ kind: 'workspace' }, argument === 'without-snapshot' ? 'snapshot' : undefined);
    }),
    vscode.commands.registerCommand('podium.simulateChange', () => {
      open({ kind: 'change' });
    }),
    vscode.commands.registerCommand('podium.simulateFile', (argument: unknown) => {
      // A lens names the file as text.
      const text = typeof argument === 'string' ? argument : fileRowSchema.safeParse(argument).data?.entry.origin.uri;
      const named = text === undefined ? argument : vscode.Uri.parse(text);
      const uri = named instanceof vscode.Uri ? named : vscode.window.activeTextEditor?.document.uri;
      if (uri === undefined) {
        void vscode.window.showInformationMessage(vscode.l10n.t('Open a Kubernetes manifest to simulate it.'));
      } else {
        open({ kind: 'file', uri: uri.toString() });
        void simulatedOne();
      }
    }),
    // Of VS Code's own References View, which shows what the server answers.
    vscode.commands.registerCommand('podium.showHierarchy', () =>
      vscode.commands.executeCommand('references-view.showCallHierarchy'),
    ),
    vscode.commands.registerCommand('podium.simulateWorkload', async (argument: unknown) => {
      const workload = workloadOf(argument) ?? (await workloadAtCursor());
      if (workload === undefined) {
        void vscode.window.showInformationMessage(vscode.l10n.t('Put the cursor on a workload to simulate it.'));
        return;
      }
      const { kind: workloadKind, namespace, name, uri } = workload;
      open({ kind: 'workload', workloadKind, namespace, name, uri });
      void simulatedOne();
    }),
  );
}

function workloadOf(argument: unknown): Workload | undefined {
  const row = rowSchema.safeParse(argument).data?.entry;
  return row === undefined ? workloadSchema.safeParse(argument).data : { ...row, uri: row.origin.uri };
}

/** The workload whose code lens is the nearest at or above the cursor. */
async function workloadAtCursor(): Promise<Workload | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    editor.document.uri,
    // Lenses beyond this many come without their command.
    1000,
  );
  const line = editor.selection.active.line;
  let nearest: { readonly line: number; readonly workload: Workload } | undefined;
  for (const { range, command } of lenses) {
    if (command?.command !== 'podium.simulateWorkload' || range.start.line > line) continue;
    const workload = workloadSchema.safeParse(command.arguments?.[0]);
    if (!workload.success || (nearest !== undefined && range.start.line < nearest.line)) continue;
    nearest = { line: range.start.line, workload: workload.data };
  }
  return nearest?.workload;
}

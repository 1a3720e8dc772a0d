import type { Connection } from 'vscode-languageserver';
import type { FileProblems, Problems } from './problems.ts';

/** Tells an editor of problems as soon as they are known, for one that does not ask for them. */
export function publish(connection: Connection, problems: Problems): void {
  /** What the editor has been told of each file, to send only what is new. */
  let shown: ReadonlyMap<string, FileProblems> = new Map();
  problems.onTold(() => {
    const { known } = problems;
    const before = shown;
    shown = known;
    for (const uri of before.keys()) {
      if (!known.has(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] });
    }
    for (const [uri, now] of known) {
      if (before.get(uri) === now) continue;
      const { version, diagnostics } = now;
      void connection.sendDiagnostics({ uri, diagnostics: [...diagnostics], ...(version === null ? {} : { version }) });
    }
  });
}

import type { ClientCapabilities, Connection, ServerCapabilities } from 'vscode-languageserver';
import type { Session } from './session.ts';

/**
 * Something the editor can ask for. One file holds what it announces, its handlers and its answers; with the file and
 * its line in `features.ts` gone, it is gone.
 */
export interface Feature {
  /** What is announced to a client. */
  readonly capabilities: ServerCapabilities | ((client: ClientCapabilities) => ServerCapabilities);
  readonly register: (connection: Connection, session: Session) => void;
}

import type { Connection } from 'vscode-languageserver';

/** The log of the editor, which tells the story of one server. */
export class SessionLog {
  readonly #console: Connection['console'];

  constructor({ console }: Connection) {
    this.#console = console;
  }

  error(what: string, error: unknown): void {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#console.error(`${what}: ${detail}`);
  }

  info(message: string): void {
    this.#console.info(message);
  }

  warn(message: string): void {
    this.#console.warn(message);
  }
}

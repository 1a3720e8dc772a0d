import * as vscode from 'vscode';

/** Imports in what esbuild has bundled: static ones, and those that are made when the code gets there. */
const imports = /\b(from|import) ?(\()?"(\.\.?\/[\w./-]+\.mjs)"/g;

/**
 * The parts of the language server as addresses that a worker can load. A worker made of a blob has no folder, so that
 * what a part imports is written into it: the address of what it needs at once; and a question to `podiumPart` for what
 * it may need later.
 */
export class Parts implements vscode.Disposable {
  readonly #folder: vscode.Uri;
  readonly #urls = new Map<string, Promise<string>>();

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
  }

  /** The address of a part, by its path in the folder of bundles. */
  url(name: string): Promise<string> {
    let url = this.#urls.get(name);
    if (url === undefined) {
      url = this.#make(name);
      this.#urls.set(name, url);
    }
    return url;
  }

  dispose(): void {
    const forget = (url: string): void => {
      URL.revokeObjectURL(url);
    };
    for (const url of this.#urls.values()) void url.then(forget, () => undefined);
  }

  async #make(name: string): Promise<string> {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.#folder, name));
    const text = new TextDecoder().decode(bytes);
    const inFolder = (path: string): string => new URL(path, `https://parts/${name}`).pathname.slice(1);
    const urls = new Map<string, string>();
    for (const [, , later, path = ''] of text.matchAll(imports)) {
      if (later === undefined) urls.set(path, await this.url(inFolder(path)));
    }
    const linked = text.replace(imports, (_all, word: string, later: string | undefined, path: string) =>
      later === undefined ? `${word}"${urls.get(path) ?? ''}"` : `podiumPart("${inFolder(path)}"`,
    );
    return URL.createObjectURL(new Blob([linked], { type: 'text/javascript' }));
  }
}

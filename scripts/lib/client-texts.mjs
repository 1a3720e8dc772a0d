import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './paths.mjs';

/**
 * Every text that the client has translated when it runs: the first argument of `l10n.t`, which is also its key.
 * Throws where that is not written out, as nobody could translate it.
 *
 * @returns {readonly string[]} sorted, each once
 */
export function clientTexts() {
  const folder = join(root, 'client', 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  /** @type {Set<string>} */
  const texts = new Set();
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.Latest);
    const visit = (/** @type {ts.Node} */ node) => {
      if (ts.isCallExpression(node) && /^(?:vscode\.l10n\.)?t$/.test(node.expression.getText(source))) {
        const [text] = node.arguments;
        if (text === undefined || !ts.isStringLiteralLike(text)) {
          throw new Error(`${file}: ${node.getText(source)} is not written out`);
        }
        texts.add(text.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...texts].sort();
}

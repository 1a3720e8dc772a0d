import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const shippedFolders = ['server/src', 'client/src', 'client/webview'];

/** A regular expression of the product, and where it stands. */
export interface Pattern {
  /** Null where it is made of a name or of what a user wrote. */
  readonly source: string | null;
  readonly flags: string;
  readonly file: string;
}

/** Every pattern in the sources of what ships: literals, and those that are put together from constants of their file. */
export function patternsOfProduct(): readonly Pattern[] {
  return shippedFolders.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => patternsIn(`${folder}/${name.replaceAll('\\', '/')}`)),
  );
}

function patternsIn(file: string): Pattern[] {
  const parsed = ts.createSourceFile(file, readFileSync(root + file, 'utf8'), ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression>();
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      constants.set(node.name.text, node.initializer);
    }
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), file });
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      const text = source === undefined ? undefined : textOf(source, constants);
      const known = text ?? null;
      found.push({ source: known, flags: (flags && textOf(flags, constants)) ?? '', file });
    }
    node.forEachChild(visit);
  };
  visit(parsed);
  return found;
}

/** The text of a string or template made of constants; undefined where it depends on anything else. */
function textOf(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text);
    return constant && textOf(constant, constants);
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  let text = node.head.text;
  for (const { expression, literal } of node.templateSpans) {
    const part = textOf(expression, constants);
    if (part === undefined) return undefined;
    text += part + literal.text;
  }
  return text;
}

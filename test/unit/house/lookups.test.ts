import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');
/** The scripts of the project read its own files only. */
const folders = ['server/src', 'client/src', 'client/webview', 'integrations'];

/** What looks objects up for all others. */
const helper = 'server/src/util/own.ts';

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(root, folder, name));
}

/** Whether a type has texts that are not known one by one. */
function isAnyText(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isAnyText);
  const constraint = type.isTypeParameter() ? type.getConstraint() : undefined;
  if (constraint !== undefined) return isAnyText(constraint);
  return (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) !== 0;
}

/** Whether a name was taken from the object itself: a variable of `Object.keys(of)`, of `Object.entries(of)`, or of a loop. */
function isOwnName(name: ts.Expression, of: string, checker: ts.TypeChecker): boolean {
  const declaration = checker.getSymbolAtLocation(name)?.valueDeclaration;
  for (let node: ts.Node | undefined = declaration; node !== undefined && !ts.isBlock(node); node = node.parent) {
    if (ts.isForOfStatement(node)) return listsNames(node.expression, of);
    if (ts.isForInStatement(node)) return node.expression.getText() === of;
    if (ts.isArrowFunction(node)) return ts.isCallExpression(node.parent) && listsNames(node.parent.expression, of);
  }
  return false;
}

function listsNames(node: ts.Node, of: string): boolean {
  return node.getText().includes(`Object.keys(${of})`) || node.getText().includes(`Object.entries(${of})`);
}

/** Whether a function that a look-up stands in asks first whether the object itself has the name. */
function isAsked(node: ts.Node, of: string, name: string): boolean {
  const asks = (at: ts.Node): boolean =>
    (ts.isFunctionLike(at) || ts.isSourceFile(at)) && at.getText().includes(`Object.hasOwn(${of}, ${name})`);
  return ts.findAncestor(node, asks) !== undefined;
}

/** Look-ups that `constructor` and `__proto__` would reach the prototype by, as `file:line: code`. */
function lookups(program: ts.Program, files: ReadonlySet<string>): string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const source of program.getSourceFiles()) {
    const file = relative(root, source.fileName).split(sep).join('/');
    if (!files.has(file) || file === helper) continue;
    const visit = (node: ts.Node): void => {
      if (isLookup(node, checker)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${file}:${line + 1}: ${node.getText().replace(/\s+/g, ' ')}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function isLookup(node: ts.Node, checker: ts.TypeChecker): boolean {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword) {
    return isAnyText(checker.getTypeAtLocation(node.left)) && !isBare(checker.getTypeAtLocation(node.right));
  }
  if (!ts.isElementAccessExpression(node) || ts.isStringLiteralLike(node.argumentExpression)) return false;
  if (!isAnyText(checker.getTypeAtLocation(node.argumentExpression))) return false;
  if (isBare(checker.getTypeAtLocation(node.expression))) return false;
  const of = node.expression.getText();
  const isWritten =
    ts.isBinaryExpression(node.parent) &&
    node.parent.left === node &&
    node.parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  if (isWritten) return true;
  return !isAsked(node, of, node.argumentExpression.getText()) && !isOwnName(node.argumentExpression, of, checker);
}

/** Objects that inherit nothing: `server/src/kubernetes/bare.ts`. */
function isBare(type: ts.Type): boolean {
  return type.aliasSymbol?.name === 'Bare';
}

describe('look-ups by a text', () => {
  it('never reach the prototype of an object: util/own.ts, a Map or Object.hasOwn', () => {
    const files = folders.flatMap(filesOf);
    const program = ts.createProgram(files, {
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      jsx: ts.JsxEmit.ReactJSX,
      jsxImportSource: 'preact',
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      allowJs: true,
      checkJs: true,
      noEmit: true,
    });
    const names = new Set(files.map((file) => relative(root, file).split(sep).join('/')));
    const found = lookups(program, names);
    assert.deepEqual(found, []);
  });
});

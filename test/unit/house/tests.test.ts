import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const folder = join(import.meta.dirname, '../..');

interface Callable {
  readonly name: string;
  readonly body: string;
}

/** The names of what a body calls. */
function calls(body: string): readonly string[] {
  return body.match(/\w+(?=\()/g) ?? [];
}

/** What fails by itself: an assertion, an error that is thrown, a wait for something that has to come. */
const fails = /\bassert\b|\bthrow new\b|\.waitFor(?:Function|URL)?\(/;

describe('the tests', () => {
  const functions: Callable[] = [];
  const tests: Callable[] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )) {
    const source = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isVariableDeclaration(node)) {
        const body = ts.isVariableDeclaration(node) ? node.initializer : node.body;
        const isFunction = !ts.isVariableDeclaration(node) || (body !== undefined && ts.isArrowFunction(body));
        if (isFunction) functions.push({ name: node.name?.getText() ?? '', body: body?.getText() ?? '' });
      }
      if (ts.isCallExpression(node) && node.expression.getText() === 'it') {
        const [title, ...rest] = node.arguments.map((argument) => argument.getText());
        tests.push({ name: `${file}: ${title}`, body: rest.join() });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }

  it('have each an assertion, or call what has one', () => {
    const checking = new Set(functions.filter(({ body }) => fails.test(body)).map(({ name }) => name));
    const checks = ({ body }: Callable): boolean => fails.test(body) || calls(body).some((name) => checking.has(name));
    for (let known = -1; known < checking.size;) {
      known = checking.size;
      for (const each of functions) if (checks(each)) checking.add(each.name);
    }
    assert.ok(tests.length > 1000);
    assert.deepEqual(
      tests.filter((test) => !checks(test)).map(({ name }) => name),
      [],
    );
  });
});

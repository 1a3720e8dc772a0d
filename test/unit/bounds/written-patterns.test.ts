import assert from 'node:assert/strict';
import { compileGlob } from '../../../server/src/manifests/glob-pattern.ts';
import { patchPlaces, readSetters } from '../../../server/src/sources/kustomize/patch-places.ts';
import { substitute } from '../../../server/src/sources/kustomize/substitute.ts';

describe('Patterns that a repository writes', () => {
  it('matches globs as VS Code does', () => {
    const cases: readonly (readonly [glob: string, matching: readonly string[], other: readonly string[]])[] = [
      ['**/*.yaml', ['a.yaml', 'x/y/a.yaml'], ['a.yml', 'yaml']],
      ['apps/*', ['apps/a', 'apps/a/deep.yaml'], ['apps', 'other/apps/a']],
      ['apps/**', ['apps/a', 'apps/a/b'], ['apps']],
      ['**', ['', 'a', 'a/b'], []],
      ['**/test/**', ['test/a', 'x/test/y/z'], ['tests/a', 'test']],
      ['{a,b/{c,d}}.yaml', ['a.yaml', 'b/c.yaml', 'b/d.yaml'], ['c.yaml', 'b.yaml']],
      ['{a,}x', ['ax', 'x'], ['b']],
      ['{a,b', ['a', 'b'], ['{a']],
      ['a?c', ['abc'], ['a/c', 'ac']],
      ['[a-c]x', ['bx'], ['dx', '[a-c]x']],
      ['[!a-c]x', ['dx'], ['bx']],
      ['[z-a]', [], ['z', 'a']],
      ['a]b}c,', ['a]b}c,'], []],
      ['a.b+(c)', ['a.b+(c)'], ['aXb+(c)']],
    ];
    for (const [glob, matching, other] of cases) {
      const matches = compileGlob(glob);
      for (const path of matching) assert.ok(matches(path), `${glob} matches ${path}`);
      for (const path of other) assert.ok(!matches(path), `${glob} does not match ${path}`);
    }
  });

  it('follows a hostile glob in linear time', () => {
    const path = `${'a/'.repeat(2_000)}b`;
    assert.equal(compileGlob(`${'**/'.repeat(160)}c`)(path), false);
    assert.equal(compileGlob(`${'{**,*}'.repeat(80)}c`)(path), false);
    assert.equal(compileGlob('*a'.repeat(240))(`${'a'.repeat(4_000)}b`), false);
  });

  it('finds what a patch sets whose target is a regular expression of Go', async () => {
    const places = async (name: string): Promise<number | undefined> => {
      const text = [
        'patches:',
        '  - target:',
        '      kind: Deployment',
        `      name: '${name}'`,
        '    patch: |-',
        '      - op: replace',
        '        path: /spec/replicas',
        '        value: 5',
        '',
      ].join('\n');
      const file = '/work/kustomization.yaml';
      const value = {
        patches: [
          {
            target: { kind: 'Deployment', name },
            patch: '- op: replace\n  path: /spec/replicas\n  value: 5\n',
          },
        ],
      };
      const kustomization = { file, folder: '/work', value };
      const files = { read: () => Promise.resolve(text) };
      const setters = await readSetters([kustomization] as never, files as never);
      const object = { kind: 'Deployment', metadata: { name: `${'a'.repeat(60)}b` }, spec: { replicas: 5 } };
      return patchPlaces(setters, object.metadata.name, new Set([file]))(object, ['spec', 'replicas'])?.range.start
        .line;
    };
    assert.equal(await places('a+b'), 7);
    assert.equal(await places('(?i)A+(?P<last>B)'), 7);
    assert.equal(await places('a+'), undefined);
    assert.equal(await places('(a+'), undefined);
    // JavaScript would try 2^60 ways.
    assert.equal(await places('(a+)+c'), undefined);
    assert.equal(await places(`${'(a*)*'.repeat(190)}c`), undefined);
  });

  it('replaces the placeholders of Flux in linear time', () => {
    const values = new Map([['A', 'x']]);
    const cases: readonly (readonly [text: string, replaced: string])[] = [
      ['${A}', 'x'],
      ['$${A} ${A}', '${A} x'],
      ['$$${A}', '$${A}'],
      ['${A}$${A}${}', 'x${A}${}'],
      ['${-}${B:=5Gi}${A:-no}', '${-}5Gix'],
      ['${A${A}', 'x'],
      ['${B${', '${B${'],
      ['${B:=${A}}-${B:=a-${C:-${A}}}', 'x-a-x'],
      ['${A:=${B}} ${B:=${A}', 'x ${A'],
    ];
    for (const [text, replaced] of cases) assert.equal(substitute(text, values), replaced, text);
    const long = '${A'.repeat(300_000);
    assert.equal(substitute(long, values), long);
  });
});

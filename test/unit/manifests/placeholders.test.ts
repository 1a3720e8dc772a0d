import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { declaredObjects } from '../../../server/src/manifests/declared-objects.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { unseenIn } from '../../../server/src/sources/targets/unseen.ts';

const deployment = (spec: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n${spec.replace(/^/gm, '  ')}\n`;

function valueOf(text: string): JsonObject {
  // What was read from a file has no prototype.
  const [placed] = parseManifestFile('file:///web.yaml', text).documents;
  return JSON.parse(JSON.stringify(placed!.document.objects[0]!.value)) as JsonObject;
}

describe('placeholders of Flux', () => {
  for (const [written, read] of [
    ['replicas: ${REPLICAS:=3}', { replicas: 3 }],
    ['replicas: "${REPLICAS:-3}"', { replicas: 3 }],
    ['paused: ${PAUSED:=true}', { paused: true }],
    [
      'template: {spec: {priorityClassName: "${CLASS:=high}-prio"}}',
      { template: { spec: { priorityClassName: 'high-prio' } } },
    ],
    ['replicas: ${REPLICAS}', { replicas: '${REPLICAS}' }],
    ['replicas: ${REPLICAS:=}', { replicas: null }],
    ['serviceName: $${NAME:=web}', { serviceName: '${NAME:=web}' }],
    [
      'template: {spec: {containers: [{args: ["${PORT:=80}"], env: [{name: A, value: "${B:=c}"}]}]}}',
      { template: { spec: { containers: [{ args: ['${PORT:=80}'], env: [{ name: 'A', value: '${B:=c}' }] }] } } },
    ],
  ] as const) {
    it(`${written} is read as Flux fills it in where it knows no value`, () => {
      assert.deepEqual(valueOf(deployment(written))['spec'], read);
    });
  }

  it('are left as they are in objects that Kubernetes does not read', () => {
    const text = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: "${SIZE:=3}"}\n';
    assert.deepEqual(valueOf(text)['spec'], { size: '${SIZE:=3}' });
  });

  it('without a value are counted, once for each object, and those of shells are not', () => {
    const unseen = (text: string): string[] =>
      unseenIn({ files: [parseManifestFile('file:///web.yaml', text)], sources: [] }, new Set()).map(
        ({ kind, name, why }) => `${kind} ${name}: ${why}`,
      );
    assert.deepEqual(unseen(deployment('replicas: ${REPLICAS}\nserviceName: ${NAME}')), [
      'placeholder Deployment web: nothing here has a value for ${REPLICAS}',
    ]);
    assert.deepEqual(unseen(deployment('replicas: "%REPLICAS%"')), [
      'placeholder Deployment web: nothing here has a value for %REPLICAS%',
    ]);
    assert.deepEqual(unseen(deployment('replicas: ${REPLICAS:=3}')), []);
    assert.deepEqual(unseen(deployment('template: {spec: {containers: [{command: ["echo ${HOME}"]}]}}')), []);
  });
});

describe('an object that nobody can name yet', () => {
  const pod = (head: string, kind = 'Pod'): string =>
    `apiVersion: v1\nkind: ${kind}\n${head}\nspec: {containers: [{name: a, image: b}]}\n`;

  it('is none where signs of markup or of a comparison stand in a name, which the API server refuses', () => {
    for (const name of ['<img src=x onerror=alert(1)>', 'a<b', 'b>a']) {
      const file = parseManifestFile('file:///web.yaml', pod(`metadata: {name: '${name}'}`));
      assert.deepEqual(
        declaredObjects(file).map(({ object }) => object.metadata?.name),
        [name],
      );
    }
  });

  for (const [head, open] of [
    ['metadata: {name: "list-${app}-${ts}"}', 'list-${app}-${ts}'],
    ['metadata: {name: "%NAME%-x"}', '%NAME%-x'],
    ['metadata: {name: <NAME>}', '<NAME>'],
    ['metadata:\n  name: web-{name}', 'web-{name}'],
    ['metadata:\n  name: web-$(NAME)', 'web-$(NAME)'],
    ['metadata: {name: __NAME__}', '__NAME__'],
    ['metadata: {name: web-@ENVIRONMENT@}', 'web-@ENVIRONMENT@'],
    ['metadata: {name: web, namespace: $NAMESPACE}', '$NAMESPACE'],
    ['metadata: {generateName: "web-${ts}-"}', 'web-${ts}-'],
  ] as const) {
    it(`is a template: ${head.replace('\n', '')}`, () => {
      const file = parseManifestFile('file:///web.yaml', pod(head));
      assert.deepEqual(declaredObjects(file), []);
      assert.deepEqual(
        unseenIn({ files: [file], sources: [] }, new Set()).map(({ kind, why }) => `${kind}: ${why}`),
        [`template: ${open} is filled in before it is applied`],
      );
    });
  }

  it('is one as well where its kind is open', () => {
    const file = parseManifestFile('file:///web.yaml', pod('metadata: {name: web}', '${KIND}'));
    assert.deepEqual(
      unseenIn({ files: [file], sources: [] }, new Set()).map(({ kind, name }) => `${kind} ${name}`),
      ['template ${KIND} web'],
    );
  });

  it('is not what has a wrong name', () => {
    for (const name of ['Web_App', 'web_', 'web$', '50%', 'web@home']) {
      const file = parseManifestFile('file:///web.yaml', pod(`metadata: {name: "${name}"}`));
      assert.equal(declaredObjects(file).length, 1, name);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { unseenIn } from '../../../server/src/sources/unseen.ts';

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

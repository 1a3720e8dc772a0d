import assert from 'node:assert/strict';
import { outputLimits } from '../../../server/src/manifests/limits.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { readData } from '../../../server/src/manifests/read-data.ts';
import { snapshotFault } from '../../../server/src/manifests/snapshot-fault.ts';
import { placedRange } from '../../../server/src/manifests/text-positions.ts';
import { TestWorkspace } from '../language/test-workspace.ts';

const pod = (name: string, priority: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n  priorityClassName: ${priority}\n  containers: [{ name: a, image: a }]\n`;
const text = `${pod('a', 'high')}---\n${pod('b', 'none')}`.replaceAll('\n', '\r');

describe('Text whose lines end with a carriage return alone', () => {
  it('is read as its documents, each thing at its line', () => {
    const file = parseManifestFile('file:///a.yaml', text);
    const found = file.documents.map((placed) => {
      const [object] = placed.document.objects;
      return [object?.name, object && placedRange(placed, object.locateNearest(['spec', 'priorityClassName'])).start];
    });
    assert.deepEqual(found, [
      ['a', { line: 5, character: 2 }],
      ['b', { line: 13, character: 2 }],
    ]);
  });

  it('[PRI-4] is judged, and the finding stands at its line', async () => {
    const high = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1\n';
    const workspace = await TestWorkspace.of({ 'pods.yaml': text, 'classes.yaml': high.replaceAll('\n', '\r') });
    const findings = workspace.checker.findings(workspace.file('pods.yaml'), workspace.settings);
    const missing = findings.filter(({ rule }) => rule.code === 'unknown-priority-class');
    assert.deepEqual(
      missing.map(({ placed, finding }) => placedRange(placed, finding.range).start.line),
      [13],
    );
  });

  it('is a snapshot, and the values of a chart', () => {
    const file = parseManifestFile('file:///cluster.yaml', text, null, undefined, outputLimits);
    assert.equal(snapshotFault(file, false), null);
    const data = readData('a: 1\rb:\r  c: 2\r');
    assert.equal(JSON.stringify(data.value), '{"a":1,"b":{"c":2}}');
    assert.deepEqual(data.locate(['b', 'c']), { start: 13, end: 14 });
  });
});

import assert from 'node:assert/strict';
import { Facts } from '../../../server/src/language/index/facts.ts';
import { RecordingReader } from '../../../server/src/language/checks/recording-reader.ts';
import { classFor, classLadder } from '../../../server/src/language/index/priority-classes.ts';
import { declaredObjects } from '../../../server/src/manifests/declared-objects.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { TestWorkspace } from './test-workspace.ts';

const cls = (name: string, value: number): string =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: ${name} }\nvalue: ${value}\n`;
const pod = (name: string, image: string, more = ''): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { ${more}containers: [{ name: a, image: ${image} }] }\n`;

describe('facts', () => {
  it('[ED-6] gathers objects of a kind from all files, in the order of their names', () => {
    const facts = new Facts();
    for (const path of ['b', 'a']) {
      facts.setFile(`file:///${path}.yaml`, parseManifestFile(`file:///${path}.yaml`, cls(path, 1)));
    }
    assert.deepEqual(
      facts.ofKind('PriorityClass').map(({ name }) => name),
      ['a', 'b'],
    );
    facts.setFile('file:///a.yaml', undefined);
    assert.deepEqual(
      facts.ofKind('PriorityClass').map(({ name }) => name),
      ['b'],
    );
  });

  it('[ED-6] counts only workloads of files that are open until the workspace has been read', () => {
    const facts = new Facts();
    const set = (path: string, text: string): void => {
      const uri = `file:///${path}.yaml`;
      facts.setFile(uri, parseManifestFile(uri, text));
    };
    const names = (kind: 'Pod' | 'PriorityClass'): string[] => facts.ofKind(kind).map(({ name }) => name);
    facts.holdBackWorkloads();
    set(
      'a',
      `${pod('in-a', 'one')}---
${cls('class-a', 1)}`,
    );
    assert.deepEqual([names('Pod'), names('PriorityClass')], [[], ['class-a']]);
    facts.showEarly('file:///b.yaml');
    set('b', pod('in-b', 'one'));
    assert.deepEqual(names('Pod'), ['in-b']);
    const list = facts.ofKind('Pod');
    set('c', pod('in-c', 'one'));
    assert.equal(facts.ofKind('Pod'), list, 'what was worked out from it stays');
    facts.showEarly('file:///a.yaml');
    assert.deepEqual(names('Pod'), ['in-a', 'in-b']);
    assert.deepEqual(
      facts.whole.ofKind('Pod').map(({ name }) => name),
      ['in-a', 'in-b', 'in-c'],
    );
    set('b', cls('class-b', 1));
    assert.deepEqual([names('Pod'), names('PriorityClass')], [['in-a'], ['class-a', 'class-b']]);
    facts.showAll();
    assert.deepEqual(names('Pod'), ['in-a', 'in-c']);
  });

  it('[ED-6] makes ready in steps what counts when the workspace has been read, whatever changes meanwhile', () => {
    for (const changesAt of [0, 1, 2, 3, Number.POSITIVE_INFINITY]) {
      const [facts, plain] = [new Facts(), new Facts()];
      const set = (path: string, text: string): void => {
        const uri = `file:///${path}.yaml`;
        for (const each of [facts, plain]) each.setFile(uri, parseManifestFile(uri, text));
      };
      facts.holdBackWorkloads();
      for (const path of ['b', 'c', 'a']) set(path, pod(`in-${path}`, 'one'));
      let step = 0;
      const change = (): void => {
        set('d', pod('in-d', 'one'));
        set('a', pod('in-a', 'two'));
      };
      for (const steps = facts.prepareInSteps(); ; step++) {
        if (step === changesAt) change();
        if (steps.next().done === true) break;
      }
      if (changesAt > step) change();
      const told = (each: Pick<Facts, 'ofKind'>): unknown =>
        each.ofKind('Pod').map(({ name, manifest: { value } }) => [name, value]);
      assert.deepEqual(told(facts.whole), told(plain));
      facts.showAll();
      assert.deepEqual(told(facts), told(plain));
      set('aa', pod('in-aa', 'one'));
      assert.deepEqual(told(facts), told(plain));
    }
  });

  it('[ED-6] lets the workspace win over the snapshot', () => {
    const facts = new Facts();
    facts.cluster.set(parseManifestFile('file:///s.yaml', `${cls('a', 1)}---\n${cls('b', 1)}`));
    facts.setFile('file:///w.yaml', parseManifestFile('file:///w.yaml', cls('a', 2)));
    assert.deepEqual(
      facts.ofKind('PriorityClass').map(({ name, source }) => [name, source]),
      [
        ['a', 'workspace'],
        ['b', 'snapshot'],
      ],
    );
    facts.cluster.set(undefined);
    assert.equal(facts.ofKind('PriorityClass').length, 1);
  });

  it('files a captured cluster in steps, once for all targets, and answers as before until the last', () => {
    const facts = new Facts();
    const ofTarget = new Facts(facts.cluster);
    const many = (image: string): ReturnType<typeof parseManifestFile> => {
      const items = Array.from({ length: 10_000 }, (_, index) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `pod-${index}` },
        spec: { containers: [{ name: 'a', image }] },
      }));
      return parseManifestFile('file:///s.yaml', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    };
    for (const [round, image] of ['one', 'two'].entries()) {
      const filing = facts.cluster.setInSteps(many(image));
      const before = [facts.ofKind('Pod'), facts.version];
      let steps = 0;
      for (; filing.next().done !== true; steps++) {
        assert.deepEqual([facts.ofKind('Pod'), facts.version], before);
      }
      assert.ok(steps >= 10, `${steps} steps`);
      assert.deepEqual([facts.version, ofTarget.version], [round + 1, round + 1]);
      assert.equal(ofTarget.ofKind('Pod').length, 10_000);
    }
  });

  it('compares no more workloads with what they were than is cheaper than to work everything out anew', () => {
    for (const [count, isCurrent] of [
      [500, true],
      [2_000, false],
    ] as const) {
      const facts = new Facts();
      const write = (image: string): void => {
        const pods = Array.from({ length: count }, (_, index) => pod(`p-${index}`, image)).join('---\n');
        facts.setFile('file:///a.yaml', parseManifestFile('file:///a.yaml', pods));
      };
      write('one');
      const reader = new RecordingReader(facts);
      assert.equal(reader.taken(), undefined);
      reader.ofKind('Pod');
      const reading = reader.taken();
      write('two');
      assert.equal(reading?.isCurrent(), isCurrent, `${count} workloads`);
    }
  });

  it('reads from the one object of a text, which simulations and earlier versions read too', async () => {
    const text = `${cls('a', 1)}---\n${pod('p', 'one')}`;
    const workspace = await TestWorkspace.of({ 'a.yaml': text }, { committed: { 'a.yaml': text } });
    for (const fact of workspace.facts.ofKind('Pod')) {
      const declared = declaredObjects(workspace.facts.file(fact.uri)!);
      assert.equal(declared[1]!.object, fact.object);
      assert.equal(workspace.earlier.of(fact)[0]!.object, fact.object);
    }
  });

  it('keeps a list as it is while only other kinds change', async () => {
    const workspace = await TestWorkspace.of({ 'a.yaml': `${cls('a', 1)}---\n${pod('p', 'one')}` });
    const before = workspace.facts.ofKind('PriorityClass');
    workspace.write('a.yaml', `${cls('a', 1)}---\n${pod('p', 'two')}`);
    assert.equal(workspace.facts.ofKind('PriorityClass'), before);
  });

  it('counts a new image as nothing that other documents notice, and a new priority as something', async () => {
    const workspace = await TestWorkspace.of({ 'a.yaml': pod('p', 'one') });
    const reader = new RecordingReader(workspace.facts);
    assert.equal(reader.taken(), undefined);
    reader.ofKind('Pod');
    const reading = reader.taken();
    workspace.write('a.yaml', pod('p', 'two'));
    assert.equal(reading?.isCurrent(), true);
    workspace.write('a.yaml', pod('p', 'two', 'priority: 7, '));
    assert.equal(reading.isCurrent(), false);
  });

  it('finds an object again after its document was edited', async () => {
    const workspace = await TestWorkspace.of({ 'a.yaml': pod('p', 'one') });
    const [fact] = workspace.facts.ofKind('Pod');
    workspace.write('a.yaml', `# a line above\n${pod('p', 'two')}`);
    assert.equal(workspace.facts.originOf(fact!)?.range.start.line, 3);
  });

  it('takes of several declarations of a class the nearest one', async () => {
    const workspace = await TestWorkspace.of({
      'base/classes.yaml': cls('high', 1),
      'staging/classes.yaml': cls('high', 2),
      'staging/app/pod.yaml': pod('p', 'one'),
    });
    const ladder = classLadder(workspace.facts);
    assert.equal(classFor(ladder, 'high', 'file:///staging/app/pod.yaml')?.value, 2);
    assert.equal(classFor(ladder, 'high', 'file:///base/pod.yaml')?.value, 1);
  });

  it('knows kinds by their API version', () => {
    const facts = new Facts();
    const text = 'apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: { name: a }\n';
    facts.setFile('file:///a.yaml', parseManifestFile('file:///a.yaml', text));
    assert.equal(facts.ofKind('Service').length, 0);
  });
});

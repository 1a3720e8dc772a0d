import assert from 'node:assert/strict';
import type { CodeLens, Diagnostic } from 'vscode-languageserver';
import type { Overview } from '../../server/src/report-model/overview.ts';
import type { Report } from '../../server/src/report-model/report.ts';
import { TestClient } from './test-client.ts';

describe('while somebody types', () => {
  let client: TestClient;

  before(async () => {
    client = await TestClient.start();
  });

  after(() => client.stop());

  /** Types at the end of a line, as an editor tells of it, and answers what is said of that version. */
  async function type(uri: string, line: number, character: number, text: string): Promise<readonly Diagnostic[]> {
    const at = { line, character };
    const version = await client.change(uri, text, { start: at, end: at });
    const typed = text.split('\n');
    await caret(uri, line + typed.length - 1, (typed.length === 1 ? character : 0) + typed.at(-1)!.length);
    return client.diagnostics(uri, (_shown, of) => of === version);
  }

  async function caret(uri: string, line: number, character: number): Promise<void> {
    await client.connection.sendNotification('podium/caret', { uri, line, character });
  }

  const isMissing = ({ message }: Diagnostic): boolean => JSON.stringify(message).includes('Required value');
  const codes = (shown: readonly Diagnostic[]): readonly unknown[] => shown.map(({ code }) => code);

  it('[ED-7] says nothing of the line that is typed before the caret has left it', async () => {
    const uri = await client.open('pod.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  ');
    await client.diagnostics(uri);
    await caret(uri, 4, 2);
    const typed = await type(uri, 4, 2, 'priorityClassName: nob');
    assert.deepEqual(codes(typed), []);
    await caret(uri, 3, 0);
    const left = await client.diagnostics(uri, (shown) => shown.length > 0);
    assert.deepEqual(codes(left), ['unknown-priority-class']);
    await caret(uri, 2, 0);
    const outside = await client.diagnostics(uri, (shown) => shown.length > 1);
    assert.ok(outside.some(isMissing));
    await client.close(uri);
  });

  it('[ED-7] misses nothing in the object that is being written', async () => {
    const text = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  replicas: 1';
    const uri = await client.open('web.yaml', text);
    const before = await client.diagnostics(uri, (shown) => shown.length > 0);
    assert.ok(before.some(isMissing));
    await caret(uri, 4, 13);
    assert.deepEqual(codes(await type(uri, 4, 13, '0')), []);
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    const saved = await client.diagnostics(uri, (shown) => shown.length > 0);
    assert.deepEqual(codes(saved), codes(before));
    await client.close(uri);
  });

  const begun: Readonly<Record<string, readonly [text: string, line: string]>> = {
    'a maximum that is 0 for now': [
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: web }\nspec:\n  scaleTargetRef: { kind: Deployment, name: web }',
      '\n  ',
    ],
    'a selector that is empty for now': [
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  selector:\n    matchLabels:',
      '\n      ',
    ],
    'an item with its first key': [
      'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers: [{ name: a, image: a }]\n  topologySpreadConstraints:\n    - maxSkew: 1',
      '\n      ',
    ],
  };
  const nextLines = Object.entries(begun).flatMap(([what, [text, line]]) => [
    [what, text, line] as const,
    // An editor that does not indent leaves the blanks to be typed.
    [`${what}, [#38] before a blank is typed`, text, '\n'] as const,
  ]);
  for (const [what, text, line] of nextLines) {
    it(`[ED-7] says nothing of what is not written yet in the object around the caret: ${what}`, async () => {
      const uri = await client.open('begun.yaml', '');
      await caret(uri, 0, 0);
      await type(uri, 0, 0, text);
      const at = text.split('\n').length - 1;
      const end = text.split('\n').at(-1)!.length;
      assert.deepEqual(codes(await type(uri, at, end, line)), []);
      await caret(uri, 0, 0);
      await client.diagnostics(uri, (shown) => shown.length > 0);
      await client.close(uri);
    });
  }

  it('[ED-7] says what is wrong with the key before, when the next of its object is begun', async () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers:\n    - name: Main';
    const uri = await client.open('item.yaml', text.slice(0, -1));
    await caret(uri, 5, 15);
    await type(uri, 5, 15, 'n');
    await type(uri, 5, 16, '\n      ');
    const shown = await client.diagnostics(uri, (all) => all.length > 0);
    assert.match(JSON.stringify(shown), /Main.*lower case/);
    await client.close(uri);
  });

  it('[ED-7] goes on saying what is wrong elsewhere', async () => {
    const text =
      'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  priorityClassName: nobody\n  containers: [{ name: a, image: a }]\n  ';
    const uri = await client.open('wrong.yaml', text);
    await client.diagnostics(uri, (shown) => shown.length === 1);
    await caret(uri, 6, 2);
    assert.deepEqual(codes(await type(uri, 6, 2, 'restartPolicy: Sometimes')), ['unknown-priority-class']);
    await caret(uri, 0, 0);
    await client.diagnostics(uri, (shown) => shown.length === 2);
    await client.close(uri);
  });

  it('[ED-7] says what is wrong elsewhere when the file that was typed in is closed', async () => {
    const other = await client.open('other.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  ');
    await caret(other, 4, 2);
    await type(other, 4, 2, 'restartPolicy: Sometimes');
    const uri = await client.open('wrong.yaml', '# To be written\n');
    await client.diagnostics(uri);
    await client.close(other);
    const end = { line: 1, character: 0 };
    await client.change(
      uri,
      `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { restartPolicy: Sometimes }\n`,
      {
        start: end,
        end,
      },
    );
    await client.diagnostics(uri, (shown) => shown.length > 0);
    await client.close(uri);
  });

  it('[ED-7] counts the last text that could be read while something is half typed', async () => {
    const head = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  ';
    const rest =
      '\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec: { containers: [{ name: a, image: a }] }\n';
    const uri = await client.open('web.yaml', `${head}replicas: 3${rest}`);
    const lens = async (): Promise<string | undefined> => {
      const [first] = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
      return (await client.request<CodeLens>('codeLens/resolve', first)).command?.title;
    };
    const pods = async (): Promise<number | undefined> => {
      const { classes, waiting } = await client.request<Overview>('podium/overview', {});
      assert.equal(waiting.pending, 0);
      return classes.rows.find(({ name }) => name === '')?.pods;
    };
    const before = [await lens(), await pods()];
    assert.equal(before[1], 3);
    await caret(uri, 4, 2);
    await client.change(uri, `${head}re${rest}`);
    let column = 4;
    assert.deepEqual([await lens(), await pods()], before);
    for (const letter of 'plicas: 3x') await type(uri, 4, column++, letter);
    assert.deepEqual([await lens(), await pods()], before);
    const report = await client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' } });
    assert.ok(JSON.stringify(report.assumptions).includes('web.yaml is not finished'));
    assert.ok(!JSON.stringify(report).includes('cannot unmarshal'));
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await client.diagnostics(uri, (shown) => shown.length > 0);
    const { pending } = await client.request<Overview>('podium/overview', {});
    assert.deepEqual(
      pending.rows.map(({ name, state }) => [name, state]),
      [['web', 'rejected']],
    );
    await client.close(uri);
  });

  it('[ED-7] [#38] leaves an object that is begun out of a report and says so, until it has what it must have', async () => {
    const reported = async (): Promise<readonly [isSaid: boolean, text: string]> => {
      const report = await client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' } });
      return [JSON.stringify(report.assumptions).includes('fresh.yaml is not finished'), JSON.stringify(report)];
    };
    const whole = 'apiVersion: v1\nkind: Pod\nmetadata: { name: old }\nspec: { containers: [{ name: a, image: a }] }\n';
    const uri = await client.open('fresh.yaml', whole);
    await client.diagnostics(uri);
    await caret(uri, 4, 0);
    await type(uri, 4, 0, '---');
    await type(uri, 4, 3, '\napiVersion: v1\nkind: Pod\nmetadata: { name: fresh }\nspec:\n  containers:');
    const [isSaid, text] = await reported();
    assert.ok(isSaid);
    assert.doesNotMatch(text, /Required value|"name":"fresh"/);
    assert.match(text, /"name":"old"/);
    await type(uri, 9, 13, '\n    - name: a\n      ');
    assert.ok((await reported())[0]);
    await type(uri, 11, 6, 'image: a');
    const [isStillSaid, finished] = await reported();
    assert.ok(!isStillSaid);
    assert.match(finished, /"name":"fresh"/);
    const line = '\n      image: a'.length;
    await client.change(uri, '', { start: { line: 10, character: 13 }, end: { line: 11, character: line - 1 } });
    await caret(uri, 10, 13);
    await type(uri, 10, 13, '2');
    const [isSaidAgain, asBefore] = await reported();
    assert.ok(isSaidAgain);
    assert.doesNotMatch(asBefore, /Required value/);
    assert.match(asBefore, /"name":"fresh"/);
    await caret(uri, 0, 0);
    await client.diagnostics(uri, (shown) => shown.some(isMissing));
    assert.match((await reported())[1], /Required value/);
    await client.close(uri);
  });

  it('#31 counts what was saved as it is, also where it was still being read then', async () => {
    // So much of it is new that it is read in slices.
    const others = (stem: string): string[] =>
      Array.from({ length: 4000 }, (_, index) => `---\nkind: ConfigMap\nmetadata: { name: ${stem}${index} }\n`);
    const text = (replicas: string, stem: string): string =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: large }\nspec:\n  replicas: ${replicas}\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec: { containers: [{ name: a, image: a }] }\n${others(stem).join('')}`;
    const uri = await client.open('large.yaml', text('3', 'a'));
    await client.diagnostics(uri);
    await client.change(uri, text('3x', 'b'));
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    await client.diagnostics(uri, (shown) => shown.length > 0);
    const report = await client.request<Report>('podium/simulate', { scenario: { kind: 'workspace' } });
    assert.doesNotMatch(JSON.stringify(report.assumptions), /is not finished/);
    await client.close(uri);
  });

  it('[ED-7] shows above a workload nothing of what is half typed, also where a YAML server says that it cannot be read', async () => {
    await client.stop();
    client = await TestClient.start({ initializationOptions: { yamlServer: true, yamlValidation: true } });
    const uri = await client.open('begun.yaml', '');
    const lens = async (): Promise<string | undefined> => {
      const [first] = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
      return (await client.request<CodeLens>('codeLens/resolve', first)).command?.title;
    };
    const pending = async (): Promise<number> =>
      (await client.request<Overview>('podium/overview', {})).pending.rows.length;
    assert.equal(await pending(), 0);
    await caret(uri, 0, 0);
    await type(uri, 0, 0, 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers:');
    const before = await lens();
    assert.equal(before, 'priority 0');
    await type(uri, 4, 13, '\n    - name: a\n      ');
    assert.equal(await lens(), before);
    assert.deepEqual(codes(await type(uri, 6, 6, 'im')), []);
    assert.equal(await lens(), before);
    assert.equal(await pending(), 0);
    await type(uri, 6, 8, 'age: a');
    let shown: string | undefined = before;
    while (shown === before) shown = await lens();
    assert.equal(shown, 'priority 0 · nodes assumed');
    await client.close(uri);
  });

  it('[ED-7] says nothing elsewhere of what is half typed', async () => {
    const pod = await client.open(
      'uses.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata: { name: uses }\nspec:\n  priorityClassName: gold\n  containers: [{ name: a, image: a }]\n',
    );
    const classText = (name: string): string =>
      `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: ${name}\nvalue: 1\n`;
    const uri = await client.open('gold.yaml', classText('gold'));
    await client.diagnostics(pod, (shown) => shown.length === 0);
    await caret(uri, 3, 12);
    await type(uri, 3, 12, 'e');
    await type(uri, 3, 13, 'n');
    assert.deepEqual(codes(await client.diagnostics(pod)), []);
    await caret(uri, 4, 0);
    await client.diagnostics(pod, (shown) => codes(shown).includes('unknown-priority-class'));
    for (const each of [uri, pod]) await client.close(each);
  });
});

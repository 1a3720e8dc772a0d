import assert from 'node:assert/strict';
import { CancellationTokenSource, type Hover, LSPErrorCodes } from 'vscode-languageserver/node';
import { TestClient } from './test-client.ts';
import { largeDocuments } from '../support/large-documents.ts';

const small = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: high
value: 100000
`;
const className = { line: 3, character: 9 };

describe('a document of 2 to 3 MB', () => {
  let client: TestClient;
  let smallUri: string;

  const hover = (uri: string): Promise<Hover | null> =>
    client.request('textDocument/hover', { textDocument: { uri }, position: className });

  beforeEach(async () => {
    client = await TestClient.start();
    smallUri = await client.open('small.yaml', small);
    await client.diagnostics(smallUri);
  });

  afterEach(async () => {
    assert.equal(await client.stop(), 0);
  });

  for (const [what, text, codes] of largeDocuments) {
    it(`with ${what} lets others go first while it is read, after an edit too`, async () => {
      const uri = client.uri('large.yaml');
      for (const version of [1, 2]) {
        if (version === 1) await client.open('large.yaml', text);
        else await client.change(uri, `${text}# more\n`);
        const answered: string[] = [];
        const answers = [
          hover(uri).then(() => answered.push('large')),
          hover(smallUri).then((answer) => {
            assert.ok(answer !== null);
            answered.push('small');
          }),
        ];
        await Promise.all(answers);
        assert.deepEqual(answered, ['small', 'large']);
        const diagnostics = await client.diagnostics(uri);
        assert.deepEqual([...new Set(diagnostics.map(({ code }) => code))], codes);
      }
    });
  }

  it('is given up when a request about it is cancelled, or the file is closed', async () => {
    const [, text] = largeDocuments[0]!;
    const uri = await client.open('large.yaml', text);
    const source = new CancellationTokenSource();
    const params = { textDocument: { uri }, position: className };
    const answer = client.connection.sendRequest('textDocument/hover', params, source.token);
    source.cancel();
    await assert.rejects(answer, ({ code }: { code: number }) => code === LSPErrorCodes.RequestCancelled);
    await client.close(uri);
    assert.equal(await hover(uri), null);
  });
});

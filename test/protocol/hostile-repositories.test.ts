import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Report } from '../../server/src/report-model/report.ts';
import {
  hasRun,
  type HostileRepository,
  makeHostileRepositories,
  makeHostileRepository,
} from '../support/hostile-repositories.ts';
import { TestClient } from './test-client.ts';

describe('a repository of a stranger, in an editor', function () {
  const path = process.env['PATH'];
  let folder: string;
  let repositories: readonly HostileRepository[];

  /** Opens it, asks everything that git is asked for, and closes it. Answers what the comparison came to, and the log. */
  async function work(repository: HostileRepository, initializationOptions: unknown, bin = ''): Promise<string> {
    process.env['PATH'] = [bin, '.', repository.folder, join(repository.folder, 'bin'), path].join(delimiter);
    const client = await TestClient.start({ folder: repository.folder, initializationOptions });
    const text = readFileSync(join(repository.folder, 'pod.yaml'), 'utf8');
    const uri = await client.open('pod.yaml', text);
    await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    const answer = await client
      .request<Report>('podium/simulate', { scenario: { kind: 'change' } })
      .then(({ assumptions }) => assumptions.map(({ mark, text: line }) => `${mark} ${line}`).join('\n'))
      .catch((error: unknown) => String(error));
    await client.diagnostics(uri);
    assert.equal(await client.stop(), 0);
    return [answer, ...client.log].join('\n');
  }

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'podium-hostile-')));
    repositories = makeHostileRepositories(folder);
  });

  afterEach(() => {
    process.env['PATH'] = path;
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('has nothing run where the user trusts the workspace, and git is asked', async () => {
    for (const repository of repositories) {
      const text = await work(repository, { workspaceTrusted: true });
      assert.ok(!hasRun(repository), `${repository.name}: ${text}`);
      assert.doesNotMatch(text, /not trusted|TypeError|\n {4}at /, repository.name);
      if (repository.name.startsWith('embedded')) {
        assert.match(text, /Committed versions are not known: .*itself a git/);
      }
    }
  });

  it('is not asked about by git where nobody says that it is trusted', async () => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    const asked = join(folder, 'asked');
    writeFileSync(join(bin, 'git'), `#!/bin/sh\ntouch '${asked}'\n`, { mode: 0o755 });
    const trusts = [
      undefined,
      {},
      { workspaceTrusted: false },
      { workspaceTrusted: 'yes' },
      { workspaceTrusted: true },
    ];
    for (const options of trusts) {
      process.env['PATH'] = path;
      const repository = makeHostileRepository(mkdtempSync(join(folder, 'again-')), 'sshCommand');
      const text = await work(repository, options, bin);
      const isTrusted = options?.workspaceTrusted === true;
      assert.equal(existsSync(asked), isTrusted);
      if (!isTrusted) {
        assert.match(text, /Git is not asked because the client does not say that the workspace is trusted/);
      }
    }
  });
});

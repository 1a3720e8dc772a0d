import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  floats,
  type Remote,
  remoteChart,
  remoteFile,
  remoteName,
  remoteOfEntry,
  remoteTree,
} from '../../../server/src/sources/files/remote.ts';

function saidOf(remote: Remote, path = ''): string {
  if (remote.kind === 'not-fetched') return remote.why;
  return remote.kind === 'git' ? [remote.url, path, remote.ref].join(' | ') : remote.kind;
}

describe('what is remote', () => {
  it('cuts entries of kustomizations into repository, path and reference, as kustomize does', () => {
    const entries: readonly (readonly [entry: string, expected: string])[] = [
      ['github.com/org/repo/deploy/base?ref=v1.2.3', 'https://github.com/org/repo | deploy/base | v1.2.3'],
      ['https://github.com/org/repo', 'https://github.com/org/repo |  | '],
      ['https://github.com/org/repo//deploy/base?ref=main', 'https://github.com/org/repo | deploy/base | main'],
      ['https://github.com/org/repo.git/deploy?version=v1', 'https://github.com/org/repo.git | deploy | v1'],
      ['git@github.com:org/repo.git//deploy?ref=v1', 'git@github.com:org/repo.git | deploy | v1'],
      ['ssh://git@host.example:2222/org/repo.git//a?ref=v1', 'ssh://git@host.example:2222/org/repo.git | a | v1'],
      ['git::https://host.example/org/repo.git//a/?ref=v1', 'https://host.example/org/repo.git | a | v1'],
      [
        'https://dev.azure.com/org/project/_git/repo/deploy?ref=v1',
        'https://dev.azure.com/org/project/_git/repo | deploy | v1',
      ],
      [
        'https://gitlab.example/group/sub/repo.git//a?ref=v1&timeout=90s',
        'https://gitlab.example/group/sub/repo.git | a | v1',
      ],
      ['https://raw.githubusercontent.com/org/repo/v1/install.yaml', 'file'],
      ['https://github.com/org/repo/releases/download/v1/install.yaml', 'file'],
      ['https://github.com/org/repo//../../etc?ref=v1', 'it leads out of the repository'],
      ['https://github.com/org/repo//a?ref=--upload-pack=x', 'it is neither a branch nor a tag nor a commit'],
    ];
    for (const [entry, expected] of entries) {
      const { remote, path } = remoteOfEntry(entry, true);
      assert.equal(saidOf(remote, path), expected, entry);
    }
    assert.equal(saidOf(remoteOfEntry('https://files.example/board', false).remote), 'file');
  });

  it('takes no address but one that says where it leads', () => {
    const addresses: readonly (readonly [address: string, why: string])[] = [
      ['', 'its address is not known'],
      ['https://${HOST}/charts', 'its address is filled in later'],
      ['https://host.example/\ncharts', 'its address is none'],
      ['https:\\\\host.example', 'its address is none'],
      ['charts', 'its address is none'],
      ['--repo=x', 'its address is none'],
      ['file:///charts', 'only https and oci are fetched from'],
      ['http://host.example/charts', 'only https and oci are fetched from'],
      ['http://127.0.0.1.host.example/charts', 'only https and oci are fetched from'],
      ['http://127.0.0.1@host.example/charts', 'only https and oci are fetched from'],
      ['http://localhost.host.example/', 'only https and oci are fetched from'],
      ['https://user@host.example/charts', 'its address has a password in it'],
      ['https://-oProxyCommand=x/charts', 'its address has no host'],
      ['https://host.example/charts?token=x', 'its address has a query'],
    ];
    for (const [address, why] of addresses) assert.equal(saidOf(remoteChart(address, 'a', '1.0.0')), why, address);
    for (const url of [
      'ssh://-oProxyCommand=touch/x',
      'ssh://git:secret@host.example/x',
      '-u@host:x',
      'git@-host:x',
      'ext::sh -c x',
    ]) {
      assert.equal(remoteTree(url, 'main').kind, 'not-fetched', url);
    }
    assert.equal(remoteFile('ssh://host.example/a').kind, 'not-fetched');
    assert.equal(
      remoteName(remoteTree('https://user:secret@host.example/a.git', 'v1')),
      'v1 of https://***@host.example/a.git',
    );
  });

  it('tells what may be another thing tomorrow', () => {
    const chart = (version: string): boolean => floats(remoteChart('https://host.example', 'a', version) as never);
    assert.deepEqual(['1.2.3', 'v1.2.3-rc.1+b', '1.2', '^1.2.3', '', '>=1.0.0 <2.0.0', '*'].map(chart), [
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
    const tree = (ref: string): boolean => floats(remoteTree('https://host.example/a', ref) as never);
    assert.deepEqual(['a'.repeat(40), 'v1', ''].map(tree), [false, true, true]);
  });
});

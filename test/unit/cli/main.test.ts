import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { podium, projectFolder } from './run-podium.ts';

describe('podium', function () {
  this.timeout(60_000);

  it('explains its commands', async () => {
    const { code, stdout, stderr } = await podium(['--help']);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const name of ['simulate', 'decide', 'lsp']) assert.match(stdout, new RegExp(`^  podium ${name} `, 'm'));
    for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line);
  });

  it('explains one command', async () => {
    const { code, stdout } = await podium(['simulate', '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: podium simulate PATH…/);
    assert.match(stdout, /--snapshot FILE/);
  });

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(`${projectFolder}/package.json`, 'utf8')) as { version: string };
    assert.equal((await podium(['--version'])).stdout, `podium ${version}\n`);
  });

  it('answers a wrong argument with one line and exit code 2', async () => {
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [['simulte'], "podium: unknown command 'simulte'; did you mean 'simulate'? Try 'podium --help'.\n"],
      [['--colour'], "podium: unknown option '--colour'. Try 'podium --help'.\n"],
      [['simulate'], "podium simulate: name at least one file or folder. Try 'podium simulate --help'.\n"],
      [['simulate', '.', '--snapshto', 'x'], "podium simulate: unknown option '--snapshto'; did you mean '--snapshot'? Try 'podium simulate --help'.\n"],
      [['simulate', 'no/such/place'], "podium simulate: no such file or folder: no/such/place. Try 'podium simulate --help'.\n"],
      [['simulate', 'samples', '--format', 'xml'], "podium simulate: --format must be table or json, not 'xml'. Try 'podium simulate --help'.\n"],
      [['simulate', 'samples', '--workload', 'checkout'], "podium simulate: --workload must be KIND/NAMESPACE/NAME, not 'checkout'. Try 'podium simulate --help'.\n"],
      [['simulate', 'samples', '--workload', 'Deployment/shop/nothing'], "podium simulate: no Deployment shop/nothing is declared. Try 'podium simulate --help'.\n"],
      [['simulate', 'samples', '--assume-nodes', '0'], "podium simulate: --assume-nodes: '0' is not a number from 1 to 1000. Try 'podium simulate --help'.\n"],
      [['lsp'], "podium lsp: say how to connect: --stdio. Try 'podium lsp --help'.\n"],
    ];
    for (const [args, line] of wrong) {
      const { code, stdout, stderr } = await podium(args);
      assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: line }, args.join(' '));
    }
  });
});

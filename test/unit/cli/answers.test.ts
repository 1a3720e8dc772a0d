import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { podium, projectFolder } from './run-podium.ts';

const folder = join(projectFolder, 'docs', 'answers');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const readme = join(projectFolder, 'README.md');

/** What somebody types, and what is printed below it. */
const shown = /```console\n\$ podium (.*)\n([^]*?)```/g;

describe('pages that answer what people search for', () => {
  for (const page of [readme, ...pages.map((name) => join(folder, name))]) {
    it(`${basename(page)} shows what podium prints (UPDATE_GOLDEN=1 rewrites it)`, async () => {
      const text = readFileSync(page, 'utf8');
      const examples = [...text.matchAll(shown)];
      assert.notEqual(examples.length, 0);
      let expected = text;
      for (const [example, line = ''] of examples) {
        const { stdout, stderr } = await podium(line.split(' '));
        assert.equal(stderr, '');
        expected = expected.replace(example, () => `\`\`\`console\n$ podium ${line}\n${stdout}\`\`\``);
      }
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, expected);
      assert.equal(readFileSync(page, 'utf8'), expected);
    });
  }

  it('are one for each of the questions, and say the words that are searched for', () => {
    const words: Readonly<Record<string, RegExp>> = {
      'why-is-my-pod-pending.md': /0\/3 nodes are available: 1 Insufficient cpu/,
      'no-preemption-victims-found.md':
        /preemption: 0\/1 nodes\s+are available: 1 No preemption victims found for\s+incoming pod/,
      'why-is-no-device-allocated.md': /cannot allocate all claims[^]*gpu-1: allocated to claim/,
      'why-does-no-node-come.md': /no\s+instance type has enough resources, requirements=[^]*did not tolerate taint/,
      'does-a-pod-disruption-budget-stop-preemption.md': /BUDGET BROKEN/,
    };
    assert.deepEqual([...pages].sort(), Object.keys(words).sort());
    for (const [page, said] of Object.entries(words)) assert.match(readFileSync(join(folder, page), 'utf8'), said);
  });
});

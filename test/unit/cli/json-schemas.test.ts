import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { answerSchemas } from '../../../scripts/lib/answer-schemas.mjs';
import { root } from '../../../scripts/lib/paths.mjs';
import { podium } from './run-podium.ts';

const folder = join(root, 'schemas', 'answers');

/** By command. */
const schemas = new Map(
  readdirSync(folder).map((name) => [
    name.replace('.schema.json', ''),
    JSON.parse(readFileSync(join(folder, name), 'utf8')) as object,
  ]),
);

const shop = 'samples/online-shop';
const workload = 'deployment/shop/checkout';

const asked: readonly (readonly string[])[] = [
  ['check', shop],
  ['check', 'broken.yaml'],
  ['simulate', shop],
  ['simulate', shop, '--what-if', `scale ${workload} 4`],
  ['simulate', '--scenario', `${shop}/night.podium.yaml`],
  ['drain', 'general-a', shop],
  ['drain', '--selector', 'shop.example/pool=general', shop, '--what-if', 'add 1 node like general-a'],
  ['drain', 'general-a', shop, '--removable'],
  ['fit', workload, shop],
  ['fit', workload, shop, '--headroom', '--like', 'general-a'],
  ['fit', '--selector', 'app=checkout', shop],
  ['threats', 'shop/cart-7b6d4f9c58-p8d6h', shop],
  ['evict', 'shop/cart-7b6d4f9c58-p8d6h', shop],
  ['evict', '--selector', 'app', shop],
  ['pressure', 'general-b', shop, '--usage', 'shop/cart-7b6d4f9c58-p8d6h=9550Mi'],
  ['sources', shop],
  ['upgrade', '--from', '1.35', '--to', '1.37', shop],
];

describe('JSON schemas of answers (#32)', () => {
  let broken: string;

  before(() => {
    broken = mkdtempSync(join(tmpdir(), 'podium-schemas-'));
    writeFileSync(join(broken, 'broken.yaml'), 'apiVersion: v1\nkind: Pod\nmetadata: { name: A }\nspec: {}\n');
  });

  after(() => {
    rmSync(broken, { recursive: true });
  });

  it('are those that `npm run schemas` writes', () => {
    const made = answerSchemas();
    assert.deepEqual([...schemas.keys()].sort(), Object.keys(made).sort());
    for (const [name, schema] of Object.entries(made)) {
      assert.deepEqual(schemas.get(name), JSON.parse(JSON.stringify(schema)), name);
    }
  });

  const known = new Map<string, ValidateFunction>();
  for (const args of asked) {
    it(`take what is printed: podium ${args.join(' ')}`, async () => {
      const [command = ''] = args;
      let validate = known.get(command);
      if (validate === undefined) known.set(command, (validate = new Ajv().compile(schemas.get(command)!)));
      const full = args.map((each) => (each === 'broken.yaml' ? join(broken, each) : each));
      const { stdout, stderr } = await podium([...full, '--format', 'json']);
      assert.ok(stdout.startsWith('{'), stderr);
      const answer = JSON.parse(stdout) as Record<string, unknown>;
      assert.ok(validate(answer), new Ajv().errorsText(validate.errors));
      assert.ok(!validate({ ...answer, [Object.keys(answer).at(-1)!]: 7 }), 'a number where there is none');
    });
  }
});

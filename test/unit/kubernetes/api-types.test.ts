import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { madeFiles } from '../../../scripts/sync-api-types.mjs';
import { apiTypes, structOf } from '../../../server/src/kubernetes/api/index.ts';

const folder = new URL('../../../server/src/kubernetes/api/', import.meta.url);

describe('the types of the API', () => {
  it('are what `npm run api-types` makes of their source', () => {
    for (const [name, text] of madeFiles()) {
      assert.ok(readFileSync(new URL(name, folder), 'utf8') === text, `${name} is out of date: run npm run api-types`);
    }
  });

  it('know in which minor a field exists', () => {
    const fieldOf = (minor: '1.34' | '1.35' | '1.36' | '1.37', name: string): boolean =>
      apiTypes(minor).struct('core/v1', 'PodSpec')?.fields.has(name) === true;
    assert.deepEqual(
      (['1.34', '1.35', '1.36', '1.37'] as const).map((minor) => [
        fieldOf(minor, 'workloadRef'),
        fieldOf(minor, 'schedulingGroup'),
        fieldOf(minor, 'evictionResponders'),
      ]),
      [
        [false, false, false],
        [true, false, false],
        [false, true, false],
        [false, true, true],
      ],
    );
  });

  it('tell pointers, merge keys, embedded structs and the constants of a type', () => {
    const container = apiTypes('1.34').struct('core/v1', 'Container');
    assert.equal(container?.fields.get('livenessProbe')?.pointer, true);
    assert.equal(container.fields.get('ports')?.mergeKey, 'containerPort');
    const volume = apiTypes('1.36').struct('core/v1', 'Volume');
    assert.deepEqual(volume?.fields.get('csi')?.embedded, ['VolumeSource']);
    const effect = apiTypes('1.34').struct('core/v1', 'Toleration')?.fields.get('effect')?.type;
    assert.ok(effect?.kind === 'string');
    assert.deepEqual(effect.values, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']);
  });

  it('name the internal struct that updates are compared on', () => {
    const kind = structOf(apiTypes('1.34'), 'apps/v1', 'Deployment');
    assert.equal(kind?.goName, 'Deployment');
    assert.equal(apiTypes('1.34').struct('internal/apps', 'DeploymentSpec')?.fields.get('Replicas')?.pointer, false);
  });
});

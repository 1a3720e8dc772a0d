import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import type { Device } from '../../../server/src/kubernetes/objects.ts';
import { compileSelector } from '../../../server/src/scheduler/cel/index.ts';

const gpu: Device = {
  name: 'gpu-0',
  attributes: {
    model: { string: 'A100' },
    numa: { int: 1 },
    healthy: { bool: true },
    driverVersion: { version: '2.0.0' },
    'resource.kubernetes.io/pcieRoot': { string: 'pci0' },
  },
  capacity: { memory: { value: '40Gi' } },
};

function ask(expression: string, hasIncludes = true): boolean | string {
  const compiled = compileSelector(expression, hasIncludes);
  if (!('matches' in compiled)) return compiled.error;
  const result = compiled.matches('gpu.example.com', gpu);
  return typeof result === 'boolean' ? result : result.error;
}

const own = "device.attributes['gpu.example.com']";

describe('selectors of devices', () => {
  it('[PLA-21] are evaluated over driver, attributes and capacity', () => {
    const passing = [
      "device.driver == 'gpu.example.com'",
      `has(${own}["model"].x) == false || true`,
      `has(${own}.model) && ${own}.model in ['A100', 'L4']`,
      `${own}.?missing.orValue('none') == 'none'`,
      "device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')) == 0",
      `${own}.driverVersion.isLessThan(semver('2.1.0'))`,
      "device.attributes['resource.kubernetes.io'].pcieRoot.startsWith('pci')",
      `cel.bind(g, ${own}, g.healthy && g.numa == 1)`,
      `${own}.exists(k, v, k == 'numa' && v == 1)`,
      `[3, 1, 2].sort() == [1, 2, 3] && lists.range(3).map(x, x * 2).sum() == 6`,
      "isIP('10.0.0.1') && cidr('10.0.0.0/8').containsIP('10.1.2.3')",
      "'%s has %d'.format([dyn('a'), dyn(2)]) == 'a has 2'",
      "sets.contains(['a', 'b'], ['b'])",
      "device.attributes[?'unknown.domain'].hasValue() && !('unknown.domain' in device.attributes)",
    ];
    for (const expression of passing) assert.equal(ask(expression), true, expression);
  });

  it('[PLA-21] fail with the texts of the scheduler', () => {
    assert.equal(ask(`${own}.missing == 1`), 'no such key: missing');
    assert.equal(ask(`${own}.numa / 0 == 1`), 'division by zero');
    assert.equal(ask(`${own}.driverVersion == '2.0.0'`), 'no such overload');
    assert.equal(ask(`${own}.missing == 'x' && false`), false);
    assert.equal(
      ask('lists.range(1000).all(x, lists.range(1000).all(y, x + y >= 0))'),
      'operation cancelled: actual cost limit exceeded',
    );
    assert.equal(ask('device.driver'), 'must evaluate to bool or the unknown type, not string');
    assert.equal(
      ask('device.foo == 1'),
      "compilation failed: ERROR: <input>:1:7: undefined field 'foo'\n | device.foo == 1\n | ......^",
    );
    assert.match(String(ask(`${own}.model.includes('A100')`, false)), /undeclared reference to 'includes'/);
  });
});

import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import type { Device } from '../../../server/src/kubernetes/objects.ts';
import { compileSelector, refuseSelector, selectorCost } from '../../../server/src/scheduler/cel/index.ts';

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
  const compiled = compileSelector(expression, { includes: hasIncludes, readsLists: false });
  if (!('matches' in compiled)) return compiled.error;
  const result = compiled.matches('gpu.example.com', gpu);
  return typeof result === 'boolean' ? result : result.error;
}

const own = "device.attributes['gpu.example.com']";

describe('selectors of devices', () => {
  // Facts: testcases in dynamic-resource-allocation/cel/compile_test.go
  it('[#40] cost at most what the API server reckons', () => {
    const dra = 'device.attributes["dra.example.com"]';
    const capacity = 'device.capacity["dra.example.com"]';
    const ten = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]';
    const costs: readonly (readonly [number, string])[] = [
      [0, 'true'],
      [6, 'device.attributes["no-such-domain"].noSuchAttr.isGreaterThan(quantity("0"))'],
      [6, 'device.attributes["no-such-domain"]["noSuchAttr"].isGreaterThan(quantity("0"))'],
      [3, '"dra.example.com" in device.attributes'],
      [2, 'device.driver == ""'],
      [4, 'device.driver == "dra.example.com"'],
      [4, `${dra}.name`],
      [4, `${dra}["name"]`],
      [15, `cel.bind(dra, ${dra}, dra.name)`],
      [5, `${dra}.name > 0`],
      [5, `${dra}.name == "fish"`],
      [52, `${dra}.name.includes(true)`],
      [53, `${dra}.name.includes(semver("1.0.0"))`],
      [68, `1 in ${dra}.names`],
      [6, `${dra}.name.isGreaterThan(semver("0.0.1"))`],
      [7, `${dra}.name.isGreaterThan(semver("v0.0.1", true)) && isSemver("v1.0.0", true)`],
      [6, `${capacity}.name.isGreaterThan(quantity("1Ki"))`],
      [10, `"name" in ${capacity} && ${capacity}.name.isGreaterThan(quantity("1Ki"))`],
      [11, `!("name" in ${capacity}) || ${capacity}.name.isGreaterThan(quantity("1Ki"))`],
      [12, `${dra}.a && ${dra}.b && ${dra}.c`],
      [164, 'device.attributes.exists_one(x, x == "dra.example.com")'],
      [133, `${dra}.exists_one(x, x == "services")`],
      [19, `${dra}.services.split("example").size() >= 2`],
      [18, `${dra}.services.matches("[^a]?sym")`],
      [164, 'device.capacity.exists_one(x, x == "dra.example.com")'],
      [133, `${capacity}.exists_one(x, x == "memory")`],
      [
        85_555_551,
        ['x', 'y', 'z', 'z2', 'z3', 'z4', 'z5'].reduceRight(
          (inner, name) => `${ten}.all(${name}, ${inner})`,
          "int('1'.find('[0-9]*')) < 100",
        ),
      ],
      [3, 'device.allowMultipleAllocations == true'],
    ];
    assert.deepEqual(
      costs.map(([, expression]) => [selectorCost(expression), expression]),
      costs,
    );
  });

  it('[#40] are refused when they are new as by the minor before, and where they may cost too much', () => {
    const all = { includes: false, lists: true, readsLists: false, shares: true };
    const error = (expression: string, scope = all): string => {
      const refusal = refuseSelector(expression, scope);
      return refusal === null || refusal === 'too complex' ? String(refusal) : refusal.error.split('\n', 1)[0]!;
    };
    assert.match(error(`${own}.model.includes('A100')`), /undeclared reference to 'includes'/);
    assert.match(error('[2, 1].sort() == [1, 2]', { ...all, lists: false }), /undeclared reference to 'sort'/);
    assert.match(error('device.allowMultipleAllocations', { ...all, shares: false }), /undefined field/);
    assert.equal(error('[2, 1].sort() == [1, 2] && device.allowMultipleAllocations'), 'null');
    // Nothing bounds the text that an optional field has.
    assert.equal(error(`${own}.?model.orValue('').matches('.*A100.*')`), 'too complex');
    assert.equal(error(`${own}.model.matches('.*A100.*')`), 'null');
  });

  // Source: getAttributeValue in dynamic-resource-allocation/cel/compile.go of 1 July 2026 (pull request 139395)
  it('[#40] read lists of attributes since 1.37, and before while their gate is on', () => {
    const attributes = {
      models: { strings: ['A100', 'H100'] },
      slots: { ints: [1, 2] },
      flags: { bools: [true] },
      releases: { versions: ['1.0.0', '2.0.0'] },
    };
    const lists = { ...gpu, attributes: { ...gpu.attributes, ...attributes } } as Device;
    const told = (expression: string, readsLists: boolean): boolean | string => {
      const compiled = compileSelector(expression, { includes: true, readsLists });
      if (!('matches' in compiled)) return compiled.error.split('\n', 1)[0]!;
      const result = compiled.matches('gpu.example.com', lists);
      return typeof result === 'boolean' ? result : result.error;
    };
    const rows: readonly (readonly [expression: string, answer: boolean | string])[] = [
      [`${own}.models.includes('H100') && ${own}.model.includes('A100')`, true],
      [`'B200' in ${own}.models`, false],
      [`${own}.slots.exists(slot, slot == 2) && ${own}.flags[0]`, true],
      [`${own}.releases.all(each, each.isGreaterThan(semver('0.9.0')))`, true],
      [
        `${own}.models`,
        "CEL result of type list could not be converted to bool: unsupported type conversion from 'list' to bool",
      ],
      [`${own}.healthy`, true],
    ];
    assert.deepEqual(
      rows.map(([expression]) => [expression, told(expression, true)]),
      rows,
    );
    assert.equal(told(`${own}.healthy`, false), 'attribute models: unsupported attribute value');
    assert.equal(
      told(`${own}.models.exists(model, model == 'A100')`, false),
      "compilation failed: ERROR: <input>:1:37: expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
    );
  });

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
    // Texts that grow a hundred times with each call, whose lengths cost nothing to ask for.
    const grown = (times: number): string => `'g'${`.replace('g', '${'g'.repeat(200)}')`.repeat(times)}.size() == 200`;
    assert.equal(ask(grown(1)), true);
    assert.equal(ask(grown(4)), 'operation cancelled: actual cost limit exceeded');
    assert.equal(ask('device.driver'), 'must evaluate to bool or the unknown type, not string');
    assert.equal(
      ask('device.foo == 1'),
      "compilation failed: ERROR: <input>:1:7: undefined field 'foo'\n | device.foo == 1\n | ......^",
    );
    assert.match(String(ask(`${own}.model.includes('A100')`, false)), /undeclared reference to 'includes'/);
  });
});

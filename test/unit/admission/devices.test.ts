import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { validateUpdate } from '../../../server/src/admission/request/validate-update.ts';
import { validateCreation } from '../../../server/src/admission/request/validate.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import type { KubeObject } from '../../../server/src/kubernetes/objects.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { loadDevices } from '../../../server/src/scheduler/load-devices.ts';

/** What a minor refuses. Texts: pkg/apis/resource/validation/validation_{resourceslice,resourceclaim,deviceclass}_test.go */
function refusals(
  kind: string,
  spec: JsonObject,
  minor: '1.34' | '1.35' | '1.36' | '1.37' = '1.36',
): readonly string[] {
  const { object } = decodeObject({ apiVersion: 'resource.k8s.io/v1', kind, metadata: { name: 'a' }, spec });
  return validateCreation(object, releaseOf(minor)).map(fieldErrorText);
}

const slice = (more: JsonObject = {}): JsonObject => ({
  driver: 'gpu.example.com',
  pool: { name: 'node-1', generation: 1, resourceSliceCount: 1 },
  nodeName: 'node-1',
  devices: [{ name: 'gpu-0', attributes: { model: { string: 'a' } }, capacity: { memory: { value: '1Gi' } } }],
  ...more,
});

const oneOfFour = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

describe('[PLA-21] ResourceSlices in the words of the API server', () => {
  for (const [what, more, wanted] of [
    ['a whole slice', {}, []],
    [
      'two places',
      { allNodes: true },
      [`spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": ${oneOfFour}, but multiple fields are set`],
    ],
    [
      'allNodes: false',
      { nodeName: 'n', allNodes: false },
      ['spec.allNodes: Invalid value: false: must be either unset or set to true'],
    ],
    ['no driver', { driver: '' }, ['spec.driver: Required value']],
    [
      'an empty pool',
      { pool: { name: 'node-1', generation: 0, resourceSliceCount: 0 } },
      ['spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero'],
    ],
    ['a device twice', { devices: [{ name: 'a' }, { name: 'a' }] }, ['spec.devices[1]: Duplicate value: "a"']],
    [
      'no semantic version',
      { devices: [{ name: 'a', attributes: { v: { version: '1.2' } } }] },
      [
        'spec.devices[0].attributes[v].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0',
      ],
    ],
    ['versions that are', { devices: [{ name: 'a', attributes: { v: { version: '1.2.0-rc.1+b.2' } } }] }, []],
    [
      'a long text',
      { devices: [{ name: 'a', attributes: { v: { string: 'x'.repeat(65) } } }] },
      ['spec.devices[0].attributes[v].string: Too long: may not be more than 64 bytes'],
    ],
    [
      'a device of its own node',
      { devices: [{ name: 'a', allNodes: true }] },
      [
        'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ],
    ],
    [
      'counters beside devices',
      { sharedCounters: [{ name: 'c', counters: { m: { value: '1' } } }] },
      ['spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed'],
    ],
    [
      'too many with taints',
      {
        devices: Array.from({ length: 65 }, (_, at) => ({
          name: `a${at}`,
          taints: [{ key: 'k', effect: 'NoSchedule' }],
        })),
      },
      ['spec.devices: Too many: 65: must have at most 64 items'],
    ],
  ] as const) {
    it(what, () => {
      assert.deepEqual(refusals('ResourceSlice', slice(more)), wanted);
    });
  }

  const shared = (requestPolicy: JsonObject, more: JsonObject = {}): JsonObject => ({
    devices: [
      { name: 'a', allowMultipleAllocations: true, capacity: { memory: { value: '8Gi', requestPolicy } }, ...more },
    ],
  });
  const policyAt = 'spec.devices[0].capacity[memory].requestPolicy';

  it('[#40] judges steps of shared capacity in thousandths since 1.37', () => {
    // Texts and cases: validation_devicecapacity_test.go
    const policy = (value: string, usual: string, validRange: JsonObject): JsonObject => ({
      devices: [
        {
          name: 'a',
          allowMultipleAllocations: true,
          capacity: { memory: { value, requestPolicy: { default: usual, validRange } } },
        },
      ],
    });
    const at = `${policyAt}.validRange`;
    const milli = 'value cannot be represented as a milli value';
    for (const [more, wanted, before] of [
      [policy('1', '200m', { min: '200m', max: '1', step: '100m' }), [], []],
      [
        policy('1', '250m', { min: '200m', max: '1', step: '100m' }),
        [`${at}.step: Invalid value: "250m": value is not a multiple of a given step (100m) from (200m)`],
        [],
      ],
      [
        policy('100P', '20P', { min: '10P', step: '100m' }),
        [`${at}.default: Invalid value: "20P": ${milli}`, `${at}.min: Invalid value: "10P": ${milli}`],
        [],
      ],
      [
        policy('1', '20u', { min: '10u' }),
        [`${at}.default: Invalid value: "20u": ${milli}`, `${at}.min: Invalid value: "10u": ${milli}`],
        [],
      ],
      [
        policy('8Gi', '2Gi', { min: '1Gi', step: '0' }),
        [`${at}.step: Invalid value: "0": must be greater than zero`],
        [],
      ],
      [
        policy('8Gi', '1Gi', { min: '2Gi' }),
        [`${at}.default: Invalid value: "1Gi": default is less than min: 2Gi`],
        [`${at}.min: Invalid value: "1Gi": default is less than min: 2Gi`],
      ],
    ] as const) {
      assert.deepEqual(refusals('ResourceSlice', slice(more), '1.37'), wanted);
      assert.deepEqual(refusals('ResourceSlice', slice(more), '1.36'), before);
    }
    const values = shared({ default: '100m', validValues: ['100m', '200m'] });
    assert.deepEqual(refusals('ResourceSlice', slice(values), '1.37'), []);
    assert.deepEqual(refusals('ResourceSlice', slice(values)), [`${policyAt}.validValues[1]: Duplicate value: "1"`]);
  });

  const identifier =
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";
  const sets = { devices: undefined as unknown as [] };

  // Texts: validateRequestPolicy, validateDeviceTaint, validateCounterSet, validateDeviceBindingParameters,
  // validateQualifiedName in pkg/apis/resource/validation/validation.go
  for (const [what, more, wanted] of [
    ['a range that is kept', shared({ default: '2Gi', validRange: { min: '1Gi', max: '4Gi', step: '1Gi' } }), []],
    [
      'a policy of a device that is not shared',
      { devices: [{ name: 'a', capacity: { memory: { value: '8Gi', requestPolicy: { default: '1Gi' } } } }] },
      [`${policyAt}: Forbidden: allowMultipleAllocations must be true`],
    ],
    [
      'two policies',
      shared({ default: '1Gi', validRange: { min: '1Gi' }, validValues: ['1Gi'] }),
      [
        `${policyAt}: Forbidden: exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time`,
      ],
    ],
    [
      'no default',
      shared({ validValues: ['1Gi'] }),
      [`${policyAt}.default: Required value: required when validValues is defined`],
    ],
    [
      'values out of order, too large, twice, and without the default',
      shared({ default: '3Gi', validValues: ['2Gi', '1Gi', '16Gi', '16Gi'] }),
      [
        `${policyAt}.validValues[1]: Invalid value: "1Gi": values must be sorted in ascending order`,
        `${policyAt}.validValues[2]: Invalid value: "16Gi": option is larger than capacity value: 8Gi`,
        `${policyAt}.validValues[3]: Invalid value: "16Gi": option is larger than capacity value: 8Gi`,
        `${policyAt}.validValues[3]: Duplicate value: "17179869184"`,
        `${policyAt}.validValues: Invalid value: "3Gi": default value is not valid according to the requestPolicy`,
      ],
    ],
    [
      'a range that is not',
      shared({ default: '9Gi', validRange: { min: '1Gi', max: '7Gi', step: '4Gi' } }),
      [
        `${policyAt}.validRange.max: Invalid value: "9Gi": default is more than max: 7Gi`,
        `${policyAt}.validRange.step: Invalid value: "7Gi": value is not a multiple of a given step (4Gi) from (1Gi)`,
      ],
    ],
    [
      'taints',
      {
        devices: [
          {
            name: 'a',
            taints: [
              { key: '', effect: 'Never' },
              { key: 'k', value: '-' },
            ],
          },
        ],
      },
      [
        'spec.devices[0].taints[0].key: Invalid value: "": name part must be non-empty',
        "spec.devices[0].taints[0].key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.devices[0].taints[0].effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"',
        "spec.devices[0].taints[1].value: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        'spec.devices[0].taints[1].effect: Required value',
      ],
    ],
    [
      'counters',
      {
        ...sets,
        sharedCounters: [
          { name: 'c', counters: {} },
          { name: 'c', counters: { m: { value: '1' } } },
        ],
      },
      ['spec.sharedCounters[0].counters: Required value', 'spec.sharedCounters[1]: Duplicate value: "c"'],
    ],
    [
      'what consumes them',
      { devices: [{ name: 'a', consumesCounters: [{ counterSet: '', counters: { m: { value: '1' } } }] }] },
      ['spec.devices[0].consumesCounters[0].counterSet: Required value'],
    ],
    [
      'conditions of binding',
      { devices: [{ name: 'a', bindingConditions: ['ready'], bindingFailureConditions: ['ready'] }] },
      [
        'spec.devices[0].bindingFailureConditions[0]: Invalid value: "ready": bindingFailureConditions must not overlap with bindingConditions',
      ],
    ],
    [
      'conditions without their failures',
      { devices: [{ name: 'a', bindingConditions: ['ready'] }] },
      [
        'spec.devices[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions',
      ],
    ],
    [
      'names of attributes and capacities',
      { devices: [{ name: 'a', attributes: { 'a-b': { int: 1 } }, capacity: { '/m': { value: '1' } } }] },
      [
        `spec.devices[0].attributes: Invalid value: "a-b": ${identifier}`,
        'spec.devices[0].capacity: Invalid value: "": the domain must not be empty',
      ],
    ],
  ] as const) {
    it(`parts of devices: ${what}`, () => {
      assert.deepEqual(refusals('ResourceSlice', slice(more)), wanted);
    });
  }

  it('refuses nothing of what the API server of a minor drops', () => {
    const spec = slice(shared({ validValues: ['1Gi'] }, { taints: [{ key: '' }], bindingConditions: ['a'] }));
    assert.deepEqual(refusals('ResourceSlice', spec, '1.35'), []);
  });

  it('refuses no node by all minors, and a slice for each device only where that is known', () => {
    const { nodeName: _, ...rest } = slice();
    assert.deepEqual(refusals('ResourceSlice', rest), [`spec: Required value: ${oneOfFour}`]);
    const each = { ...rest, perDeviceNodeSelection: true, devices: [{ name: 'a', nodeName: 'n' }] };
    assert.deepEqual(refusals('ResourceSlice', each), []);
    assert.deepEqual(refusals('ResourceSlice', each, '1.34'), [`spec: Required value: ${oneOfFour}`]);
  });

  it('tells of an attribute without a value as each minor does', () => {
    const devices = [{ name: 'a', attributes: { v: {} } }];
    const at = 'spec.devices[0].attributes[v]';
    const text = 'exactly one value must be specified';
    assert.deepEqual(refusals('ResourceSlice', slice({ devices }), '1.34'), [`${at}: Required value: ${text}`]);
    assert.deepEqual(refusals('ResourceSlice', slice({ devices }), '1.35'), [`${at}: Invalid value: "": ${text}`]);
  });
});

/** Source: validateDeviceClaim, validateDevice, validateSlice, validateMap in pkg/apis/resource/validation/validation.go */
describe('[#41] lists and maps of devices as each minor judges them', () => {
  const unknown =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const label =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  const request = (name: string): JsonObject => ({ name, exactly: { deviceClassName: 'gpu' } });

  it('references to requests', () => {
    const requests = ['gpu', 'a/b/c', 'A', 'gpu'];
    const at = 'spec.devices.constraints[0].requests';
    const constraints = [{ requests, matchAttribute: 'example.com/a' }];
    assert.deepEqual(refusals('ResourceClaim', { devices: { requests: [request('gpu')], constraints } }), [
      `${at}[1]: Invalid value: "a/b/c": ${unknown}`,
      `${at}[2]: Invalid value: "A": ${label}`,
      `${at}[2]: Invalid value: "A": ${unknown}`,
      `${at}[3]: Duplicate value: "gpu"`,
    ]);
  });

  it('what is there twice', () => {
    const twice = { devices: { requests: [request('gpu'), request('gpu')] } };
    assert.deepEqual(refusals('ResourceClaim', twice), ['spec.devices.requests[1]: Duplicate value: "gpu"']);
    assert.deepEqual(refusals('ResourceClaim', twice, '1.34'), [
      'spec.devices.requests[1].name: Duplicate value: "gpu"',
    ]);
  });

  it('a list that is too long', () => {
    const selectors = Array.from({ length: 33 }, () => ({}));
    const long = 'spec.selectors: Too many: 33: must have at most 32 items';
    assert.deepEqual(refusals('DeviceClass', { selectors }), [long]);
    const inOld = refusals('DeviceClass', { selectors }, '1.34');
    assert.deepEqual([inOld.length, inOld[32], inOld[33]], [34, 'spec.selectors[32].cel: Required value', long]);
  });

  it('keys', () => {
    const key = `${'d'.repeat(63)}/${'n'.repeat(40)}`;
    const devices = [{ name: 'a', attributes: { [key]: {} } }];
    const long = `${'d'.repeat(47)}...${'d'.repeat(5)}/${'n'.repeat(40)}`;
    assert.deepEqual(refusals('ResourceSlice', slice({ devices })), [
      'spec.devices[0].attributes: Too long: may not be more than 32 bytes',
      `spec.devices[0].attributes[${long}]: Invalid value: "": exactly one value must be specified`,
    ]);
    assert.match(
      refusals('ResourceSlice', slice({ devices }), '1.35')[0]!,
      /^spec\.devices\[0\]\.attributes\[d+\.\.\.d+\/n+\]: Too long/,
    );
  });

  it('places of a device', () => {
    const devices = [{ name: 'a', nodeName: '', allNodes: false }];
    const places = slice({ nodeName: undefined as unknown as string, perDeviceNodeSelection: true, devices });
    assert.deepEqual(refusals('ResourceSlice', places), [
      'spec.devices[0].nodeName: Invalid value: "": must not be empty',
      'spec.devices[0].allNodes: Invalid value: false: must be either unset or set to true',
      'spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
    ]);
  });
});

describe('[PLA-21] configurations of devices in the words of the API server', () => {
  const claim = (config: readonly JsonObject[]): JsonObject => ({
    devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }], config },
  });

  it('of a claim', () => {
    const opaque = { driver: 'gpu.example.com', parameters: { kind: 'GpuConfig' } };
    assert.deepEqual(refusals('ResourceClaim', claim([{ requests: ['gpu'], opaque }])), []);
    const bad = claim([
      { requests: ['cpu'] },
      { opaque: { ...opaque, driver: 'A_b' } },
      { opaque: { ...opaque, parameters: [] } },
    ]);
    const [request, missing, driver, parameters] = refusals('ResourceClaim', bad);
    assert.match(
      request!,
      /^spec\.devices\.config\[0\]\.requests\[0\]: Invalid value: "cpu": must be the name of a request/,
    );
    assert.equal(missing, 'spec.devices.config[0].opaque: Required value');
    assert.match(
      driver!,
      /^spec\.devices\.config\[1\]\.opaque\.driver: Invalid value: "A_b": a lowercase RFC 1123 subdomain/,
    );
    assert.equal(
      parameters,
      'spec.devices.config[2].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
    );
  });

  it('of a class', () => {
    const opaque = { driver: 'gpu.example.com', parameters: { text: 'x'.repeat(10 * 1024) } };
    assert.deepEqual(refusals('DeviceClass', { config: [{ opaque }, {}] }), [
      'spec.config[0].opaque.parameters: Too long: may not be more than 10240 bytes',
      'spec.config[1].opaque: Required value',
    ]);
  });
});

describe('[#40] claims and classes in the words of the API server', () => {
  before(loadDevices);

  const at = 'spec.devices.requests[0].exactly';
  const asking = (exactly: JsonObject, more: JsonObject = {}): JsonObject => ({
    devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu', ...exactly } }], ...more },
  });
  const selecting = (expression: string): JsonObject => ({ selectors: [{ cel: { expression } }] });
  const expressionAt = 'spec.selectors[0].cel.expression';
  const own = 'device.attributes["gpu.example.com"]';

  for (const [what, expression, wanted] of [
    [
      'that does not compile',
      'device.model',
      /^: Invalid value: "device\.model": compilation failed: ERROR: <input>:1:7: undefined field 'model'/,
    ],
    [
      'that is no bool',
      'device.driver',
      /^: Invalid value: "device\.driver": must evaluate to bool or the unknown type, not string$/,
    ],
    ['longer than 10 KiB', `true${' '.repeat(10 * 1024)}`, /^: Too long: may not be more than 10240 bytes$/],
    [
      'that cannot be planned, which is an error of the server (#40)',
      'int("x") == 1',
      /^: Internal error: program instantiation failed: type conversion error from 'string' to 'int'$/,
    ],
    [
      'that may cost too much',
      `${own}.?model.orValue("").matches("A100")`,
      /^: Forbidden: too complex, exceeds cost limit$/,
    ],
    [
      'of lists of attributes, whose gate is off',
      `${own}.model.includes("A100")`,
      /undeclared reference to 'includes'/,
    ],
  ] as const) {
    it(`refuse a selector ${what}`, () => {
      const [text = '', ...more] = refusals('DeviceClass', selecting(expression));
      assert.ok(text.startsWith(expressionAt), text);
      assert.match(text.slice(expressionAt.length), wanted);
      assert.deepEqual(more, []);
      const [inClaim = ''] = refusals('ResourceClaim', asking(selecting(expression)));
      assert.ok(inClaim.startsWith(`${at}.selectors[0].cel.expression: `), inClaim);
    });
  }

  it('refuse in a new selector what the minor before does not know', () => {
    const lists = '["b", "a"].sort() == ["a", "b"]';
    assert.match(refusals('DeviceClass', selecting(lists), '1.34').join(), /undeclared reference to 'sort'/);
    assert.deepEqual(refusals('DeviceClass', selecting(lists), '1.35'), []);
    const shared = 'device.allowMultipleAllocations';
    assert.match(
      refusals('DeviceClass', selecting(shared), '1.35').join(),
      /undefined field 'allowMultipleAllocations'/,
    );
    assert.deepEqual(refusals('DeviceClass', selecting(shared)), []);
  });

  it('judge a stored selector no more', () => {
    const stored = (labels: JsonObject, expression: string): KubeObject =>
      decodeObject({
        apiVersion: 'resource.k8s.io/v1',
        kind: 'DeviceClass',
        metadata: { name: 'a', resourceVersion: '1', labels },
        spec: selecting(expression),
      }).object;
    const before = stored({}, `${own}.model.includes("A100")`);
    const after = stored({ a: 'b' }, `${own}.model.includes("A100")`);
    assert.deepEqual(validateUpdate(after, before, releaseOf('1.36')), []);
    assert.equal(validateUpdate(stored({}, 'device.model'), before, releaseOf('1.36')).length, 1);
  });

  it('refuse tolerations, attributes and names of resources', () => {
    const tolerations = [{ key: '-' }, { operator: 'Exists', value: 'a' }, { operator: 'Is' }, { effect: 'Never' }];
    const texts = refusals('ResourceClaim', asking({ tolerations }));
    assert.match(
      texts[0]!,
      /^spec\.devices\.requests\[0\]\.exactly\.tolerations\[0\]\.key: Invalid value: "-": name part must consist of/,
    );
    assert.deepEqual(texts.slice(1), [
      `${at}.tolerations[1].value: Invalid value: "a": must be empty for operator \`Exists\``,
      `${at}.tolerations[2].operator: Unsupported value: "Is": supported values: "Equal", "Exists"`,
      `${at}.tolerations[3].effect: Unsupported value: "Never": supported values: "NoExecute", "NoSchedule", "None"`,
    ]);
    assert.deepEqual(refusals('ResourceClaim', asking({ tolerations }), '1.35'), []);
    assert.deepEqual(refusals('ResourceClaim', asking({}, { constraints: [{ matchAttribute: 'model' }] })), [
      'spec.devices.constraints[0].matchAttribute: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash',
    ]);
    assert.deepEqual(refusals('DeviceClass', { extendedResourceName: 'gpu' }), [
      'spec.extendedResourceName: Invalid value: "gpu": must be a valid extended resource name',
    ]);
    assert.deepEqual(refusals('DeviceClass', { extendedResourceName: 'nvidia.com/gpu' }), []);
  });
});

// Source: validateDeviceTaintRuleSpec in pkg/apis/resource/validation/validation.go
describe('[#40] DeviceTaintRules in the words of the API server', () => {
  const taint = { key: 'a', effect: 'NoSchedule' };

  it('may name a driver, a pool and a device', () => {
    const selector = { driver: 'gpu.example.com', pool: 'a/b', device: 'gpu-0' };
    assert.deepEqual(refusals('DeviceTaintRule', { taint }, '1.37'), []);
    assert.deepEqual(refusals('DeviceTaintRule', { deviceSelector: selector, taint }, '1.37'), []);
    const texts = refusals(
      'DeviceTaintRule',
      { deviceSelector: { driver: '', pool: 'a/', device: '' }, taint },
      '1.37',
    );
    assert.deepEqual(
      texts.map((text) => text.replace(/: a lowercase.*$/, '')),
      [
        'spec.deviceSelector.driver: Required value',
        'spec.deviceSelector.pool: Invalid value: ""',
        'spec.deviceSelector.device: Required value',
      ],
    );
  });

  it('have a taint with an effect', () => {
    assert.deepEqual(refusals('DeviceTaintRule', { taint: { key: 'a' } }, '1.37'), [
      'spec.taint.effect: Required value',
    ]);
    assert.deepEqual(refusals('DeviceTaintRule', { taint: { key: 'a', effect: 'Evict' } }, '1.37'), [
      'spec.taint.effect: Unsupported value: "Evict": supported values: "NoExecute", "NoSchedule", "None"',
    ]);
    assert.deepEqual(refusals('DeviceTaintRule', {}, '1.36'), [], 'not served: refused as that alone');
  });
});

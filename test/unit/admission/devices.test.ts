import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { validateCreation } from '../../../server/src/admission/request/validate.ts';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';

/** What a minor refuses. Texts: pkg/apis/resource/validation/validation_{resourceslice,resourceclaim,deviceclass}_test.go */
function refusals(kind: string, spec: JsonObject, minor: '1.34' | '1.35' | '1.36' = '1.36'): readonly string[] {
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
      { sharedCounters: [{ name: 'c', counters: {} }] },
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
      ['spec.devices: Too many: must have at most 64 items'],
    ],
  ] as const) {
    it(what, () => {
      assert.deepEqual(refusals('ResourceSlice', slice(more)), wanted);
    });
  }

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

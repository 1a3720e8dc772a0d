import { strict as assert } from 'node:assert';
import { describe, it } from 'mocha';
import { stripped } from '../../../server/src/kubernetes/scheduling-fields.ts';

describe('what a snapshot keeps of claims', () => {
  it('[PLA-21] is what they ask for and have, without what drivers are handed', () => {
    const opaque = { driver: 'gpu.example.com', parameters: { token: 'secret' } };
    const result = { request: 'r', driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0' };
    const claim = {
      metadata: { name: 'c', namespace: 'a', uid: 'u', annotations: { note: 'x' } },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }], config: [{ opaque }] } },
      status: {
        allocation: { devices: { results: [result], config: [{ source: 'FromClaim', opaque }] } },
        reservedFor: [{ resource: 'pods', name: 'p', uid: 'p' }],
        devices: [{ driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0', data: { serial: '1' } }],
      },
    };
    assert.deepEqual(stripped(claim, 'resource.k8s.io/v1', 'ResourceClaim'), {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name: 'c', namespace: 'a', uid: 'u' },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
      status: {
        allocation: { devices: { results: [result] } },
        reservedFor: [{ resource: 'pods', name: 'p', uid: 'p' }],
        devices: [{ driver: 'gpu.example.com', pool: 'n1', device: 'gpu-0' }],
      },
    });
  });
});

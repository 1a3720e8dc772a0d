import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { validatePodTemplate } from '../../../server/src/admission/pods/pod.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { creationErrors, creationTexts, updateErrors } from './judged.ts';

function asking(resources: JsonObject, more: JsonObject = {}): JsonObject {
  return { containers: [{ name: 'main', image: 'nginx', resources }], ...more };
}

const container = 'spec.containers[0].resources';

describe('validatePod: resources of containers', () => {
  it('keeps requests within limits, and points at the request', () => {
    const [error, second] = creationErrors(asking({ requests: { cpu: '1500m' }, limits: { cpu: '1' } }));
    assert.equal(second, undefined);
    assert.equal(error?.at.text, `${container}.requests`);
    assert.equal(error.detail, 'must be less than or equal to cpu limit of 1');
    assert.deepEqual(error.at.path, ['spec', 'containers', 0, 'resources', 'requests', 'cpu']);
  });

  it('wants a limit, and an equal one, for what cannot be overcommitted', () => {
    assert.deepEqual(creationTexts(asking({ requests: { 'nvidia.com/gpu': '1' } })), [
      `${container}.limits: Required value: Limit must be set for non overcommitable resources`,
    ]);
    assert.deepEqual(
      creationTexts(asking({ requests: { 'nvidia.com/gpu': '1' }, limits: { 'nvidia.com/gpu': '2' } })),
      [`${container}.requests: Invalid value: "1": must be equal to nvidia.com/gpu limit of 2`],
    );
    assert.deepEqual(creationTexts(asking({ limits: { 'nvidia.com/gpu': '2' } })), []);
  });

  it('wants whole numbers of devices, and no negative amounts', () => {
    assert.deepEqual(creationTexts(asking({ limits: { 'nvidia.com/gpu': '1500m', cpu: '-1' } })), [
      `${container}.limits[nvidia.com/gpu]: Invalid value: "1500m": must be an integer`,
      `${container}.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
      `${container}.requests[nvidia.com/gpu]: Invalid value: "1500m": must be an integer`,
      `${container}.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
    ]);
  });

  it('knows the names of resources', () => {
    assert.deepEqual(creationTexts(asking({ requests: { gpu: '1', pods: '1' } })), [
      `${container}.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified`,
      `${container}.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers`,
      `${container}.requests[pods]: Invalid value: "pods": must be a standard resource for containers`,
    ]);
  });

  it('wants whole huge pages, and cpu or memory beside them', () => {
    assert.deepEqual(creationTexts(asking({ limits: { 'hugepages-2Mi': '3Mi' } })), [
      `${container}.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
      `${container}.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
      `${container}: Forbidden: HugePages require cpu or memory`,
    ]);
    assert.deepEqual(creationTexts(asking({ limits: { 'hugepages-2Mi': '4Mi', memory: '1Gi' } })), []);
  });

  it('spares pods that have broken huge pages already', () => {
    const broken = asking({ limits: { 'hugepages-2Mi': '3Mi', memory: '1Gi' } });
    assert.deepEqual(updateErrors(broken, broken), []);
  });

  it('takes requests from limits in pods, not in templates', () => {
    const spec = { containers: [{ name: 'a', image: 'x', resources: { limits: { cpu: '-1' } } }] };
    assert.equal(creationErrors(spec).length, 2);
    assert.equal(validatePodTemplate({ spec }, ['spec', 'template']).length, 1);
  });

  it('resolves claims against those of the pod', () => {
    assert.deepEqual(creationTexts(asking({ claims: [{ name: 'gpu' }, { name: 'gpu' }] })), [
      `${container}.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty`,
      `${container}.claims[1]: Duplicate value: "gpu"`,
      `${container}.claims[1]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty`,
    ]);
    const resourceClaims = [{ name: 'gpu', resourceClaimName: 'shared' }];
    assert.deepEqual(creationTexts(asking({ claims: [{ name: 'gpu' }] }, { resourceClaims })), []);
  });
});

describe('validatePod: resources of the pod', () => {
  it('covers what its containers ask for together', () => {
    const spec = asking({ requests: { cpu: '2' } }, { resources: { requests: { cpu: '1500m' } } });
    assert.deepEqual(creationTexts(spec), [
      'spec.resources.requests[cpu]: Invalid value: "1500m": must be greater than or equal to aggregate container requests of 2',
    ]);
  });

  it('caps the limit of each container, and points at the container', () => {
    const [error] = creationErrors(
      asking({ limits: { cpu: '3' } }, { resources: { limits: { cpu: '2' }, requests: { cpu: '3' } } }),
    ).filter(({ detail }) => detail.includes('pod limits'));
    assert.equal(error?.at.text, 'spec.resources.containers[0][cpu].limits');
    assert.equal(error.detail, 'must be less than or equal to pod limits of 2');
    assert.deepEqual(error.at.path, ['spec', 'containers', 0, 'resources', 'limits', 'cpu']);
  });

  it('has cpu, memory and huge pages only, and no claims', () => {
    const resources = { requests: { 'ephemeral-storage': '1Gi' }, claims: [] };
    assert.deepEqual(creationTexts({ resources }), [
      'spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level',
      'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
    ]);
  });

  it('judges overhead as limits', () => {
    const [error] = creationErrors({ overhead: { cpu: '-1' } });
    assert.equal(error?.at.text, 'spec.overhead.limits[cpu]');
    assert.deepEqual(error.at.path, ['spec', 'overhead', 'cpu']);
  });
});

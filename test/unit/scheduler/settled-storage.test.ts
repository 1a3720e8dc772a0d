import { strict as assert } from 'node:assert';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../../server/src/kubernetes/objects.ts';
import { settleStorage } from '../../../server/src/scheduler/index.ts';
import { boundClaim, claim, type ClaimShape, storageClass, volume } from './plugins/volume-objects.ts';

/** As a user writes it: without a status. */
function written(name: string, shape: ClaimShape = {}): PersistentVolumeClaim {
  const { metadata, spec } = claim(name, shape);
  const named = Object.entries(spec ?? {}).filter(
    ([key]) => key !== 'storageClassName' || shape.className !== undefined,
  );
  return { metadata: metadata!, spec: Object.fromEntries(named) };
}

const making = storageClass({ provisioner: 'disk.example.com', volumeBindingMode: 'Immediate' }, 'fast');
const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };

interface Given {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumes?: readonly PersistentVolume[];
  readonly classes?: readonly StorageClass[];
  readonly knowsAllClasses?: boolean;
}

/** Claim → its volume. */
function volumesOf({
  claims,
  volumes = [],
  classes = [],
  knowsAllClasses = false,
}: Given): Record<string, string | null> {
  const settled = settleStorage({ claims, volumes, classes, knowsAllClasses });
  const found: Record<string, string | null> = {};
  for (const { metadata, spec } of settled.claims) found[metadata?.name ?? ''] = spec?.volumeName ?? null;
  return found;
}

describe('claims before any pod is scheduled', () => {
  const free = (name: string, size: string, className = 'fast'): PersistentVolume => {
    const { metadata, spec } = volume(name, { size, className });
    return { metadata: metadata!, spec: spec! };
  };
  const onNode = (name: string, size: string, className: string, annotations = {}): PersistentVolume => {
    const { metadata, spec } = free(name, size, className);
    return { metadata: { ...metadata, annotations }, spec: { ...spec, hostPath: { path: '/data' } } };
  };
  const cases: readonly (Given & { readonly what: string; readonly expected: Record<string, string | null> })[] = [
    {
      what: 'a volume is made where the class has a provisioner',
      claims: [written('c', { className: 'fast' })],
      classes: [making],
      expected: { c: 'pvc-default-c' },
    },
    {
      what: 'a volume that fits is taken before one is made, the smallest first',
      claims: [written('c', { className: 'fast', size: '2Gi' })],
      volumes: [free('v1', '1Gi'), free('v3', '3Gi'), free('v2', '2Gi')],
      classes: [making],
      expected: { c: 'v2' },
    },
    {
      what: '[#34] no volume is made for an unknown class of which disks of nodes are written by hand',
      claims: [written('c', { className: 'manual', size: '2Gi' })],
      volumes: [onNode('v', '1Gi', 'manual')],
      expected: { c: null },
    },
    {
      what: '[#34] one is made where the volume that is there was made too',
      claims: [written('c', { className: 'manual', size: '2Gi' })],
      volumes: [onNode('v', '1Gi', 'manual', { 'pv.kubernetes.io/provisioned-by': 'disk.example.com' })],
      expected: { c: 'pvc-default-c' },
    },
    {
      what: 'a volume is taken once',
      claims: [written('a', { className: 'none' }), written('b', { className: 'none' })],
      volumes: [free('v', '1Gi', 'none')],
      classes: [storageClass({ volumeBindingMode: 'Immediate' }, 'none')],
      expected: { a: 'v', b: null },
    },
    {
      what: 'the volume that the claim names is taken',
      claims: [written('c', { className: 'fast', spec: { volumeName: 'v2' } })],
      volumes: [free('v1', '1Gi'), free('v2', '9Gi')],
      classes: [making],
      expected: { c: 'v2' },
    },
    {
      what: 'a claim whose class waits for a consumer waits',
      claims: [written('c', { className: 'late' })],
      volumes: [free('v', '1Gi', 'late')],
      classes: [storageClass()],
      expected: { c: null },
    },
    {
      what: 'a claim without a class gets the default one, the newest of two',
      claims: [written('c')],
      classes: [
        storageClass({ metadata: { name: 'old', annotations: isDefault, creationTimestamp: '2024-01-01T00:00:00Z' } }),
        { ...making, metadata: { name: 'fast', annotations: isDefault, creationTimestamp: '2025-01-01T00:00:00Z' } },
      ],
      expected: { c: 'pvc-default-c' },
    },
    {
      what: 'a class that nobody declares is taken to serve',
      claims: [written('c', { className: 'cloud' }), written('d')],
      classes: [storageClass()],
      expected: { c: 'pvc-default-c', d: 'pvc-default-d' },
    },
    {
      what: '#34 but not where it is nearly the name of a declared one',
      claims: [written('c', { className: 'latte' }), written('d')],
      classes: [storageClass()],
      expected: { c: null, d: 'pvc-default-d' },
    },
    {
      what: 'but not when all classes of the cluster are known',
      claims: [written('c', { className: 'cloud' }), written('d')],
      classes: [storageClass()],
      knowsAllClasses: true,
      expected: { c: null, d: null },
    },
    {
      what: 'nobody makes volumes without a class',
      claims: [written('c', { className: '' })],
      classes: [{ ...making, metadata: { name: 'fast', annotations: isDefault } }],
      expected: { c: null },
    },
    {
      what: 'a claim that has been in a cluster is left as it is',
      claims: [claim('c', { className: 'fast' }), boundClaim('d', 'gone')],
      classes: [making],
      expected: { c: null, d: 'gone' },
    },
  ];
  for (const { what, expected, ...given } of cases) {
    it(what, () => {
      assert.deepEqual(volumesOf(given), expected);
    });
  }

  it('are bound from both sides', () => {
    const claims = [written('c', { className: 'fast' })];
    const settled = settleStorage({ claims, volumes: [free('v', '1Gi')], classes: [making], knowsAllClasses: true });
    assert.equal(settled.claims[0]?.status?.phase, 'Bound');
    assert.equal(settled.claims[0].metadata?.annotations?.['pv.kubernetes.io/bind-completed'], 'yes');
    assert.deepEqual(settled.volumes[0]?.spec?.claimRef?.name, 'c');
    assert.equal(settled.made, 0);
  });

  it('are bound where a file says so without the mark of the controller', () => {
    const wanted = written('c', { className: 'fast' });
    const claims = [{ ...wanted, spec: { ...wanted.spec, volumeName: 'v' }, status: { phase: 'Bound' as const } }];
    const settled = settleStorage({ claims, volumes: [free('v', '1Gi')], classes: [making], knowsAllClasses: true });
    assert.equal(settled.claims[0]?.metadata?.annotations?.['pv.kubernetes.io/bind-completed'], 'yes');
  });

  it('volumes that are made lie in the topologies of the class', () => {
    const zonal = { ...making, allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }] };
    const claims = [written('c', { className: 'fast' })];
    const { volumes, made } = settleStorage({ claims, volumes: [], classes: [zonal], knowsAllClasses: true });
    assert.equal(made, 1);
    assert.deepEqual(volumes[0]?.spec?.nodeAffinity?.required?.nodeSelectorTerms, [
      { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] },
    ]);
    assert.deepEqual(volumes[0].spec.csi, { driver: 'disk.example.com', volumeHandle: 'pvc-default-c' });
  });
});

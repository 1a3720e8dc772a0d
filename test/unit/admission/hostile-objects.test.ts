import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decideBudgetStatus } from '../../../server/src/cli/decide/budget-status.ts';
import { decideEvict, decidePressure } from '../../../server/src/cli/decide/evict.ts';
import { decideQuota } from '../../../server/src/cli/decide/quota.ts';
import {
  decideAdmit,
  decideValidate,
  decideValidateBudget,
  decideValidateClass,
} from '../../../server/src/cli/decide/admission.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { readCases } from '../../conformance/recorded-files.ts';

const modes: readonly (readonly [string, (input: JsonObject) => JsonObject])[] = [
  ['v1.34/validate-pods', decideValidate],
  ['admit', decideAdmit],
  ['validate-class', decideValidateClass],
  ['validate-budget', decideValidateBudget],
  ['quota', decideQuota],
  ['budget-status', decideBudgetStatus],
  ['evict', decideEvict],
  ['pressure', decidePressure],
];

const junk = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1.5, 2 ** 53, '', '__proto__', '10E', '1e400', 'constructor', '😀', [], {}),
  fc.jsonValue({ maxDepth: 2 }),
) as fc.Arbitrary<unknown>;

/** A copy of a value in which what stands at the n-th place, counted over all places, is something else. */
function withJunkAt(value: unknown, counter: { left: number }, replacement: unknown): unknown {
  if (counter.left-- === 0) return replacement;
  if (Array.isArray(value)) return value.map((item) => withJunkAt(item, counter, replacement));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withJunkAt(item, counter, replacement)]));
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}

/** A pod that has something of everything that validation looks into. */
const handler = {
  exec: { command: ['x'] },
  httpGet: { port: 80, httpHeaders: [{ name: 'X' }] },
  tcpSocket: { port: 'a' },
};
const profile = { type: 'Localhost', localhostProfile: 'a' };
const security = {
  runAsUser: 1,
  seccompProfile: profile,
  appArmorProfile: profile,
  windowsOptions: { runAsUserName: 'a\\b' },
};
const keys = { name: 'a', key: 'a', items: [{ key: 'a', path: 'b', mode: 1 }] };
const claim = { metadata: { name: 'a' }, spec: { accessModes: ['a'], resources: { requests: { storage: '1' } } } };
const sources = {
  emptyDir: { sizeLimit: '1' },
  hostPath: { path: '/a', type: '' },
  gitRepo: { directory: 'a' },
  iscsi: { iqn: 'iqn.x', initiatorName: 'a' },
  quobyte: { registry: 'a:1', tenant: 'a' },
  fc: { targetWWNs: ['a'], lun: 1 },
  flexVolume: { options: { 'a/b': 'c' } },
  azureDisk: { kind: 'Managed', diskURI: 'a' },
  storageos: { volumeName: 'a' },
  csi: { driver: 'a' },
  secret: keys,
  configMap: keys,
  ephemeral: { volumeClaimTemplate: claim },
  flocker: { datasetName: 'a/b' },
  nfs: { path: 'a' },
  cinder: { secretRef: { name: 'a' } },
  downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: "metadata.labels['a']" } }] },
  projected: { sources: [{ secret: keys, configMap: keys, serviceAccountToken: { path: 'a', expirationSeconds: 1 } }] },
};
const container = {
  name: 'a',
  image: 'a',
  securityContext: security,
  livenessProbe: handler,
  lifecycle: { preStop: { sleep: { seconds: 1 } } },
  env: [
    {
      name: 'A',
      valueFrom: {
        fieldRef: { fieldPath: 'spec.host' },
        resourceFieldRef: { resource: 'limits.cpu', divisor: '1' },
        secretKeyRef: keys,
      },
    },
  ],
  envFrom: [{ prefix: 'A', secretRef: { name: 'a' } }],
  volumeMounts: [
    { name: 'a', mountPath: 'a', subPathExpr: 'a', mountPropagation: 'None', recursiveReadOnly: 'Enabled' },
  ],
  volumeDevices: [{ name: 'a', devicePath: 'a' }],
};
const fullPod = {
  metadata: { name: 'a', annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'localhost/a' } },
  spec: {
    hostNetwork: true,
    hostUsers: false,
    os: { name: 'windows' },
    volumes: Object.entries(sources).map(([kind, source]) => ({ name: 'a', [kind]: source })),
    containers: [container],
    initContainers: [container],
    ephemeralContainers: [container],
    securityContext: { ...security, sysctls: [{ name: 'net/a', value: 'a' }], supplementalGroups: [1] },
    dnsConfig: { nameservers: ['1::'], searches: ['a'], options: [{ name: 'a' }] },
    hostAliases: [{ ip: '1.1.1.1', hostnames: ['a'] }],
  },
};

describe('hostile objects', () => {
  it('never make the validation of anything in a pod throw, and are never changed', () => {
    fc.assert(
      fc.property(fc.nat(350), junk, (place, replacement) => {
        const input = { new: withJunkAt(fullPod, { left: place }, replacement), old: fullPod } as JsonObject;
        freeze(input);
        const first = decideValidate(input);
        assert.deepEqual(decideValidate(input), first);
      }),
      { numRuns: 120 },
    );
  });

  for (const [name, decide] of modes) {
    it(`never make ${name} throw, and are never changed`, () => {
      const cases = readCases(name);
      fc.assert(
        fc.property(fc.nat(cases.length - 1), fc.nat(120), junk, (index, place, replacement) => {
          const input = withJunkAt(cases[index], { left: place + 1 }, replacement);
          freeze(input);
          const first = decide(input as JsonObject);
          assert.deepEqual(decide(input as JsonObject), first);
          JSON.stringify(first);
        }),
        { numRuns: 250 },
      );
    });
  }
});

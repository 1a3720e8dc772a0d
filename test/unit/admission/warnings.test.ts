import { strict as assert } from 'node:assert';
import { reviewUpdate } from '../../../server/src/admission/request/update.ts';
import { presetState } from '../../../server/src/cli/decide/preset-state.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { type Minor, minors } from '../../../server/src/util/minors.ts';
import {
  container,
  template,
  selector,
  object,
  pod,
  statefulSet,
  volume,
  warnings,
  since135,
} from './judged-documents.ts';

// Source: pkg/api/pod/warnings.go, pkg/api/{persistentvolume,job,node}, WarningsOnCreate and WarningsOnUpdate in pkg/registry
describe('warnings of an API server', () => {
  const service = (spec: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: { ports: [{ port: 80 }], ...spec },
  });
  const http = { name: 'http', containerPort: 80 };
  const rows: readonly (readonly [
    what: string,
    document: JsonObject,
    warned: readonly string[],
    minors?: readonly Minor[],
  ])[] = [
    [
      'ports of the same name, and an address without a port',
      pod({
        containers: [
          { ...container, ports: [{ ...http, hostIP: '1.2.3.4' }] },
          { ...container, name: 'd', ports: [{ ...http, containerPort: 81 }] },
        ],
      }),
      [
        'spec.containers[0].ports[0]: hostIP set without hostPort: {Name:http HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}',
        'spec.containers[1].ports[0]: duplicate port name "http" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
      ],
    ],
    // Source: pkg/api/service/warnings.go
    [
      '[#41] a Service whose fields are ignored or deprecated',
      service({
        clusterIP: 'None',
        externalIPs: ['1.2.3.4'],
        loadBalancerIP: '1.2.3.4',
        sessionAffinity: 'ClientIP',
        externalName: 'a.b',
      }),
      [
        'spec.loadBalancerIP is ignored for headless services',
        'spec.externalIPs is ignored for headless services',
        'spec.SessionAffinity is ignored for headless services',
        'spec.externalName is ignored when spec.type is not "ExternalName"',
      ],
    ],
    [
      '[#41] a Service that prefers what is close',
      service({ trafficDistribution: 'PreferClose' }),
      ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
      since135,
    ],
    [
      '[#41] external addresses of a Service',
      service({ externalIPs: ['1.2.3.4'] }),
      ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'],
      since135.slice(1),
    ],
    [
      '[#41] ranges and addresses of a Service that are none of the usual form',
      service({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.1/8', ' 10.0.0.1/8'] }),
      [
        'spec.loadBalancerSourceRanges[0]: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
      ],
      minors.filter((minor) => !since135.slice(1).includes(minor)),
    ],
    [
      'paths that overlap, and sources that are none',
      pod({
        volumes: [
          { name: 'a', configMap: { name: 'm', items: ['p/', 'p/q', 'pq'].map((path) => ({ key: 'k', path })) } },
          {
            name: 'b',
            projected: {
              sources: [
                {},
                { secret: { name: 's', items: [{ key: 'k', path: 'p' }] } },
                { serviceAccountToken: { path: 'p' } },
              ],
            },
          },
        ],
      }),
      [
        'volume "a" (ConfigMap "m"): overlapping paths: "p/q" with "p"',
        'volume "b" (Projected) has no sources provided',
        'volume "b" (Projected): overlapping paths: "p" (ServiceAccountToken) with "p" (Secret "s")',
      ],
    ],
    [
      'addresses that are written otherwise, and secrets without names',
      pod({ hostAliases: [{ ip: 'FE80::0:1' }], imagePullSecrets: [{}, {}] }),
      [
        'spec.imagePullSecrets[0].name: invalid empty name ""',
        'spec.imagePullSecrets[1].name: invalid empty name ""',
        'spec.imagePullSecrets[1].name: duplicate name ""',
        'spec.hostAliases[0].ip: IPv6 address "FE80::0:1" should be in RFC 5952 canonical format ("fe80::1")',
      ],
    ],
    [
      'addresses with zeros in front, where they are taken',
      pod({ dnsConfig: { nameservers: ['010.0.0.1'] } }),
      ['spec.dnsConfig.nameservers[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"'],
      ['1.34', '1.35'],
    ],
    [
      'profiles in annotations, of containers that there are',
      pod(
        { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
        {
          annotations: {
            'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
            'container.seccomp.security.alpha.kubernetes.io/c': 'runtime/default',
            'container.seccomp.security.alpha.kubernetes.io/d': 'runtime/default',
          },
        },
      ),
      [
        'metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: non-functional in v1.27+; use the "seccompProfile" field instead',
      ],
    ],
    [
      'claims of a StatefulSet',
      statefulSet({
        revisionHistoryLimit: -1,
        volumeClaimTemplates: [
          {
            metadata: { name: 'd' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
          },
        ],
      }),
      [
        'spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
        'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
      ],
    ],
    [
      'volumes that no longer work, and no part of a byte',
      volume({ storageos: { volumeName: 'v' }, capacity: { storage: '1500m' } }),
      ['spec.storageOS: deprecated in v1.22, non-functional in v1.25+'],
    ],
    [
      'quotas that ask for more than they limit',
      object('v1', 'ResourceQuota', { spec: { hard: { cpu: '2', 'limits.cpu': '1' } } }),
      ['ResourceQuota cpu (2) should be less than limits.cpu (1)'],
      since135,
    ],
    [
      'ranges that name an address, where they are taken',
      object('v1', 'Node', { spec: { podCIDR: '10.0.0.1/24' } }),
      [
        'spec.podCIDRs[0]: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)',
      ],
      ['1.34', '1.35'],
    ],
    // Source: GetWarningsForNodeSelector in pkg/api/node/util.go
    [
      '[#41] old labels in the topology of a storage capacity',
      object('storage.k8s.io/v1', 'CSIStorageCapacity', {
        storageClassName: 'a',
        nodeTopology: {
          matchLabels: { 'failure-domain.beta.kubernetes.io/zone': 'a' },
          matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }],
        },
      }),
      [
        'nodeTopology.matchExpressions[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "kubernetes.io/os" instead',
        'nodeTopology.matchLabels.failure-domain.beta.kubernetes.io/zone: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
      ],
    ],
    // Source: WarningsOnCreate in pkg/registry/storage/csidriver/strategy.go
    [
      '[#41] tokens of a driver that may be logged',
      object('storage.k8s.io/v1', 'CSIDriver', { spec: { tokenRequests: [{ audience: 'a' }] } }),
      [
        'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
      ],
      since135,
    ],
    [
      '[#41] tokens of a driver that says where they are',
      object('storage.k8s.io/v1', 'CSIDriver', {
        spec: { tokenRequests: [{ audience: 'a' }], serviceAccountTokenInSecrets: true },
      }),
      [],
      since135,
    ],
  ];
  for (const [what, document, warned, which = minors] of rows) {
    it(what, () => {
      for (const minor of which) assert.deepEqual(warnings(document, minor), warned, minor);
    });
  }

  it('are told of an update where it changes what is warned of', () => {
    const odd = { ...template, spec: { containers: [container], terminationGracePeriodSeconds: -1 } };
    const deployment = (replicas: number, name = 'a.b'): JsonObject => ({
      ...object('apps/v1', 'Deployment', { spec: { replicas, selector, template: odd } }),
      metadata: { name },
    });
    const told = (old: JsonObject, next: JsonObject): readonly string[] =>
      reviewUpdate(old, next, 'replace', presetState('update'), releaseOf('1.36')).warnings ?? [];
    assert.deepEqual(told(deployment(1), deployment(1)), []);
    assert.deepEqual(told(deployment(1), deployment(2)), [
      'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ]);
    // The templates of DaemonSets have a generation of their own, and amounts are compared as numbers.
    const daemonSet = (spec: JsonObject, cpu = '1'): JsonObject =>
      object('apps/v1', 'DaemonSet', {
        spec: {
          selector,
          template: { ...odd, spec: { ...odd.spec, containers: [{ ...container, resources: { requests: { cpu } } }] } },
          ...spec,
        },
      });
    assert.deepEqual(told(daemonSet({}), daemonSet({ minReadySeconds: 5 })), []);
    assert.deepEqual(told(daemonSet({}), daemonSet({}, '1000m')), []);
    assert.equal(told(daemonSet({}), daemonSet({}, '2')).length, 1);
    const driver = (podInfoOnMount: boolean, audience = 'a'): JsonObject =>
      object('storage.k8s.io/v1', 'CSIDriver', { spec: { podInfoOnMount, tokenRequests: [{ audience }] } });
    assert.deepEqual(told(driver(false), driver(true)), []);
    assert.equal(told(driver(false), driver(false, 'b')).length, 1);
    const old = pod({ terminationGracePeriodSeconds: -1 });
    assert.deepEqual(told(old, pod({ terminationGracePeriodSeconds: -1 }, { labels: { a: 'b' } })), []);
  });
});

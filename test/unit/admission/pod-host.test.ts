import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fieldErrorText } from '../../../server/src/admission/format/field-errors.ts';
import { validatePod, validatePodTemplate } from '../../../server/src/admission/pods/pod.ts';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { releaseOf } from '../../../server/src/kubernetes/releases/index.ts';
import { creationTexts, podOf, updateTexts } from './judged.ts';

const address = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

describe('validatePod: what a pod shares with its node', () => {
  it('judges sysctls', () => {
    const name = 'must have at most 253 characters and match regex';
    const sysctls = [
      { name: 'net.core.somaxconn', value: '1' },
      { name: 'net.core.somaxconn', value: '2' },
      { name: 'kernel/shm_rmid_forced', value: '0' },
      { name: 'Net', value: '1' },
      { value: '1' },
    ];
    assert.deepEqual(creationTexts({ securityContext: { sysctls } }), [
      'spec.securityContext.sysctls[1].name: Duplicate value: "net.core.somaxconn"',
      `spec.securityContext.sysctls[3].name: Invalid value: "Net": ${name} ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`,
      'spec.securityContext.sysctls[4].name: Required value',
    ]);
    assert.deepEqual(
      creationTexts({ hostNetwork: true, hostIPC: true, securityContext: { sysctls: [sysctls[0]!, sysctls[2]!] } }),
      [
        'spec.securityContext.sysctls[0].name: Invalid value: "net.core.somaxconn": may not be specified when \'hostNetwork\' is true',
        'spec.securityContext.sysctls[1].name: Invalid value: "kernel/shm_rmid_forced": may not be specified when \'hostIPC\' is true',
      ],
    );
  });

  it('lets stored sysctls of a shared namespace be', () => {
    const spec = { hostNetwork: true, securityContext: { sysctls: [{ name: 'net.core.somaxconn', value: '1' }] } };
    assert.deepEqual(updateTexts(spec, spec), []);
  });

  it('judges groups and policies', () => {
    const securityContext = {
      fsGroup: -1,
      supplementalGroups: [1, -2],
      fsGroupChangePolicy: 'Never',
      supplementalGroupsPolicy: 'Loose',
      seLinuxChangePolicy: 'MountOption',
    };
    assert.deepEqual(creationTexts({ securityContext, shareProcessNamespace: true, hostPID: true }), [
      'spec.securityContext.fsGroup: Invalid value: -1: must be between 0 and 4294967295, inclusive',
      'spec.securityContext.supplementalGroups[1]: Invalid value: -2: must be between 0 and 4294967295, inclusive',
      'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
      'spec.securityContext.fsGroupChangePolicy: Unsupported value: "Never": supported values: "Always", "OnRootMismatch"',
      'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "Loose": supported values: "Merge", "Strict"',
      'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
    ]);
    const stored = { securityContext: { seLinuxChangePolicy: 'MountOption' } };
    assert.deepEqual(updateTexts(stored, stored), []);
  });

  it('refuses what does not go with a user namespace', () => {
    const volumes = [{ name: 'a', persistentVolumeClaim: { claimName: 'c' } }];
    const containers = [{ name: 'main', image: 'x', volumeDevices: [{ name: 'a', devicePath: '/dev/a' }] }];
    const spec = { hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true, volumes, containers };
    assert.deepEqual(creationTexts(spec), [
      'spec.hostNetwork: Forbidden: when `hostUsers` is false',
      'spec.HostPID: Forbidden: when `hostUsers` is false',
      'spec.HostIPC: Forbidden: when `hostUsers` is false',
      'spec.containers[0].volumeDevices: Forbidden: when `hostUsers` is false',
    ]);
    const stored = { hostUsers: false, volumes, containers };
    assert.deepEqual(updateTexts(stored, stored), []);
  });
});

describe('validatePod: operating systems', () => {
  const windowsOptions = { hostProcess: true };

  it('knows two', () => {
    assert.deepEqual(creationTexts({ os: {} }), ['spec.os.name: Required value']);
    assert.deepEqual(creationTexts({ os: { name: 'plan9' } }), [
      'spec.os: Unsupported value: "plan9": supported values: "linux", "windows"',
    ]);
  });

  it('refuses options of the other one', () => {
    assert.deepEqual(creationTexts({ os: { name: 'linux' }, securityContext: { windowsOptions: {} } }), [
      'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
    ]);
    const spec = {
      os: { name: 'windows' },
      hostPID: false,
      hostUsers: true,
      resources: { limits: { cpu: '1' } },
      securityContext: { runAsUser: 1, sysctls: [], supplementalGroups: [] },
      containers: [{ name: 'main', image: 'x', securityContext: { privileged: false } }],
    };
    assert.deepEqual(creationTexts(spec), [
      'spec.resources: Forbidden: may not be set for a windows pod',
      'spec.hostUsers: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
      'spec.securityContext.supplementalGroups: Forbidden: cannot be set for a windows pod',
      'spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod',
    ]);
  });

  it('wants all containers to be host processes, or none', () => {
    const containers = [
      { name: 'a', image: 'x', securityContext: { windowsOptions } },
      { name: 'b', image: 'x' },
    ];
    assert.deepEqual(creationTexts({ containers }), [
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
    ]);
    assert.deepEqual(creationTexts({ hostNetwork: true, securityContext: { windowsOptions }, containers }), []);
    const [text] = creationTexts({
      securityContext: { windowsOptions: { hostProcess: false } },
      hostNetwork: true,
      containers,
    });
    assert.equal(
      text,
      'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: true: pod hostProcess value must be identical if both are specified, was false',
    );
  });
});

describe('validatePod: name resolution', () => {
  it('judges policy and configuration', () => {
    assert.deepEqual(creationTexts({ dnsPolicy: 'Any' }), [
      'spec.dnsPolicy: Unsupported value: "Any": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ]);
    assert.deepEqual(creationTexts({ dnsPolicy: 'None' }), [
      'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
    ]);
    assert.deepEqual(creationTexts({ dnsPolicy: 'None', dnsConfig: { searches: ['A'] } }), [
      'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
    ]);
    const dnsConfig = {
      nameservers: ['1.1.1.1', '::1', '1.2.3.4', '1.2.3'],
      searches: ['.', '_tcp.example.com.', 'A b'],
      options: [{ name: 'ndots', value: '2' }, { value: '1' }],
    };
    const texts = creationTexts({ dnsConfig });
    assert.match(texts[0] ?? '', /nameservers: Invalid value: .*: must not have more than 3 nameservers$/);
    assert.equal(texts[1], `spec.dnsConfig.nameservers[3]: Invalid value: "1.2.3": ${address}`);
    assert.equal(
      texts[2],
      "spec.dnsConfig.searches[2]: Invalid value: \"A b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
    );
    assert.deepEqual(texts.slice(3), ['spec.dnsConfig.options[1]: Required value: must not be empty']);
  });

  it('limits the search list', () => {
    const many = creationTexts({ dnsConfig: { searches: Array.from({ length: 33 }, (_, index) => `a${index}`) } });
    assert.match(many[0] ?? '', /must not have more than 32 search paths$/);
    const long = creationTexts({ dnsConfig: { searches: Array.from({ length: 20 }, () => `a${'.bcde'.repeat(22)}`) } });
    assert.match(long[0] ?? '', /must not have more than 2048 characters \(including spaces\) in the search list$/);
  });

  it('judges host aliases', () => {
    const texts = creationTexts({
      hostAliases: [{ ip: '10.0.0.1', hostnames: ['db.local', 'DB'] }, { hostnames: [] }],
    });
    assert.match(texts[0] ?? '', /^spec\.hostAliases\[0\]\.hostnames\[1\]: Invalid value: "DB"/);
    assert.deepEqual(texts.slice(1), [`spec.hostAliases[1].ip: Invalid value: "": ${address}`]);
  });

  it('takes no zeros in front and no mapped addresses from 1.36 on', () => {
    for (const [ip, text] of [
      ['010.1.2.003', 'must not have leading 0s'],
      ['::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
      ['0:0:0:0:0:FFFF:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
    ] as const) {
      assert.match(creationTexts({ hostAliases: [{ ip }] }).join(), new RegExp(text));
    }
    assert.deepEqual(creationTexts({ hostAliases: [{ ip: '::1.2.3.4' }, { ip: '1::ffff:1.2.3.4' }] }), []);
  });

  it('reads addresses as Go did before 1.17, before 1.36', () => {
    const release = releaseOf('1.34');
    const isAddress = (ip: string): boolean => validatePod(podOf({ hostAliases: [{ ip }] }), { release }).length === 0;
    for (const good of [
      '0.0.0.0',
      '010.1.2.003',
      '::',
      '1::',
      '::ffff:1.2.3.4',
      '1:2:3:4:5:6:7::',
      '1:2:3:4:5:6:1.2.3.4',
      '::00001',
    ]) {
      assert.ok(isAddress(good), good);
    }
    for (const bad of [
      '256.1.1.1',
      '1.2.3.4.5',
      '1.2.3.',
      ':',
      ':::',
      '1::2::3',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7',
      '::1.2.3',
      '1.2.3.4::',
      'fe80::1%eth0',
      '12345::',
      ' ::1',
      '1:2:3:4:5:6:7:8::',
    ]) {
      assert.ok(!isAddress(bad), bad);
    }
  });
});

describe('validatePod: annotations', () => {
  const annotated = (annotations: Record<string, string>, spec: JsonObject = {}): string[] =>
    creationTexts(spec, { annotations });

  it('judges profiles of seccomp and AppArmor', () => {
    assert.deepEqual(
      annotated({
        'seccomp.security.alpha.kubernetes.io/pod': 'localhost//x',
        'container.seccomp.security.alpha.kubernetes.io/main': 'some',
        'container.apparmor.security.beta.kubernetes.io/main': 'some',
        'container.apparmor.security.beta.kubernetes.io/other': 'runtime/default',
      }),
      [
        'metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "/x": must be a relative path',
        'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/main: Invalid value: "some": must be a valid seccomp profile',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: Invalid value: "some": invalid AppArmor profile name: "some"',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "other": container not found',
      ],
    );
  });

  it('wants them to say what the fields say', () => {
    const annotations = {
      'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
      'container.apparmor.security.beta.kubernetes.io/main': 'localhost/a',
    };
    const securityContext = {
      seccompProfile: { type: 'RuntimeDefault' },
      appArmorProfile: { type: 'Localhost', localhostProfile: 'b' },
    };
    assert.deepEqual(annotated(annotations, { securityContext }), [
      'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match',
    ]);
  });

  it('wants the same of a template', () => {
    const annotations = { 'container.seccomp.security.alpha.kubernetes.io/main': 'unconfined' };
    const containers = [{ name: 'main', image: 'x', securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }];
    const { metadata, spec } = podOf({ containers }, { annotations });
    assert.ok(metadata !== undefined && spec !== undefined);
    assert.deepEqual(validatePodTemplate({ metadata, spec }, ['spec', 'template']).map(fieldErrorText), [
      'spec.template.spec.containers[0].securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
    ]);
  });

  it('wants owners to have a version', () => {
    const owner = (apiVersion: string): string[] =>
      creationTexts({}, { ownerReferences: [{ apiVersion, kind: 'A', name: 'a', uid: 'u' }] });
    assert.deepEqual(owner('apps/v1'), []);
    for (const apiVersion of ['', 'apps/', 'a/b/c']) {
      assert.deepEqual(owner(apiVersion), [
        `metadata.ownerReferences.apiVersion: Invalid value: "${apiVersion}": version must not be empty`,
      ]);
    }
  });

  it('refuses resource claims of mirror pods', () => {
    const spec = { nodeName: 'n', resourceClaims: [{ name: 'gpu', resourceClaimName: 'c' }] };
    assert.deepEqual(annotated({ 'kubernetes.io/config.mirror': 'x' }, spec), [
      '[]: Forbidden: static pods do not support resource claims',
    ]);
  });
});

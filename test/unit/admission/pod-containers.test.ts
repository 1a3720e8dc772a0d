import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { creationTexts } from './judged.ts';

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function ofContainer(fields: JsonObject, spec: JsonObject = {}): string[] {
  return creationTexts({ ...spec, containers: [{ name: 'main', image: 'x', ...fields }] }).map((text) =>
    text.replace('spec.containers[0].', ''),
  );
}

describe('validatePod: environment', () => {
  const ofVariable = (fields: JsonObject): string[] =>
    ofContainer({ env: [{ name: 'A', ...fields }] }).map((text) => text.replace('env[0].', ''));

  it('takes any printable name without an equals sign', () => {
    assert.deepEqual(ofContainer({ env: [{ name: 'my key:1' }, { name: 'A=B' }, { name: 'ä' }, {}] }), [
      `env[1].name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      `env[2].name: Invalid value: "ä": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      'env[3].name: Required value',
    ]);
  });

  it('wants exactly one source, and no value beside it', () => {
    const none =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    const fieldRef = { fieldPath: 'metadata.name' };
    const secretKeyRef = { name: 's', key: 'k' };
    assert.deepEqual(ofVariable({ valueFrom: {} }), [`valueFrom: Invalid value: "": ${none}`]);
    const notFound = 'valueFrom.fileKeyRef.volumeName: Not found:';
    assert.deepEqual(ofVariable({ valueFrom: { fileKeyRef: { key: 'k', path: '/p', volumeName: 'v' } } }), [
      `${notFound} "v"`,
    ]);
    assert.deepEqual(ofVariable({ valueFrom: { fileKeyRef: { key: 'k', path: '../p', volumeName: '' } } }), [
      'valueFrom.fileKeyRef.volumeName: Required value',
      `valueFrom.fileKeyRef.path: Invalid value: "../p": must not contain '..'`,
      `${notFound} ""`,
    ]);
    assert.deepEqual(ofVariable({ valueFrom: { fieldRef, secretKeyRef } }), [
      'valueFrom: Invalid value: "": may not have more than one field specified at a time',
    ]);
    assert.deepEqual(ofVariable({ value: 'x', valueFrom: { fieldRef } }), [
      'valueFrom: Invalid value: "": may not be specified when `value` is not empty',
    ]);
  });

  it('judges references to fields', () => {
    const field = (fieldPath: string, apiVersion = 'v1'): string[] =>
      ofVariable({ valueFrom: { fieldRef: { apiVersion, fieldPath } } }).map((text) => text.replace('valueFrom.', ''));
    const supported =
      'supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"';
    assert.deepEqual(field('spec.host'), []);
    assert.deepEqual(field("metadata.annotations['Example.COM/a']"), []);
    assert.deepEqual(field(''), ['fieldRef.fieldPath: Required value']);
    assert.deepEqual(field('spec.replicas'), [
      'fieldRef.fieldPath: Invalid value: "spec.replicas": error converting fieldPath: field label not supported: spec.replicas',
    ]);
    assert.deepEqual(field('status.phase'), [`fieldRef.fieldPath: Unsupported value: "status.phase": ${supported}`]);
    assert.deepEqual(field("metadata.name['x']"), [
      `fieldRef.fieldPath: Invalid value: "metadata.name['x']": error converting fieldPath: field label does not support subscript: metadata.name['x']`,
    ]);
    assert.match(field("metadata.labels['a b']")[0] ?? '', /^fieldRef: Invalid value: "a b": name part must consist/);
    assert.deepEqual(field('metadata.name', 'v2'), [
      'fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
    ]);
  });

  it('judges references to resources, and their divisors', () => {
    const resource = (name: string, divisor = '0'): string[] =>
      ofVariable({ valueFrom: { resourceFieldRef: { resource: name, divisor } } }).map((text) =>
        text.replace('valueFrom.resourceFieldRef.', ''),
      );
    assert.deepEqual(resource('limits.cpu', '0.001'), []);
    assert.deepEqual(resource('requests.hugepages-2Mi', '1Mi'), []);
    assert.deepEqual(resource(''), ['resource: Required value']);
    assert.deepEqual(resource('cpu'), [
      'resource: Unsupported value: "cpu": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
    ]);
    const bytes =
      "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the";
    assert.deepEqual(resource('limits.memory', '2Mi'), [
      `divisor: Invalid value: "limits.memory": ${bytes} memory resource`,
    ]);
    assert.deepEqual(resource('limits.ephemeral-storage', '1m'), [
      `divisor: Invalid value: "limits.ephemeral-storage": ${bytes} local ephemeral storage resource`,
    ]);
    assert.deepEqual(resource('limits.hugepages-2Mi', '3'), [
      `divisor: Invalid value: "limits.hugepages-2Mi": ${bytes} hugepages resource`,
    ]);
  });

  it('judges keys of ConfigMaps and Secrets', () => {
    assert.deepEqual(ofVariable({ valueFrom: { configMapKeyRef: { key: '..k' } } }), [
      `valueFrom.configMapKeyRef.name: Invalid value: "": ${subdomain}`,
      'valueFrom.configMapKeyRef.key: Invalid value: "..k": must not start with \'..\'',
    ]);
    assert.deepEqual(ofVariable({ valueFrom: { secretKeyRef: { name: 's' } } }), [
      'valueFrom.secretKeyRef.key: Required value',
    ]);
  });

  it('judges whole sources', () => {
    const envFrom = [
      { configMapRef: { name: 'ends-in-dash-' }, prefix: 'A=' },
      { configMapRef: {}, secretRef: { name: 's' } },
      {},
    ];
    assert.deepEqual(ofContainer({ envFrom }), [
      `envFrom[0].prefix: Invalid value: "A=": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      'envFrom[1].configMapRef.name: Required value',
      'envFrom: Invalid value: "": may not have more than one field specified at a time',
      'envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
    ]);
  });
});

describe('validatePod: probes and lifecycle handlers', () => {
  it('wants exactly one handler', () => {
    assert.deepEqual(
      ofContainer({ livenessProbe: {}, readinessProbe: { tcpSocket: { port: 80 }, grpc: { port: 81 } } }),
      [
        'livenessProbe: Required value: must specify a handler type',
        'readinessProbe.grpc: Forbidden: may not specify more than 1 handler type',
      ],
    );
  });

  it('judges the handler', () => {
    assert.deepEqual(ofContainer({ startupProbe: { exec: { command: [] } } }), [
      'startupProbe.exec.command: Required value',
    ]);
    assert.deepEqual(ofContainer({ livenessProbe: { httpGet: { port: 'web' } } }), []);
    const httpGet = { port: '8080', scheme: 'http', httpHeaders: [{ name: 'X Y' }] };
    assert.deepEqual(ofContainer({ livenessProbe: { httpGet } }), [
      'livenessProbe.httpGet.port: Invalid value: "8080": must contain at least one letter (a-z)',
      'livenessProbe.httpGet.scheme: Unsupported value: "http": supported values: "HTTP", "HTTPS"',
      `livenessProbe.httpGet.httpHeaders: Invalid value: "X Y": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`,
    ]);
    assert.deepEqual(ofContainer({ livenessProbe: { grpc: { port: 70000 } } }), [
      'livenessProbe.grpc.port: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ]);
  });

  it('judges the numbers', () => {
    const exec = { command: ['true'] };
    assert.deepEqual(
      ofContainer({
        livenessProbe: { exec, successThreshold: 2, periodSeconds: -1, terminationGracePeriodSeconds: 0 },
      }),
      [
        'livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
        'livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0',
        'livenessProbe.successThreshold: Invalid value: 2: must be 1',
      ],
    );
    assert.deepEqual(ofContainer({ readinessProbe: { exec, successThreshold: 2, terminationGracePeriodSeconds: 5 } }), [
      'readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes',
    ]);
  });

  it('measures sleep by the grace period', () => {
    const lifecycle = { preStop: { sleep: { seconds: 31 } }, postStart: { sleep: { seconds: 0 } } };
    assert.deepEqual(ofContainer({ lifecycle }), [
      'lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
    ]);
    assert.deepEqual(ofContainer({ lifecycle }, { terminationGracePeriodSeconds: 60 }), []);
  });
});

describe('validatePod: security contexts', () => {
  it('judges profiles', () => {
    const profiles = (type: string, localhostProfile?: string): string[] => {
      const profile = { type, ...(localhostProfile === undefined ? {} : { localhostProfile }) };
      return ofContainer({ securityContext: { seccompProfile: profile, appArmorProfile: profile } }).map((text) =>
        text.replace('securityContext.', ''),
      );
    };
    assert.deepEqual(profiles('Localhost', 'a/b'), []);
    assert.deepEqual(profiles('Localhost'), [
      'seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
      'appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost',
    ]);
    assert.deepEqual(profiles('Localhost', ' /a'), [
      'appArmorProfile.localhostProfile: Invalid value: " /a": must not be padded with whitespace',
    ]);
    assert.deepEqual(profiles('', 'a'), [
      'seccompProfile.type: Required value: type is required when seccompProfile is set',
      'seccompProfile.localhostProfile: Invalid value: {"type":"","localhostProfile":"a"}: can only be set when seccomp type is Localhost',
      'appArmorProfile.type: Required value: type is required when appArmorProfile is set',
    ]);
    assert.deepEqual(profiles('RuntimeDefault', 'a').slice(1), [
      'appArmorProfile.localhostProfile: Invalid value: "a": can only be set when AppArmor type is Localhost',
    ]);
    assert.deepEqual(profiles('Any').slice(0, 1), [
      'seccompProfile.type: Unsupported value: "Any": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    ]);
  });

  it('judges users, escalation and the proc mount', () => {
    const securityContext = {
      runAsUser: -1,
      runAsGroup: 2 ** 32,
      procMount: 'Unmasked',
      allowPrivilegeEscalation: false,
      privileged: true,
      capabilities: { add: ['CAP_SYS_ADMIN'] },
    };
    const texts = ofContainer({ securityContext }).map((text) => text.replace(/value: \{.*\}/, 'value: …'));
    assert.deepEqual(texts, [
      'securityContext.runAsUser: Invalid value: -1: must be between 0 and 4294967295, inclusive',
      'securityContext.runAsGroup: Invalid value: 4294967296: must be between 0 and 4294967295, inclusive',
      'securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
      'securityContext: Invalid value: …: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
      'securityContext: Invalid value: …: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
    ]);
    assert.deepEqual(ofContainer({ securityContext: { procMount: 'Unmasked' } }, { hostUsers: false }), []);
  });

  it('judges the names of Windows users', () => {
    const user = (runAsUserName: string): string[] =>
      ofContainer({ securityContext: { windowsOptions: { runAsUserName } } }).map((text) => text.replace(/^.*": /, ''));
    assert.deepEqual(user('DOMAIN\\user'), []);
    assert.deepEqual(user('a\\b\\c'), ['runAsUserName cannot contain more than one backslash']);
    assert.deepEqual(user('.x\\'), [
      "runAsUserName's Domain doesn't match the NetBios nor the DNS format",
      "runAsUserName's User cannot be empty",
    ]);
    assert.deepEqual(user('. .'), ["runAsUserName's User cannot contain only periods or spaces"]);
    assert.deepEqual(user('a@b'), ['runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]']);
  });
});

describe('validatePod: ephemeral containers', () => {
  it('judges them as containers that can do little, and refuses them', () => {
    const debug = {
      name: 'main',
      image: ' x',
      targetContainerName: 'other',
      ports: [{ containerPort: 80 }],
      resources: {},
      volumeMounts: [{ name: 'a', mountPath: '/a', subPath: 'x' }],
    };
    assert.deepEqual(creationTexts({ volumes: [{ name: 'a' }], ephemeralContainers: [debug] }), [
      'spec.ephemeralContainers[0].image: Invalid value: " x": must not have leading or trailing whitespace',
      'spec.ephemeralContainers[0].name: Duplicate value: "main"',
      'spec.ephemeralContainers[0].targetContainerName: Not found: "other"',
      'spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers[0].volumeMounts[0].subPath: Forbidden: cannot be set for an Ephemeral Container',
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ]);
  });
});

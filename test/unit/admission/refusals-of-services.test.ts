import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { object, since136, judged, before136 } from './judged-documents.ts';

// Source: ValidateServiceCreate in pkg/apis/core/validation/validation.go, KEP-5311
describe('the name of a service', () => {
  const service = object('v1', 'Service', { spec: { clusterIP: 'None' } }, { name: '1a' });
  judged([
    [
      'begins with a letter',
      service,
      [
        "metadata.name: Invalid value: \"1a\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
      before136,
    ],
    ['begins with a digit, too', service, [], since136],
  ]);
});

// Source: validateService in pkg/apis/core/validation/validation.go
describe('a service', () => {
  const service = (spec: JsonObject): JsonObject => object('v1', 'Service', { spec });
  const port = { port: 80 };
  const ofBalancers = "Forbidden: may only be used when `type` is 'LoadBalancer'";
  judged([
    ['has ports', service({}), ['spec.ports: Required value']],
    ['has none where each pod is told by its name', service({ clusterIP: 'None' }), []],
    [
      'of several ports each has a name, and one that no other has',
      service({ ports: [port, { name: 'A_', port: 0 }, { name: 'a', port: 81 }, { name: 'a', port: 82 }] }),
      [
        'spec.ports[0].name: Required value',
        'spec.ports[1].name: Invalid value: "A_"',
        'spec.ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[1].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[3].name: Duplicate value: "a"',
      ],
    ],
    [
      'does not listen twice',
      service({
        ports: [
          { name: 'a', ...port },
          { name: 'b', ...port, targetPort: 'x--y' },
          { name: 'c', ...port, protocol: 'UDP' },
        ],
      }),
      [
        'spec.ports[1].targetPort: Invalid value: "x--y": must not contain consecutive hyphens',
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ],
    ],
    [
      'of a type that there is not',
      service({ type: 'Ingress', ports: [{ ...port, protocol: 'http', appProtocol: '!' }], sessionAffinity: 'Cookie' }),
      [
        'spec.ports[0].protocol: Unsupported value: "http": supported values: "SCTP", "TCP", "UDP"',
        'spec.ports[0].appProtocol: Invalid value: "!"',
        'spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"',
        'spec.type: Unsupported value: "Ingress": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      'without an address is not reached from outside',
      service({ type: 'NodePort', clusterIP: 'None', ports: [port] }),
      ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
    ],
    [
      'that is a name has no address',
      service({ type: 'ExternalName', clusterIP: '10.0.0.1', externalName: '.' }),
      ['spec.clusterIPs: Forbidden: may not be set for ExternalName services', 'spec.externalName: Required value'],
    ],
    ['is a name with a dot at its end', service({ type: 'ExternalName', externalName: 'a.example.' }), []],
    [
      'of the cluster alone',
      service({
        ports: [{ ...port, nodePort: 30_080 }],
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_081,
        loadBalancerSourceRanges: ['10.0.0.0/33'],
        allocateLoadBalancerNodePorts: false,
        loadBalancerClass: 'a',
      }),
      [
        "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
        `spec.LoadBalancerSourceRanges: ${ofBalancers}`,
        'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        `spec.allocateLoadBalancerNodePorts: ${ofBalancers}`,
        `spec.loadBalancerClass: ${ofBalancers}`,
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
        "spec.healthCheckNodePort: Invalid value: 30081: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      'of all nodes',
      service({
        type: 'LoadBalancer',
        ports: [
          { name: 'a', ...port, nodePort: 30_080 },
          { name: 'b', port: 81, nodePort: 30_080 },
        ],
        externalTrafficPolicy: 'Near',
        internalTrafficPolicy: 'Near',
        trafficDistribution: 'Near',
        externalIPs: ['10.0.0'],
        loadBalancerClass: '!',
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } },
      }),
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
        'spec.externalIPs[0]: Invalid value: "10.0.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.ports[1].nodePort: Duplicate value: 30080',
        'spec.loadBalancerClass: Invalid value: "!"',
        'spec.externalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
        'spec.internalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
        'spec.trafficDistribution: Unsupported value: "Near": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
      ],
    ],
  ]);
});

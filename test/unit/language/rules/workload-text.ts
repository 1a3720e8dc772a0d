export const high = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 1000
`;

interface WorkloadParts {
  readonly kind?: 'Deployment' | 'DaemonSet';
  readonly namespace?: string;
  readonly replicas?: number;
  /** Further lines of the pods' spec, without indentation. */
  readonly spec?: readonly string[];
}

/** A workload that takes its labels and its image from its name, which may be marked. */
export function workload(
  name: string,
  { kind = 'Deployment', namespace = 'default', replicas, spec = [] }: WorkloadParts = {},
): string {
  const bare = name.replace(/[‹›]/g, '');
  return [
    `apiVersion: apps/v1`,
    `kind: ${kind}`,
    `metadata: { name: ${name}, namespace: ${namespace} }`,
    `spec:`,
    ...(replicas === undefined ? [] : [`  replicas: ${replicas}`]),
    `  selector: { matchLabels: { app: ${bare} } }`,
    `  template:`,
    `    metadata: { labels: { app: ${bare} } }`,
    `    spec:`,
    ...spec.map((line) => `      ${line}`),
    `      containers: [{ name: a, image: a }]`,
    ``,
  ].join('\n');
}

export const node = (name: string, labels: string, spec = '{}'): string => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { ${labels} } }
spec: ${spec}
---
`;

export const classHigh = 'priorityClassName: high';

/** A required term of affinity or anti-affinity; the marks say what is expected to be underlined. */
export function term(
  kind: 'podAffinity' | 'podAntiAffinity',
  app: string,
  parts: { readonly selector?: string; readonly key?: string } = {},
): string {
  const { selector = 'labelSelector', key = 'kubernetes.io/hostname' } = parts;
  return `affinity: { ${kind}: { requiredDuringSchedulingIgnoredDuringExecution: [{ ${selector}: { matchLabels: { app: ${app} } }, topologyKey: ${key} }] } }`;
}

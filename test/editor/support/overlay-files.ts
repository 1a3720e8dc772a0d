const kustomization = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';

const node = (name: string): string => `apiVersion: v1
kind: Node
metadata:
  name: ${name}
status:
  allocatable: {cpu: "4", memory: 8Gi, pods: "20"}
`;

const batch = (name: string, on: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  namespace: batch
spec:
  nodeName: ${on}
  containers:
    - name: main
      image: batch:1
      resources:
        requests: {cpu: 1500m}
`;

/** Path → text. */
export const overlayFiles: Readonly<Record<string, string>> = {
  'cluster/nodes.yaml': [node('node-a'), node('node-b')].join('---\n'),
  'cluster/running.yaml': [batch('index-1', 'node-a'), batch('index-2', 'node-b')].join('---\n'),
  'base/kustomization.yaml': `${kustomization}resources:\n  - classes.yaml\n  - web.yaml\n`,
  'base/classes.yaml': `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: shop-critical
value: 100000
`,
  'base/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      priorityClassName: shop-critical
      containers:
        - name: web
          image: registry.example/web:7
          resources:
            requests: {cpu: "1"}
`,
  'overlays/prod/kustomization.yaml': `${kustomization}namespace: shop
resources:
  - ../../base
replicas:
  - name: web
    count: 7
`,
  'overlays/staging/kustomization.yaml': `${kustomization}namespace: shop-staging\nresources:\n  - ../../base\n`,
  'charts/cart/Chart.yaml': 'apiVersion: v2\nname: cart\nversion: 1.0.0\n',
  'charts/cart/values.yaml': `replicas: -1
image: registry.example/cart:3

resources:
  cpu: 100m
  memory: 64Mi
`,
  'charts/cart/templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {app: cart}
  template:
    metadata:
      labels: {app: cart}
    spec:
      containers:
        - name: cart
          image: {{ .Values.image }}
          resources:
            requests:
              cpu: {{ .Values.resources.cpu }}
              memory: {{ .Values.resources.memory }}
`,
};

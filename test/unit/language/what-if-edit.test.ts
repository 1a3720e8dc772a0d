import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TextDocumentEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Facts } from '../../../server/src/language/index/facts.ts';
import { whatIfEdit } from '../../../server/src/language/simulate/what-if-edit.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import { applyOperation, parseOperation, type Operation } from '../../../server/src/simulation/index.ts';

const uri = 'file:///a.yaml';

const app = `# The shop.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app # its name
  namespace: shop
spec:
  replicas: 3 # enough
  selector: { matchLabels: { app: app } }
  template:
    metadata: { labels: { app: app } }
    spec:
      priorityClassName: low
      priority: 10
      containers:
        - name: app
          image: app
`;
const flow = `{ "apiVersion": "batch/v1", "kind": "Job", "metadata": { "name": "j", "namespace": "shop" },
  "spec": { "template": { "spec": { "containers": [{ "name": "a", "image": "a", "resources": { "requests": { "cpu": "1" } } }] } } } }
`;
const others = `apiVersion: v1
kind: Node
metadata: { name: node-1 }
---
apiVersion: v1
kind: Pod
metadata: { name: gated, namespace: shop }
spec:
  schedulingGates:
    - name: wait/for-it
  containers: [{ name: a, image: a }]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: b, namespace: shop }
spec:
  minAvailable: 2
  selector: {}
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: q, namespace: shop }
spec:
  hard:
    requests.cpu: "4" # cores
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: low }
value: 10 # the least
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 100
`;

const pools = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: general }
spec:
  limits:
    cpu: "100" # cores
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineDeployment
metadata:
  name: workers
  annotations:
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "0"
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "5"
---
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: { name: c, region: eu-west-1 }
managedNodeGroups:
  - { name: ng-1, minSize: 0, maxSize: 2 }
  - { name: ng-2, minSize: 0, maxSize: 3 }
`;

function factsOf(text: string): Facts {
  const facts = new Facts();
  facts.setFile(uri, parseManifestFile(uri, text));
  return facts;
}

/** The text after the edit, or the reason why there is none. */
function applied(text: string, operation: string): string {
  const { edit, note } = whatIfEdit(operation, factsOf(text));
  if (edit === null) return note;
  const document = TextDocument.create(uri, 'yaml', 0, text);
  const edits = edit.documentChanges.flatMap((change) => (change as TextDocumentEdit).edits);
  return TextDocument.applyEdits(document, edits as never);
}

const objectsOf = (text: string) =>
  parseManifestFile(uri, text).documents.flatMap(({ document }) => document.objects.map((each) => each.decoded.object));

/** Without prototypes, as JSON has it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const cases: readonly (readonly [string, string, RegExp])[] = [
  [app, 'scale deployment/shop/app 5', /^ {2}replicas: 5 # enough$/m],
  [app.replace('  replicas: 3 # enough\n', ''), 'scale deployment/shop/app 5', /^ {2}replicas: 5$/m],
  [
    app.replaceAll('\n', '\r\n'),
    'request deployment/shop/app cpu=200m memory=1Gi',
    /image: app\r\n {10}resources:\r\n {12}requests:\r\n {14}cpu: 200m\r\n {14}memory: 1Gi\r\n/,
  ],
  [flow, 'request job/shop/j cpu=200m memory=1Gi', /"cpu": "200m", "memory": "1Gi"/],
  [app, 'tolerate deployment/shop/app dedicated=db:NoSchedule', /^ {6}tolerations:$/m],
  [flow, 'tolerate job/shop/j dedicated=db:NoSchedule', /"tolerations": \[\{ "key": "dedicated"/],
  [others, 'ungate pod/shop/gated', /^spec:\n {2}containers/m],
  [others, 'budget pdb/shop/b minAvailable=1', /^ {2}minAvailable: 1$/m],
  [others, 'budget pdb/shop/b maxUnavailable=50%', /^ {2}maxUnavailable: "50%"$/m],
  [
    others,
    'budget pdb/shop/b unhealthyPodEvictionPolicy=AlwaysAllow',
    /^ {2}unhealthyPodEvictionPolicy: AlwaysAllow$/m,
  ],
  [others, 'quota quota/shop/q requests.cpu=4500m pods=20', /^ {4}requests.cpu: "4500m" # cores\n {4}pods: "20"$/m],
  [pools, 'limit nodepool/general cpu=200 nodes=9', /^ {4}cpu: "200" # cores\n {4}nodes: "9"$/m],
  [pools, 'limit machinedeployment/workers nodes=7', /max-size: "7"$/m],
  [pools, 'limit nodegroup/ng-2 nodes=6', /name: ng-2, minSize: 0, maxSize: 6 /],
  [others, 'class agents value=11', /^metadata:\n {2}name: agents\nvalue: 11$/m],
  [others, 'class low value=150', /^value: 150 # the least$/m],
  [others, 'class low preemptionPolicy=Never', /^preemptionPolicy: Never$/m],
  [others, 'cordon node/node-1', /^spec:\n {2}unschedulable: true$/m],
  [others, 'label node/node-1 disk=ssd', /"?labels"?: /],
  [others, 'taint node/node-1 dedicated=db:NoSchedule', /"?taints"?:/],
  [others, 'remove pdb/shop/b', /^(?![\s\S]*PodDisruptionBudget)/],
  [others, 'delete pod/shop/gated', /^(?![\s\S]*gated)/],
];

describe('the edit of a what-if', () => {
  for (const [text, operation, expected] of cases) {
    it(`makes true of the manifests what '${operation}' does to the model, and keeps the rest`, () => {
      const edited = applied(text, operation);
      assert.match(edited, expected);
      const after = parseManifestFile(uri, edited);
      assert.deepEqual(
        after.documents.flatMap(({ document }) => document.problems),
        [],
      );
      const branch = applyOperation(
        { workspace: objectsOf(text).map((object) => ({ object })), snapshot: [] },
        parseOperation(operation) as Operation,
      );
      assert.deepEqual(plain(objectsOf(edited)), plain(branch.input.workspace.map(({ object }) => object)));
      for (const comment of text.match(/# .*/g) ?? []) assert.ok(edited.includes(comment.trim()));
    });
  }

  it('takes a number out of the way of a class that is named', () => {
    const edited = applied(others.replace(/^[\s\S]*$/, `${app}---\n${others}`), 'priority deployment/shop/app high');
    assert.match(edited, /priorityClassName: high\n {6}containers:/);
    assert.doesNotMatch(edited, /priority: 10/);
  });

  it('says what the API server does with it', () => {
    assert.match(whatIfEdit('class low value=5', factsOf(others)).note, /delete the class and create it again/);
    assert.match(whatIfEdit('request job/shop/j cpu=2', factsOf(flow)).note, /delete the Job and create it again/);
  });

  for (const [operation, expected] of [
    ['add 2 nodes like node-1', /not by a manifest/],
    ['drain node/node-1', /kubectl drain node-1/],
    ['remove node/node-1', /not by a manifest/],
    ['scale deployment/shop/nobody 1', /Deployment shop\/nobody is not written in the workspace/],
    ['uncordon node/node-1', /nothing to write/],
    ['explode node/node-1', /unknown operation/],
  ] as const) {
    it(`writes nothing for '${operation}', and says why`, () => {
      assert.match(applied(others, operation), expected);
    });
  }

  it('leaves a snapshot alone', () => {
    const facts = new Facts();
    facts.cluster.set(parseManifestFile(uri, others));
    assert.match(whatIfEdit('cordon node/node-1', facts).note, /in the cluster snapshot, which is only read/);
  });
});

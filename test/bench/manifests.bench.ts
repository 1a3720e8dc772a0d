/**
 * What reading manifests costs: `npx tsx test/bench/manifests.bench.ts`. Prints medians and 95th percentiles in
 * milliseconds.
 */
import type { ManifestFile } from '../../server/src/manifests/manifest.ts';
import { outputLimits } from '../../server/src/manifests/limits.ts';
import { looksLikeKubernetes } from '../../client/src/kubernetes-text.ts';
import { parseManifestFile } from '../../server/src/manifests/parse-manifest-file.ts';

function deployment(index: number): string[] {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: service-${index}
  namespace: team-${index % 7}
  labels:
    app: service-${index}
spec:
  replicas: ${1 + (index % 5)}
  selector:
    matchLabels: {app: service-${index}}
  template:
    metadata:
      labels: {app: service-${index}}
    spec:
      priorityClassName: tier-${index % 4}
      containers:
      - name: main
        image: "registry.example/service-${index}:1.0"
        # Kept small on purpose.
        resources:
          requests: {cpu: 250m, memory: 128Mi}
          limits:
            memory: 256Mi`.split('\n');
}

function manyDocuments(lines: number): string {
  const text: string[] = [];
  for (let i = 0; text.length < lines; i++) text.push('---', ...deployment(i));
  return `${text.join('\n')}\n`;
}

function oneList(lines: number): string {
  const text = ['apiVersion: v1', 'kind: List', 'items:'];
  for (let i = 0; text.length < lines; i++) {
    deployment(i).forEach((line, at) => text.push(at === 0 ? `- ${line}` : `  ${line}`));
  }
  return `${text.join('\n')}\n`;
}

function jsonList(objects: number): string {
  const items = [];
  for (let i = 0; i < objects; i++) {
    items.push({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `pod-${i}`, namespace: `team-${i % 7}`, labels: { app: `service-${i}` }, uid: `uid-${i}` },
      spec: {
        nodeName: `node-${i % 100}`,
        priority: i % 1000,
        containers: [{ name: 'main', image: 'registry.example/main:1.0', resources: { requests: { cpu: '250m' } } }],
        tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', tolerationSeconds: 300 }],
      },
      status: { phase: 'Running', startTime: '2024-05-01T10:00:00Z' },
    });
  }
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 4);
}

function measure(name: string, rounds: number, run: (round: number) => void): void {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    run(round);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)]!.toFixed(2);
  const p95 = times[Math.min(times.length - 1, Math.floor(times.length * 0.95))]!.toFixed(2);
  process.stdout.write(`${name.padEnd(52)} median ${median.padStart(9)}   p95 ${p95.padStart(9)}\n`);
}

function measureEdits(name: string, text: string, rounds: number): void {
  let file: ManifestFile = parseManifestFile('file:///bench.yaml', text, 1);
  const at = text.indexOf('priorityClassName: tier', Math.floor(text.length / 2)) + 'priorityClassName: tier'.length;
  measure(name, rounds, (round) => {
    const edited = text.slice(0, at) + 'x'.repeat((round % 40) + 1) + text.slice(at);
    file = parseManifestFile('file:///bench.yaml', edited, round, file);
  });
}

for (const lines of [10_000, 50_000]) {
  const documents = manyDocuments(lines);
  measure(`${lines} lines in documents: first reading`, 5, () => parseManifestFile('file:///bench.yaml', documents));
  measureEdits(`${lines} lines in documents: after one edit`, documents, 100);
  const list = oneList(lines);
  measure(`${lines} lines in one List: first reading`, 5, () => parseManifestFile('file:///bench.yaml', list));
  measureEdits(`${lines} lines in one List: after one edit`, list, 30);
}
const json = jsonList(11_000);
const megabytes = (json.length / 1024 / 1024).toFixed(0);
measure(`${megabytes} MB of JSON, as kubectl prints it`, 5, () =>
  parseManifestFile('file:///snapshot.json', json, null, undefined, outputLimits),
);

// What would take long if anything were not linear.
const pod = (...fields: readonly string[]): string => ['apiVersion: v1', 'kind: Pod', ...fields].join('\n');
const keys = Array.from({ length: 20_000 }, (_, index) => `key-${index}: 1`);
const wide = Array.from({ length: 2000 }, (_, index) => `k${index}: 1`).join(', ');
const merges = Array.from({ length: 2000 }, (_, index) => `m${index}: {<<: *w}`);
const spaces = `apiVersion${' '.repeat(1_000_000)}\n`.repeat(4);
const hostile = { '20,000 keys': pod(...keys, 'key-7: 2'), 'a bomb of merge keys': pod(`w: &w {${wide}}`, ...merges) };
for (const [name, text] of Object.entries(hostile)) {
  measure(name, 5, () => parseManifestFile('file:///bench.yaml', text));
}
measure('4 MB of spaces, looked at for a manifest', 5, () => looksLikeKubernetes(spaces));

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { codeLenses } from '../../../server/src/language/lenses/lens-places.ts';
import { hover } from '../../../server/src/language/hovers/hover.ts';
import { TestWorkspace } from './test-workspace.ts';

interface Part {
  readonly name: string;
  readonly kind: 'Deployment' | 'DaemonSet' | 'PriorityClass' | 'PodDisruptionBudget' | 'comment';
  readonly className: string;
  readonly label: string;
  readonly value: number;
  readonly image: string;
}

const part: fc.Arbitrary<Part> = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  kind: fc.constantFrom(
    'Deployment',
    'Deployment',
    'Deployment',
    'DaemonSet',
    'PriorityClass',
    'PodDisruptionBudget',
    'comment',
  ),
  className: fc.constantFrom('a', 'b'),
  label: fc.constantFrom('x', 'y'),
  value: fc.integer({ min: 1, max: 3 }),
  image: fc.constantFrom('one', 'two'),
});

function textOf({ name, kind, className, label, value, image }: Part): string {
  switch (kind) {
    case 'comment':
      return `# ${name}\n`;
    case 'PriorityClass':
      return `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: ${name}\nvalue: ${value}\n`;
    case 'PodDisruptionBudget':
      return `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata:\n  name: ${name}\nspec:\n  minAvailable: ${value}\n  selector: { matchLabels: { app: ${label} } }\n`;
    default:
      return `apiVersion: apps/v1
kind: ${kind}
metadata:
  name: ${name}
spec:
  ${kind === 'Deployment' ? `replicas: ${value}` : 'minReadySeconds: 1'}
  selector: { matchLabels: { app: ${label} } }
  template:
    metadata: { labels: { app: ${label} } }
    spec:
      priorityClassName: ${className}
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - { labelSelector: { matchLabels: { app: ${label} } }, topologyKey: zone }
      containers: [{ name: app, image: ${image} }]
`;
  }
}

interface Edit {
  readonly file: 'one.yaml' | 'two.yaml';
  readonly at: number;
  /** How many documents are taken out. */
  readonly removed: number;
  readonly added: readonly Part[];
}

const edit: fc.Arbitrary<Edit> = fc.record({
  file: fc.constantFrom('one.yaml', 'two.yaml'),
  at: fc.nat(5),
  removed: fc.nat(2),
  added: fc.array(part, { maxLength: 2 }),
});

/** Everything that is answered about the two files. */
function answers(workspace: TestWorkspace): unknown {
  return ['one.yaml', 'two.yaml'].map((path) => {
    const file = workspace.file(path);
    const lines = workspace.text(path).split('\n');
    const hovers = lines.flatMap((line, index) =>
      /^kind:|priorityClassName/.test(line)
        ? [hover(file, { line: index, character: line.length - 1 }, workspace.facts)]
        : [],
    );
    return [workspace.diagnostics(path), codeLenses(file, [{ name: '', facts: workspace.facts }]), hovers];
  });
}

describe('answers after edits', () => {
  it('are those of a server that has read the same files afresh', async function () {
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 5 }),
        fc.array(part, { maxLength: 5 }),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        async (one, two, edits) => {
          const parts = { 'one.yaml': one, 'two.yaml': two };
          const texts = (): Record<string, string> => ({
            'one.yaml': parts['one.yaml'].map(textOf).join('---\n'),
            'two.yaml': parts['two.yaml'].map(textOf).join('---\n'),
          });
          const workspace = await TestWorkspace.of(texts());
          // All edits one after the other: what was worked out is kept for one workspace at a time.
          const steps = [{ files: texts(), told: answers(workspace) }];
          for (const { file, at, removed, added } of edits) {
            parts[file] = parts[file].toSpliced(Math.min(at, parts[file].length), removed, ...added);
            workspace.write(file, texts()[file]!);
            steps.push({ files: texts(), told: answers(workspace) });
          }
          for (const { files, told } of steps) assert.deepEqual(told, answers(await TestWorkspace.of(files)));
        },
      ),
      { numRuns: 150 },
    );
  });
});

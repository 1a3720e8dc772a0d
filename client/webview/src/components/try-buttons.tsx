import { isAlone } from '../alone.ts';
import { workloadOperations } from '../model/operations.ts';
import { usePage } from '../page-context.ts';

/** What can be tried with the selection: the same operations as in the line above the map. */
export function TryButtons() {
  const { report, view, tries, tryOut } = usePage();
  const { selection } = view;
  if (selection === null || isAlone) return null;
  const operations = selection.kind === 'node' ? nodeOperations(report.nodes[selection.node]) : podOperations();
  if (operations.length === 0) return null;
  return (
    <section aria-label="What if" class="try-buttons">
      <h3>What if</h3>
      {operations.map(([label, operation]) => (
        <button
          key={operation}
          type="button"
          class="small-button"
          title={`--what-if '${operation}'`}
          onClick={() => {
            tryOut([...tries.operations, operation]);
          }}
        >
          {label}
        </button>
      ))}
    </section>
  );

  function podOperations(): readonly (readonly [string, string])[] {
    const pod = report.pods[selection?.kind === 'pod' ? selection.pod : -1];
    const workload = report.workloads[pod?.workload ?? -1];
    const node = report.nodes[pod?.after.node ?? pod?.before.node ?? -1];
    if (pod === undefined) return [];
    const classes = report.ladder.flatMap((rung) => rung.classes);
    const own = workload === undefined ? [] : [...workloadOperations(workload, classes)];
    const gate =
      workload !== undefined && pod.after.state === 'gated'
        ? [`ungate ${workload.kind.toLowerCase()}/${workload.namespace}/${workload.name}`]
        : [];
    const budgets = pod.budgets.map((name) => `remove pdb/${name}`);
    return [...gate, ...own, ...budgets].map((text) => [shortened(text), text] as const).concat(nodeOperations(node));
  }
}

function nodeOperations(
  node: { readonly name: string; readonly unschedulable: boolean } | undefined,
): readonly (readonly [string, string])[] {
  if (node === undefined) return [];
  const cordon = node.unschedulable ? 'uncordon' : 'cordon';
  return [
    ['drain its node', `drain node/${node.name} --ignore-daemonsets`],
    [`${cordon} its node`, `${cordon} node/${node.name}`],
    ['remove its node', `remove node/${node.name}`],
    ['+1 node like its node', `add 1 node like ${node.name}`],
  ];
}

/** Without what the drawer says above: `scale 1`, `priority shop-critical`. */
function shortened(operation: string): string {
  const [verb = '', target = '', ...rest] = operation.split(' ');
  if (verb === 'remove') return `remove budget ${target.slice(target.lastIndexOf('/') + 1)}`;
  return [verb === 'scale' ? 'scale to' : verb, ...rest].join(' ');
}

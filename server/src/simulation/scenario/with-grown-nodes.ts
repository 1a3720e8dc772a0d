import { keyOf, nameOf } from '../../kubernetes/names.ts';
import type { Declared } from '../../kubernetes/objects.ts';
import type { FitReport } from '../capacity/fit.ts';
import { growerIn } from '../growth/grower.ts';
import type { Grown, NodesToCome } from '../growth/grown.ts';
import { answersText } from '../growth/pool-answers.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { withDeclaredNodes } from '../operations/apply-operation.ts';
import { endOfRun, grown, startOf } from './simulate-scenario.ts';

/** A cluster in which the nodes have come that autoscalers make for what is declared. */
export interface GrownInput {
  readonly input: SimulationInput;
  readonly nodes: readonly Declared[];
  readonly comes: readonly NodesToCome[];
  /** What pools say of pods that stay pending, by `namespace/name`. */
  readonly advice: Grown['advice'];
}

export function* withGrownNodes(input: SimulationInput): Generator<void, GrownInput> {
  const growth = yield* grown(input, { kind: 'workspace' }, [], {});
  if (growth === undefined) return { input, nodes: [], comes: [], advice: new Map() };
  const events = growth.events.map((event) => ({ ...event, at: 0 }));
  const { start } = startOf(input, events);
  // Where nodes are assumed, adding others writes these down.
  const there = new Set(nodesIn(withDeclaredNodes(input)).map(({ object }) => nameOf(object)));
  const nodes = nodesIn(start).filter(({ object }) => !there.has(nameOf(object)));
  return { input: start, nodes, comes: growth.comes, advice: growth.advice };
}

function nodesIn({ workspace }: SimulationInput): readonly Declared[] {
  return workspace.filter(({ object }) => object.kind === 'Node');
}

/** What autoscalers do for the next pod of a workload, once no node has room for one; undefined where no pool is known. */
export function* nextNode(
  input: SimulationInput,
  { workload, free }: FitReport,
): Generator<void, { readonly makes: boolean; readonly pool: string; readonly text: string } | undefined> {
  const grower = growerIn(input);
  if (grower === undefined || !free.isExact) return undefined;
  const end = yield* endOfRun(input, { kind: 'workspace' }, []);
  const { workloads } = end.simulated;
  const index = workloads.findIndex(
    ({ kind, namespace, name }) => kind === workload.kind && namespace === workload.namespace && name === workload.name,
  );
  const simulated = [...end.run.pods.all()].find((pod) => pod.workload === index);
  if (simulated === undefined) return undefined;
  const like = simulated.pod;
  const named = (name: string) => ({
    ...like,
    metadata: { ...like.metadata, name, uid: `${like.metadata?.name}+${name}` },
  });
  const beside = free.nodes.flatMap(({ node, count }) =>
    Array.from({ length: count }, (_, at) => {
      const pod = named(`${node}+${at}`);
      return { ...pod, spec: { ...pod.spec!, nodeName: node }, status: { phase: 'Running' } };
    }),
  );
  const pod = { ...named('next'), spec: { ...like.spec!, nodeName: '' } };
  const answers = grower.oneMore(input, end, beside, { ...simulated, key: keyOf(pod), pod });
  const [first] = answers;
  return first === undefined ? undefined : { makes: first.makes, pool: first.pool, text: answersText(answers) };
}

/**
 * What a change leads to, in one format for all comparisons: what was changed (the causes of the comparison, by their
 * ids), the steps that differ, each with what brought it about, and who fares differently at which stage.
 */
import {
  type Checked,
  flag,
  index,
  listOf,
  nullOr,
  number,
  oneOf,
  perhaps,
  prose,
  recordOf,
  shape,
  text,
} from './check.ts';
import { figures } from './remedy.ts';

const stage = shape({
  /** `s0`, `s1`. */
  id: text,
  /** `git HEAD`, `now`, `+1 node like general-a`. */
  label: prose,
  /** The last of the operations that are tried up to here; empty where none is. */
  whatIf: text,
  figures,
  /** When nothing moves any more, on the simulated clock. */
  settledSeconds: number,
});

const link = shape({
  /** `k1`, in the order in which they happen. */
  id: text,
  /** Causes (`c1`) or links (`k1`); all of them until then where none can be told apart. */
  by: listOf(text),
  clock: number,
  /** `event`: something that happens to the cluster in motion, as its scenario says. */
  kind: oneOf('event', 'priority', 'scheduled', 'evicts', 'waits'),
  /** With short names: `checkout-1 evicts cart on general-b`. */
  text: prose,
  /** Whose pods it is about, and the victims: `Deployment/shop/cart`. */
  workloads: listOf(text),
  /** `shop/checkout-0`, and the node it is about; empty where it is about none. */
  pod: text,
  node: text,
  /** Of whom it evicts. */
  victims: listOf(text),
});

const effect = shape({
  /** `Deployment/shop/cart`. */
  workload: text,
  name: text,
  /** `restarted`: as many run, and one was evicted or ended otherwise on the way. */
  change: oneOf('worse', 'better', 'restarted', 'moved'),
  /** The causes, and links of kind `event`: each alone would have to be taken back, or `together`, all of them. */
  by: listOf(text),
  together: flag,
  /** At each stage, in order; `ended` counts those that are gone and that nobody evicted. */
  at: listOf(shape({ running: index, of: index, evicted: index, ended: index, pending: index, text: prose })),
});

const amounts = recordOf(number);

/** How a node ends at a stage. */
const nodeState = shape({
  allocatable: amounts,
  /** What its pods ask for; `pods` counts them. */
  used: amounts,
  /** Who was evicted there on the way, by workload. */
  evicted: listOf(shape({ name: text, pods: index })),
  /** Pods that stay first; several of those that stay may stand together, without a name. */
  tiles: listOf(shape({ name: text, look: oneOf('running', 'arrived'), pods: index, requests: amounts })),
});

/** What pods go through, from when to when. */
const laneStage = shape({
  spans: listOf(
    perhaps(shape({ name: text, kind: oneOf('evicted', 'ended', 'waits', 'runs'), start: number, end: number }), {
      /** As pods have it. */
      template: oneOf('old', 'new'),
    }),
  ),
  /** Those past the first forty. */
  more: index,
});

export const plan = shape({
  stages: listOf(stage),
  chain: listOf(link),
  /**
   * The most telling way from a cause to who is hurt: ids of the cause and of its links, and the whole as a line, `class
   * batch-standard 1000 → 150000 ⇒ nightly-report takes general-a ⇒ checkout evicts nightly-report`. Null where nothing
   * follows.
   */
  story: nullOr(shape({ path: listOf(text), text: prose })),
  /** Links past the first hundred. */
  moreLinks: index,
  /** Those that lose by it first. */
  effects: listOf(effect),
  /** Nodes that end otherwise at one stage than at another, and how at each; null where they are not there. */
  nodes: listOf(shape({ name: text, at: listOf(nullOr(nodeState)) })),
  /** Those past the first fifty, and those that end alike. */
  moreNodes: index,
  sameNodes: index,
  /** Nodes and workloads that go through something else at one stage than at another, and what at each. */
  lanes: listOf(
    shape({
      by: oneOf('node', 'workload'),
      /** `general-a`, `Deployment/shop/cart`; and the same as short as on the map. */
      name: text,
      label: text,
      at: listOf(laneStage),
    }),
  ),
});
export type Plan = Checked<typeof plan>;
export type PlanLane = Plan['lanes'][number];
export type PlanNode = Plan['nodes'][number];
export type PlanNodeState = Checked<typeof nodeState>;
export type PlanLink = Checked<typeof link>;
export type PlanEffect = Checked<typeof effect>;

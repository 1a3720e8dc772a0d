import { type Checked, either, flag, index, listOf, nullOr, number, oneOf, prose, shape, text } from './check.ts';

const texts = listOf(text);

const requestShortage = shape({
  claim: text,
  request: text,
  className: text,
  need: number,
  fit: number,
  devices: number,
  obstacles: listOf(
    shape({
      kind: oneOf('capacity', 'class', 'counters', 'error', 'gate', 'node', 'pool', 'selector', 'taint', 'taken'),
      names: texts,
      count: number,
      texts,
    }),
  ),
  instead: texts,
});

/** One thing that keeps a pod from a node. As `scheduler/decision.ts` has them, which says what each field is. */
const blocker = either(
  shape({ kind: oneOf('amount'), resource: text, need: number, free: number, capacity: number }),
  shape({ kind: oneOf('taint'), taints: texts }),
  shape({ kind: oneOf('cordon') }),
  shape({ kind: oneOf('labels'), wanted: texts }),
  shape({ kind: oneOf('node-name'), name: text }),
  shape({ kind: oneOf('port'), ports: texts, pods: texts }),
  shape({
    kind: oneOf('spread'),
    topologyKey: text,
    maxSkew: number,
    domain: text,
    count: number,
    fewest: texts,
    minimum: number,
    domains: number,
    minDomains: number,
  }),
  shape({ kind: oneOf('affinity'), topologyKey: text, selectors: texts, elsewhere: texts }),
  shape({ kind: oneOf('anti-affinity'), topologyKey: text, pods: texts, count: number, theirs: flag }),
  shape({ kind: oneOf('volume'), claim: text, volume: text, wanted: texts }),
  shape({ kind: oneOf('volume-choice'), claim: text, className: text, reason: text }),
  shape({ kind: oneOf('volume-limit'), driver: text, limit: number, used: number, need: number }),
  shape({
    kind: oneOf('claim'),
    claim: text,
    problem: oneOf('missing', 'unbound', 'no-class', 'unknown-class', 'in-use', 'other'),
    names: texts,
  }),
  shape({
    kind: oneOf('device-claim'),
    missing: oneOf('ResourceClaim', 'ResourceClaimTemplate', 'DeviceClass'),
    name: text,
    known: texts,
  }),
  shape({ kind: oneOf('devices-elsewhere'), claim: text, wanted: texts }),
  shape({ kind: oneOf('devices'), requests: listOf(requestShortage), together: number, match: texts, timesOut: flag }),
  shape({ kind: oneOf('gate'), gates: texts }),
  shape({ kind: oneOf('scheduler'), name: text, known: texts }),
  shape({ kind: oneOf('other'), plugin: text, reasons: texts }),
);

const onNodes = shape({ parts: listOf(blocker), nodes: listOf(index) });

/** Why a pod is pending: what would have to go so that the node that is nearest to taking it does. */
export const isCause = shape({
  /** All of them must go. */
  parts: listOf(blocker),
  /** The nearest node; null where it is the same on every node, or there is none. */
  node: nullOr(index),
  /** The nodes that the same kinds of things keep it from. */
  nodes: listOf(index),
  /** The other nodes, by what keeps it from them. */
  others: listOf(onNodes),
  /** Where spreading is in the way: the nodes of the domains with the fewest pods, and what keeps it from the nearest. */
  fewest: nullOr(onNodes),
  /** Pods that would have to be evicted on the nearest node, though it must be placed with them. */
  needs: texts,
  /** Pods that hold more there than they have: a resize that the kubelet defers. */
  resized: texts,
  /** Where what the pod asks for comes from, where its own manifest does not say it. */
  notes: listOf(prose),
  /** The PodGroup that it waits with: what is said of it, and the pod of it that the rest is about. */
  group: nullOr(shape({ text: prose, blocked: text })),
});

export type Cause = Checked<typeof isCause>;
export type CausePart = Cause['parts'][number];

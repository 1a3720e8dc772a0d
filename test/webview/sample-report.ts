/**
 * A report as the simulation makes it, small enough to be read: four nodes, one workload that evicts four pods, of
 * which one finds another place.
 */
import { buildTimeline } from '../../server/src/simulation/report/timeline.ts';
import { answerInSteps } from '../../server/src/simulation/report/answer/build-answer.ts';
import { runToEnd } from '../../server/src/util/steps.ts';
import type { Origin } from '../../server/src/kubernetes/objects.ts';
import {
  type PodPlace,
  type ReportVerdict,
  type WholeReport,
  type ReportComparison,
  type ReportDecision,
  type ReportPod,
  type ReportStep,
  type ReportVictim,
  reportVersion,
} from '../../server/src/report-model/report.ts';
import type { SoFar } from '../../server/src/report-model/so-far.ts';
import { verdictOf } from '../../server/src/report-model/verdict.ts';

/** What a run has decided when a third of it is done. */
export const soFar: SoFar = {
  arriving: 34,
  scheduled: 9,
  pending: 2,
  gated: 1,
  refused: 0,
  undecided: 22,
  evicted: 3,
  headline: 'checkout evicts cart and web so far.',
  victims: [
    { name: 'cart', count: '2 of 2', for: 'for checkout' },
    { name: 'web', count: '1 of 3', for: 'for checkout and 1 more' },
  ],
  moreVictims: 0,
};

const gi = 1024 ** 3;

export function origin(file: string, line: number): Origin {
  return {
    uri: `file:///shop/${file}`,
    range: { start: { line, character: 0 }, end: { line, character: 8 } },
  };
}

const ladder = [
  { priority: 1_000_000, classes: ['platform-critical'], position: 1 },
  { priority: 100_000, classes: ['checkout-high'], position: 0.75 },
  { priority: 1_000, classes: ['default'], position: 0.5 },
  { priority: 100, classes: ['batch-low'], position: 0.25 },
  { priority: -10, classes: ['best-effort'], position: 0 },
];

const workloads = [
  workload('DaemonSet', 'platform', 'ingress', 0, 4),
  workload('Deployment', 'shop', 'checkout', 1, 2),
  workload('Deployment', 'shop', 'web', 2, 3),
  workload('StatefulSet', 'shop', 'cache', 2, 3),
  workload('Job', 'batch', 'train', 3, 3),
  workload('Deployment', 'batch', 'report', 3, 2),
  workload('Deployment', 'batch', 'thumb', 4, 1),
  workload('StatefulSet', 'shop', 'db', 1, 1),
];

function workload(kind: string, namespace: string, name: string, rung: number, replicas: number) {
  return {
    kind,
    namespace,
    name,
    priority: ladder[rung]!.priority,
    className: ladder[rung]!.classes[0]!,
    preemptionPolicy: 'PreemptLowerPriority' as const,
    replicas,
    origin: origin(`${name}.yaml`, 0),
  };
}

const nodeNames = ['node-a', 'node-b', 'node-c', 'node-d'];
const zones = ['zone-a', 'zone-b', 'zone-c', 'zone-c'];
const [a, b, c, d] = [0, 1, 2, 3];

const running = (node: number): PodPlace => ({ state: 'running', node });
const nominated = (node: number): PodPlace => ({ state: 'nominated', node });
const evicted: PodPlace = { state: 'evicted', node: null };
const pending: PodPlace = { state: 'pending', node: null };

interface PodDraft {
  readonly name: string;
  readonly workload: number;
  readonly cpu: number;
  readonly memory: number;
  readonly before: PodPlace;
  readonly after?: PodPlace;
  readonly decision?: number;
  readonly budgets?: readonly string[];
  readonly threats?: readonly number[];
}

const drafts: readonly PodDraft[] = [
  { name: 'ingress-7d4', workload: 0, cpu: 500, memory: 1, before: running(a) },
  { name: 'ingress-9kc', workload: 0, cpu: 500, memory: 1, before: running(b) },
  { name: 'ingress-x2p', workload: 0, cpu: 500, memory: 1, before: running(c) },
  { name: 'ingress-gpu', workload: 0, cpu: 300, memory: 1, before: running(d) },
  { name: 'checkout-1', workload: 1, cpu: 2000, memory: 6, before: pending, after: running(b), decision: 4 },
  { name: 'checkout-2', workload: 1, cpu: 2000, memory: 4, before: pending, after: running(d), decision: 3 },
  { name: 'web-5f6-1', workload: 2, cpu: 800, memory: 3, before: running(a), budgets: ['shop/web'], threats: [1] },
  { name: 'web-5f6-2', workload: 2, cpu: 800, memory: 3, before: running(a), budgets: ['shop/web'], threats: [1] },
  { name: 'web-5f6-3', workload: 2, cpu: 800, memory: 3, before: running(c), budgets: ['shop/web'], threats: [1] },
  { name: 'cache-0', workload: 3, cpu: 400, memory: 2, before: running(a), threats: [1] },
  { name: 'cache-1', workload: 3, cpu: 400, memory: 2, before: running(b) },
  { name: 'cache-2', workload: 3, cpu: 400, memory: 2, before: running(d) },
  { name: 'train-1', workload: 4, cpu: 700, memory: 3, before: running(b), after: evicted },
  { name: 'train-2', workload: 4, cpu: 700, memory: 3, before: running(b), after: evicted },
  { name: 'train-3', workload: 4, cpu: 700, memory: 3, before: running(c), threats: [1, 2] },
  { name: 'report-1', workload: 5, cpu: 600, memory: 2, before: running(a), threats: [1, 2] },
  { name: 'report-2', workload: 5, cpu: 1200, memory: 2, before: running(d), after: evicted },
  { name: 'thumb-7', workload: 6, cpu: 300, memory: 1, before: running(b), after: evicted },
  { name: 'db-0', workload: 7, cpu: 1500, memory: 6, before: running(c) },
  { name: 'train-4', workload: 4, cpu: 700, memory: 3, before: pending, decision: 5 },
  { name: 'thumb-8', workload: 6, cpu: 300, memory: 1, before: pending, after: running(d), decision: 6 },
];

function pod(draft: PodDraft): ReportPod {
  const owner = workloads[draft.workload]!;
  return {
    namespace: owner.namespace,
    name: draft.name,
    workload: draft.workload,
    priority: owner.priority,
    rung: ladder.findIndex(({ priority }) => priority === owner.priority),
    className: owner.className,
    preemptionPolicy: 'PreemptLowerPriority',
    requests: { cpu: draft.cpu, memory: draft.memory * gi },
    share: Math.max(draft.cpu / 4000, draft.memory / 16),
    gracePeriodSeconds: 30,
    before: draft.before,
    after: draft.after ?? draft.before,
    budgets: draft.budgets ?? [],
    origin: origin(`${owner.name}.yaml`, 13),
    decision: draft.decision ?? null,
    threats: draft.threats ?? [],
  };
}

const names = drafts.map(({ name }) => name);
const at = (name: string): number => names.indexOf(name);

const emptyDecision: Omit<ReportDecision, 'pod' | 'kind' | 'node'> = {
  message: '',
  refusals: [],
  afterPreemption: [],
  feasible: [],
  scores: null,
  best: [],
  ineligible: '',
  candidates: [],
  decidedBy: null,
  why: '',
  wouldHelp: [],
  mayVary: false,
};

const refusals = [
  { code: 'Unschedulable' as const, plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu'], nodes: [a, b, c] },
  {
    code: 'UnschedulableAndUnresolvable' as const,
    plugin: 'TaintToleration',
    reasons: ['node(s) had untolerated taint {dedicated: db}'],
    nodes: [d],
  },
];

const candidate = (
  node: number,
  victims: readonly string[],
  pdbViolations: number,
  highest: number,
  sum: number,
  start: string,
) => ({
  node,
  chosen: false,
  victims: victims.map(at),
  pdbViolations,
  highestPriority: highest,
  prioritySum: sum,
  victimCount: victims.length,
  latestStart: `2026-11-20T${start}Z`,
  lostAt: 'pdbViolations' as const,
});

const preemption: ReportDecision = {
  ...emptyDecision,
  pod: at('checkout-1'),
  kind: 'preempts',
  node: b,
  message: '0/4 nodes are available: 1 node(s) had untolerated taint {dedicated: db}, 3 Insufficient cpu.',
  refusals,
  afterPreemption: [{ code: 'Unschedulable', plugin: 'NodeResourcesFit', reasons: ['Insufficient cpu'], nodes: [d] }],
  candidates: [
    candidate(a, ['web-5f6-1', 'web-5f6-2'], 1, 1000, 2000, '08:01:40'),
    { ...candidate(b, ['train-1', 'train-2', 'thumb-7'], 0, 100, 190, '09:14:02'), chosen: true, lostAt: null },
    candidate(c, ['web-5f6-3', 'train-3'], 1, 1000, 1100, '09:12:11'),
  ],
  best: [b],
  decidedBy: 'pdbViolations',
  why: 'Decided by fewest budgets violated: node-b needs 0, node-a and node-c 1 each.',
};

const decisions: readonly ReportDecision[] = [
  preemption,
  {
    ...emptyDecision,
    pod: at('checkout-2'),
    kind: 'preempts',
    node: d,
    message: preemption.message,
    refusals,
    candidates: [{ ...candidate(d, ['report-2'], 0, 100, 100, '09:00:00'), chosen: true, lostAt: null }],
    best: [d],
    why: 'node-d was the only candidate.',
  },
  {
    ...emptyDecision,
    pod: at('train-4'),
    kind: 'unschedulable',
    node: null,
    message: '0/4 nodes are available: 4 Insufficient cpu.',
  },
  { ...emptyDecision, pod: at('checkout-2'), kind: 'fits', node: d, feasible: [d], best: [d] },
  { ...emptyDecision, pod: at('checkout-1'), kind: 'fits', node: b, feasible: [b], best: [b] },
  {
    ...emptyDecision,
    pod: at('train-4'),
    kind: 'unschedulable',
    node: null,
    message:
      '0/4 nodes are available: 4 Insufficient cpu. preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod.',
    refusals: [{ ...refusals[0]!, nodes: [a, b, c, d] }],
    afterPreemption: [
      {
        code: 'Unschedulable',
        plugin: '',
        reasons: ['No preemption victims found for incoming pod'],
        nodes: [a, b, c, d],
      },
    ],
    wouldHelp: ['600m cpu free on any node', 'a higher priority than default (1,000)'],
  },
  {
    ...emptyDecision,
    pod: at('thumb-8'),
    kind: 'fits',
    node: d,
    feasible: [c, d],
    best: [c, d],
    scores: {
      plugins: ['NodeResourcesFit', 'NodeResourcesBalancedAllocation', 'TaintToleration', 'PodTopologySpread'],
      rows: [
        { node: c, scores: [30, 84, 300, 200], total: 614 },
        { node: d, scores: [30, 84, 300, 200], total: 614 },
      ],
    },
    decidedBy: 'tie',
  },
];

const queues = { active: 1, backoff: 0, unschedulable: 1, gated: 0 };
const emptyStep = { victims: [], note: '', decision: null, by: null, changes: [], requested: [], queues };

const terminating = (node: number): PodPlace => ({ state: 'terminating', node });

const steps: readonly ReportStep[] = [
  {
    ...emptyStep,
    clock: 0,
    kind: 'nominated',
    pod: at('checkout-1'),
    node: b,
    victims: [at('train-1'), at('train-2'), at('thumb-7')],
    note: 'evicts train-1, train-2, thumb-7',
    decision: 0,
    changes: [
      { pod: at('checkout-1'), place: nominated(b) },
      ...['train-1', 'train-2', 'thumb-7'].map((name) => ({ pod: at(name), place: terminating(b) })),
    ],
  },
  {
    ...emptyStep,
    clock: 0,
    kind: 'nominated',
    pod: at('checkout-2'),
    node: d,
    victims: [at('report-2')],
    note: 'evicts report-2',
    decision: 1,
    changes: [
      { pod: at('checkout-2'), place: nominated(d) },
      { pod: at('report-2'), place: terminating(d) },
    ],
  },
  {
    ...emptyStep,
    clock: 30,
    kind: 'gone',
    pod: at('train-1'),
    node: null,
    victims: ['train-1', 'train-2', 'thumb-7', 'report-2'].map(at),
    changes: [
      ...['train-1', 'train-2', 'thumb-7', 'report-2'].map((name) => ({ pod: at(name), place: evicted })),
      { pod: at('train-4'), place: pending },
      { pod: at('thumb-8'), place: pending },
    ],
    requested: [
      { node: b, amounts: { cpu: 900, memory: 3 * gi, pods: 2 } },
      { node: d, amounts: { cpu: 700, memory: 3 * gi, pods: 2 } },
    ],
  },
  {
    ...emptyStep,
    clock: 30,
    kind: 'scheduled',
    pod: at('checkout-1'),
    node: b,
    decision: 4,
    changes: [{ pod: at('checkout-1'), place: running(b) }],
    requested: [{ node: b, amounts: { cpu: 2900, memory: 9 * gi, pods: 3 } }],
  },
  {
    ...emptyStep,
    clock: 30,
    kind: 'scheduled',
    pod: at('checkout-2'),
    node: d,
    decision: 3,
    changes: [{ pod: at('checkout-2'), place: running(d) }],
    requested: [{ node: d, amounts: { cpu: 2700, memory: 7 * gi, pods: 3 } }],
  },
  {
    ...emptyStep,
    clock: 31,
    kind: 'scheduled',
    pod: at('thumb-8'),
    node: d,
    decision: 6,
    changes: [{ pod: at('thumb-8'), place: running(d) }],
    requested: [{ node: d, amounts: { cpu: 3000, memory: 8 * gi, pods: 4 } }],
  },
  {
    ...emptyStep,
    clock: 31,
    kind: 'pending',
    pod: at('train-4'),
    node: null,
    note: '0/4 nodes are available: 4 Insufficient cpu.',
    decision: 5,
    changes: [{ pod: at('train-4'), place: pending }],
  },
];

const victim = (name: string, preemptor: string, node: number, rest: Partial<ReportVictim>): ReportVictim => ({
  pod: at(name),
  workload: drafts[at(name)]!.workload,
  preemptor: at(preemptor),
  node,
  budget: { state: 'none', names: [] },
  gracePeriodSeconds: 30,
  remaining: { running: 1, before: 3 },
  newNode: null,
  fate: 'gone',
  replacement: null,
  event: `Preempted by pod ${preemptor} on node ${nodeNames[node]!}`,
  ...rest,
});

export function sampleReport(): WholeReport {
  const report = sampleWithoutAnswer();
  const waitedBefore = new Set<number>();
  return {
    ...report,
    answer: runToEnd(
      answerInSteps({
        ...report,
        waitedBefore,
        held: [],
        without: [],
        unattached: new Map(),
        groups: new Map(),
        nodePlaces: 0,
        overQuota: [],
        comes: [],
        poolAnswers: new Map(),
        budgetKeeps: () => undefined,
      }),
    ),
  };
}

function sampleWithoutAnswer(): Omit<WholeReport, 'answer'> {
  const pods = drafts.map(pod);
  const total = (node: number, resource: 'cpu' | 'memory'): number =>
    pods.reduce((sum, { before, requests }) => sum + (before.node === node ? (requests[resource] ?? 0) : 0), 0);
  return {
    version: reportVersion,
    kubernetes: '1.34',
    scenario: { kind: 'workload', workload: 1, label: 'shop/checkout' },
    snapshot: null,
    unseen: [],
    assumptions: [
      {
        mark: '=',
        text: 'Kubernetes 1.34, default profile',
        detail: 'Decided as kube-scheduler v1.34 does with its default plugins.',
      },
      { mark: '=', text: '4 nodes from cluster.yaml', detail: 'The workspace names its nodes; none is assumed.' },
      {
        mark: '?',
        text: 'running pods placed by simulation',
        detail: 'No snapshot says where they run, so they were scheduled first, in queue order.',
      },
      {
        mark: '≥',
        text: 'victims: other pods may arrive first',
        detail: 'While victims terminate, a pod of higher priority may take the room.',
      },
    ],
    ladder,
    workloads,
    nodes: nodeNames.map((name, node) => ({
      name,
      zone: zones[node]!,
      allocatable: { cpu: 4000, memory: 16 * gi, pods: 110 },
      requested: {
        cpu: total(node, 'cpu'),
        memory: total(node, 'memory'),
        pods: pods.filter(({ before }) => before.node === node).length,
      },
      unschedulable: false,
      taints: node === d ? ['dedicated=db:NoSchedule'] : [],
      assumed: false,
      origin: origin('cluster.yaml', node * 20),
    })),
    pods,
    steps,
    drains: [],
    pressures: [],
    events: [],
    questions: [],
    timeline: buildTimeline(
      pods,
      steps,
      (pod) => pod !== at('train-4') && pod !== at('thumb-8'),
      () => true,
    ),
    decisions,
    victims: [
      victim('train-1', 'checkout-1', b, { fate: 'pending', replacement: at('train-4') }),
      victim('train-2', 'checkout-1', b, { fate: 'gone' }),
      victim('thumb-7', 'checkout-1', b, {
        fate: 'moves',
        newNode: d,
        replacement: at('thumb-8'),
        remaining: { running: 0, before: 1 },
        budget: { state: 'kept', names: ['batch/thumb'] },
      }),
      victim('report-2', 'checkout-2', d, { budget: { state: 'violated', names: ['batch/report'] } }),
    ],
    pending: [{ pod: at('train-4'), decision: 5, cause: null }],
    causes: [],
    totals: {
      nodes: 4,
      running: 15,
      scheduled: 3,
      evicted: 4,
      pending: 1,
      gated: 0,
      budgetsViolated: 0,
      preemptionAttempts: 2,
      preemptionVictims: 4,
    },
    comparison: null,
    remedies: null,
    capacity: null,
  };
}

/** Index of a pod of the sample by its name. */
export const samplePod = at;

const noFigures = { evicted: 0, blocked: 0, budgetsBroken: 0, pending: 0, gated: 0, refused: 0, down: 0 };

/** What a change does in the sample report: names are what their manifests say, markup included. */
export function sampleComparison(): ReportComparison {
  const wording = 'evicted from node-b for shop/checkout-1';
  return {
    before: { ...noFigures, evicted: 3, pending: 1 },
    since: 'git HEAD',
    sentence: [
      { text: 'Compared with git HEAD: ', tone: 'plain' },
      { text: '1 more pod is evicted', tone: 'bad' },
      { text: '; ', tone: 'plain' },
      { text: '1 pod is not there any more', tone: 'plain' },
      { text: '.', tone: 'plain' },
    ],
    outcome: 'After it: 4 evicted (+1), 1 pending (=).',
    whole: 'checkout evicts train.',
    causes: [
      {
        id: 'c1',
        object: 'PriorityClass/checkout-high',
        field: 'value',
        old: 1000,
        new: 100_000,
        origin: origin('classes.yaml', 4),
      },
    ],
    moreCauses: 0,
    plan: {
      stages: [
        {
          id: 's0',
          label: 'git HEAD',
          whatIf: '',
          figures: { ...noFigures, evicted: 3, pending: 1 },
          settledSeconds: 30,
        },
        { id: 's1', label: 'now', whatIf: '', figures: { ...noFigures, evicted: 4, pending: 1 }, settledSeconds: 60 },
      ],
      chain: [
        {
          id: 'k1',
          by: ['c1'],
          clock: 0,
          kind: 'priority',
          text: 'checkout has priority 100000 instead of 1000',
          workloads: ['Deployment/shop/checkout'],
          pod: '',
          node: '',
          victims: [],
        },
        {
          id: 'k2',
          by: ['k1'],
          clock: 30,
          kind: 'evicts',
          text: '<b>checkout-1</b> evicts train-1 on node-b',
          workloads: ['Deployment/shop/checkout', 'Job/batch/train'],
          pod: 'shop/checkout-1',
          node: 'node-b',
          victims: ['batch/train-1'],
        },
      ],
      story: { path: ['c1', 'k1', 'k2'], text: 'class checkout-high 1000 → 100000 ⇒ <b>checkout</b> evicts train' },
      moreLinks: 0,
      effects: [
        {
          workload: 'Job/batch/train',
          name: 'train',
          change: 'worse',
          by: ['c1'],
          together: false,
          at: [
            { running: 1, of: 1, evicted: 0, ended: 0, pending: 0, text: '1 of 1' },
            { running: 0, of: 1, evicted: 1, ended: 0, pending: 1, text: '0 of 1, down, 1 evicted, 1 pending' },
          ],
        },
      ],
      nodes: [
        {
          name: 'node-b',
          at: [
            {
              allocatable: { cpu: 4000 },
              used: { cpu: 3000, pods: 2 },
              evicted: [],
              tiles: [
                { name: '', look: 'running', pods: 1, requests: { cpu: 2000 } },
                { name: 'train-1', look: 'running', pods: 1, requests: { cpu: 1000 } },
              ],
            },
            {
              allocatable: { cpu: 4000 },
              used: { cpu: 3600, pods: 2 },
              evicted: [{ name: 'train', pods: 2 }],
              tiles: [
                { name: '<i>web</i>', look: 'running', pods: 1, requests: { cpu: 2000 } },
                { name: 'checkout-1', look: 'arrived', pods: 1, requests: { cpu: 1600 } },
              ],
            },
          ],
        },
        { name: 'node-b+1', at: [null, { allocatable: { cpu: 4000 }, used: { pods: 0 }, evicted: [], tiles: [] }] },
      ],
      moreNodes: 0,
      sameNodes: 3,
      lanes: [
        {
          by: 'node',
          name: 'node-b',
          label: 'node-b',
          at: [
            { spans: [], more: 0 },
            {
              spans: [
                { name: 'train-1', kind: 'evicted', start: 0, end: 30 },
                { name: '<b>checkout-1</b>', kind: 'waits', start: 0, end: 30 },
                { name: '<b>checkout-1</b>', kind: 'runs', start: 30, end: 60 },
              ],
              more: 2,
            },
          ],
        },
        {
          by: 'workload',
          name: 'Deployment/batch/train',
          label: 'train',
          at: [
            { spans: [], more: 0 },
            { spans: [{ name: 'train-1', kind: 'evicted', start: 0, end: 30 }], more: 0 },
          ],
        },
      ],
    },
    priorities: [{ workload: 1, before: 1000, after: 100_000 }],
    pods: [
      {
        kind: 'evicted',
        pod: samplePod('train-1'),
        namespace: 'batch',
        name: 'train-1',
        before: 'runs on node-b',
        after: wording,
      },
      { kind: 'removed', pod: null, namespace: 'shop', name: '<b>old</b>', before: 'stays pending', after: '' },
    ],
  };
}

/** What is known of its decisions at a glance. */
export function verdictsOf({ decisions }: WholeReport): readonly ReportVerdict[] {
  return decisions.map(verdictOf);
}

/** The sample with markup wherever a manifest says what it is called, or the scheduler says something. */
export function hostileReport(markup: string): WholeReport {
  const report = sampleReport();
  return {
    ...report,
    answer: { ...report.answer, headline: markup, cause: markup },
    assumptions: [{ mark: '?', text: markup, detail: markup }],
    workloads: report.workloads.map((workload) => ({ ...workload, name: markup })),
    nodes: report.nodes.map((node, index) => ({
      ...node,
      name: `${markup}${index}`,
      zone: markup,
      taints: [markup],
    })),
    pods: report.pods.map((pod, index) => ({ ...pod, name: `${markup}${index}`, className: markup })),
    decisions: report.decisions.map((decision) => ({
      ...decision,
      message: markup,
      why: markup,
      wouldHelp: [markup],
    })),
    steps: report.steps.map((step) => ({ ...step, note: markup })),
  };
}

import { namedAmount } from '../../util/amounts.ts';
import { joined, say } from '../../util/say.ts';
import { count, duration, grouped, list, upperFirst } from '../../util/words.ts';
import type { Assumption, Report } from '../../report-model/report.ts';
import { applyLimitRanges } from '../../admission/request/limit-ranger.ts';
import { kueueQueueLabel } from '../../kubernetes/gate-owners.ts';
import { own } from '../../util/own.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import { podRequests } from '../../kubernetes/pod-resources.ts';
import { nameAmong, type SimulatedCluster } from '../cluster/simulated-cluster.ts';
import { autoscaled } from './autoscaled.ts';
import { copiesThatCount } from './copies.ts';
import { misreadAssumptions } from '../cluster/misread.ts';
import { isBesides } from './refusal-doubt.ts';
import { schedules } from './schedules.ts';
import { unseenAssumptions } from './unseen.ts';

type AssumedOf = Omit<Report, 'answer' | 'assumptions'>;

/** What is known of a run besides its report. */
export interface RunFacts {
  readonly simulated: SimulatedCluster;
  /** How many nodes are not there from the start. */
  readonly coming: number;
  /** How many pods were placed before the arrival. */
  readonly placedFirst: number;
  readonly isSettled: boolean;
  /** Decisions between equal nodes, and those that the real scheduler may answer otherwise. */
  readonly chance: { readonly ties: number; readonly varying: number };
  /** What is assumed of autoscalers. */
  readonly growth: readonly Assumption[];
}

/** Question 6: what the figures rest on, what is known and what is assumed. */
export function buildAssumptions(report: AssumedOf, facts: RunFacts): Assumption[] {
  const { simulated, placedFirst, isSettled } = facts;
  return [
    ...missing(simulated),
    ...unseenAssumptions(simulated.inventory.unseen),
    ...confinement(simulated),
    ...target(simulated),
    ...kubernetes(simulated),
    ...snapshot(simulated),
    ...misreadAssumptions(simulated.inventory.misread),
    ...comparison(simulated),
    nodes(report, facts),
    ...sizes(report, simulated),
    running(simulated, placedFirst),
    ...takenForRunning(simulated),
    ...queued(simulated),
    ...differing(simulated),
    ...added(simulated),
    ...copiesThatCount(simulated.inventory.workspace),
    ...classes(simulated),
    ...limited(simulated),
    ...autoscaled(simulated),
    ...facts.growth,
    ...budgets(simulated),
    ...meanwhile(report),
    ...comingBack(report),
    ...unsettled(isSettled),
    ...chance(facts.chance),
    ...schedules(report, simulated),
    ...leftOut(simulated),
    ...volumes(simulated),
    ...quotas(simulated),
    notModelled(facts.growth.length > 0),
  ];
}

function assumption(mark: Assumption['mark'], text: string, detail: string): Assumption {
  return { mark, text, detail };
}

function target({ inventory }: SimulatedCluster): Assumption[] {
  if (inventory.target === undefined) return [];
  const { name, of } = inventory.target;
  if (name === '') {
    const detail = say`Other manifests declare the same workloads, and a cluster has one of the two. A chart by itself is a target of its own.`;
    return [assumption('?', say`${list(of)} not counted, as other manifests install the same`, detail)];
  }
  const detail = say`There are ${list(of)}: of overlays of one base, and of value files of one chart, one is applied.`;
  return [assumption('?', say`the target ${name} is applied`, detail)];
}

function confinement({ inventory: { withoutSandbox } }: SimulatedCluster): Assumption[] {
  if (withoutSandbox.length === 0) return [];
  const detail = say`The operating system gave them none: they ran on a copy of the files, and what needs more is not rendered.`;
  return [assumption('=', say`${list(withoutSandbox)} ran without a sandbox`, detail)];
}

function missing({ inventory }: SimulatedCluster): Assumption[] {
  return inventory.missing.map((missed) => ({ mark: '!', ...missed }));
}

function kubernetes({ scheduler, inventory }: SimulatedCluster): Assumption[] {
  const { release, why, isAssumed } = inventory.kubernetes;
  const mark = isAssumed ? '?' : '=';
  const { configurations, profiles, notModelled, problems, failing } = scheduler;
  if (configurations === 0) {
    return [
      assumption(
        mark,
        say`Kubernetes ${release.minor}, default scheduler profile`,
        say`${why} Filters, scores, preemption and messages are those of kube-scheduler v${release.minor}.`,
      ),
    ];
  }
  const names = profiles.map(({ schedulerName }) => schedulerName);
  const assumptions = [
    assumption(
      mark,
      say`Kubernetes ${release.minor}, ${count(names.length, 'scheduler profile')}: ${list(names)}`,
      say`${why} Plugins, weights and arguments are those of the declared KubeSchedulerConfiguration.`,
    ),
  ];
  if (notModelled.length > 0) {
    const detail = say`They may place pods elsewhere than shown here.`;
    assumptions.push(assumption('?', say`scheduler plugins that are not modelled: ${list(notModelled)}`, detail));
  }
  if (failing.length > 0) {
    const detail = say`Their PreFilter or PreScore is switched off, and their Filter or Score is not: an attempt that reaches one ends in an error.`;
    assumptions.push(assumption('!', say`every attempt fails for want of ${list(failing)}'s state`, detail));
  } else if (problems > 0) {
    const detail = say`A scheduler with this configuration would not start. Where a value is wrong, the default is used.`;
    assumptions.push(assumption('?', say`${count(problems, 'mistake')} in the scheduler configuration`, detail));
  }
  return assumptions;
}

/** A cluster that was looked at longer ago than this, in seconds, may well have changed. */
const old = 60 * 60;

function snapshot({ inventory }: SimulatedCluster): Assumption[] {
  const known = inventory.snapshot;
  if (known === null) return [];
  const { context, serverVersion, takenAt, age, missing: without } = known;
  const when = age === null ? say`taken at ${takenAt}` : say`${duration(age)} old`;
  const assumptions = [
    assumption(
      age !== null && age < old ? '=' : '?',
      say`the cluster snapshot of ${context} is ${when}`,
      say`It was taken at ${takenAt} of Kubernetes ${serverVersion}. What has changed since is not seen. Environment, commands, probes and most annotations are left out of it, so they count as they are written.`,
    ),
  ];
  for (const { resource, why, effect } of without) {
    const text = say`the cluster snapshot is without ${resource}`;
    assumptions.push({ mark: '!', text, detail: say`${upperFirst(effect)}. ${why}`, about: 'snapshot' });
  }
  return assumptions;
}

function comparison({ inventory }: SimulatedCluster): Assumption[] {
  const compared = inventory.compared();
  if (compared === null) return [];
  const { added, changed, same } = compared;
  const all = added.length + changed.length + same.length;
  if (all === 0) return [];
  const parts = [
    ...(added.length === 0 ? [] : [say`new are ${list(added, 8)}`]),
    ...(changed.length === 0 ? [] : [say`changed are ${list(changed, 8)}`]),
    ...(same.length === 0 ? [] : [say`the same are ${list(same, 8)}`]),
  ];
  return [
    assumption(
      '=',
      say`of ${count(all, 'object')}, ${grouped(added.length)} new, ${grouped(changed.length)} changed, ${grouped(same.length)} the same as in the cluster`,
      say`${upperFirst(joined(parts, '; '))}. The running pods of a workload that the cluster has count as its pods.`,
    ),
  ];
}

function classes({ inventory, arriving }: SimulatedCluster): Assumption[] {
  const { repeated, refused } = inventory.classes;
  const assumptions: Assumption[] = [];
  const many = (names: readonly string[]) => count(names.length, 'PriorityClass', 'PriorityClasses');
  if (repeated.length > 0) {
    const detail = say`A cluster has one of each name. Pods get the declaration in the folder nearest to their own.`;
    assumptions.push(assumption('?', say`${many(repeated)} declared more than once: ${list(repeated, 5)}`, detail));
  }
  if (refused.length > 0) {
    const detail = say`They do not exist unless the cluster has them already, and pods that name them are refused.`;
    assumptions.push(assumption('?', say`${many(refused)} refused by the API server: ${list(refused, 5)}`, detail));
  }
  const missing = arriving.flatMap((pods) => pods.flatMap(({ missingClass }) => missingClass ?? []));
  for (const of of ['PriorityClass', 'RuntimeClass'] as const) {
    const named = new Set(missing.flatMap(({ kind, name }) => (kind === of ? [name] : [])));
    const undeclared = [...named].filter((name) => of !== 'PriorityClass' || !refused.includes(name)).sort();
    if (undeclared.length === 0) continue;
    const amount =
      of === 'PriorityClass' ? many(undeclared) : count(undeclared.length, 'RuntimeClass', 'RuntimeClasses');
    const detail = say`Pods that name them count as refused, which they are not where the cluster has them.`;
    assumptions.push(assumption('?', say`${amount} not declared: ${list(undeclared, 5)}`, detail));
  }
  return assumptions;
}

function nodes(report: AssumedOf, { simulated, coming }: RunFacts): Assumption {
  const many = count(report.nodes.length - coming, 'node');
  switch (simulated.inventory.nodeSource) {
    case 'snapshot':
      return assumption(
        '=',
        say`${many} from the cluster snapshot`,
        say`What the manifests say of a node counts before what the snapshot says.`,
      );
    case 'workspace':
      if (simulated.inventory.nodePlaces.length > 0) return nodesOfPlaces(many, simulated.inventory.nodePlaces);
      return assumption(
        '=',
        say`${many} from the manifests`,
        say`Allocatable amounts, labels and taints are those that are written there.`,
      );
    case 'assumed':
      return assumption(
        '?',
        count(report.nodes.length, 'assumed node'),
        say`No manifest and no snapshot names a node, so those are assumed that the pods need, at 80 %. They show what pods do to each other; whether a cluster has room, they cannot say.`,
      );
  }
}

/** Nodes that are written for their labels or taints, and have a size that nobody knows here. */
function sizes({ nodes: all }: AssumedOf, { inventory }: SimulatedCluster): Assumption[] {
  const assumed = all.filter((node) => node.assumed);
  if (inventory.nodeSource === 'assumed' || assumed.length === 0) return [];
  return [
    assumption(
      '?',
      say`the size of ${count(assumed.length, 'node')} is assumed`,
      say`They are written without a status, as patches of nodes that exist.`,
    ),
  ];
}

/** Nodes that may be those of several clusters, or of tests. */
function nodesOfPlaces(many: string, places: SimulatedCluster['inventory']['nodePlaces']): Assumption {
  const named = list(
    places.map(({ folder, nodes: own }) => `${folder} (${own})`),
    5,
  );
  return assumption(
    '?',
    say`${many} from ${places.length} places: ${named}; to choose, use podium.exclude, --exclude or a snapshot`,
    say`All of them are taken for one cluster. Exclude the files of those that are no part of it, or name a cluster snapshot, whose nodes count then.`,
  );
}

function running(simulated: SimulatedCluster, placedFirst: number): Assumption {
  const many = count(simulated.running.length, 'running pod');
  if (placedFirst > 0) {
    const detail = say`Pods of the other workloads that do not run yet were scheduled first, in the order of the queue.`;
    return assumption('?', say`${many} as declared, ${placedFirst} more placed by simulation`, detail);
  }
  return assumption(
    '=',
    say`${many} as declared`,
    say`Pods with a nodeName run where they are, and count as pods of the workload that owns them.`,
  );
}

/** Running pods whose class says another number than they have, and those that have their number from the class. */
function differing({ running, inventory }: SimulatedCluster): Assumption[] {
  const assumptions: Assumption[] = [];
  const names = (pods: SimulatedCluster['running']) => list([...new Set(pods.map(({ key }) => key))], 5);
  const classed = running.filter(({ className }) => className !== null);
  const others = classed.filter(({ className, priority, origin }) => {
    const declared = inventory.classes.for(origin).find(({ metadata }) => metadata?.name === className);
    return declared !== undefined && (declared.value ?? 0) !== priority;
  });
  if (others.length > 0) {
    const detail = say`A pod keeps the number that it was created with, whatever becomes of its class.`;
    const text = say`${count(others.length, 'running pod')} with another priority than that of the class: ${names(others)}`;
    assumptions.push(assumption('=', text, detail));
  }
  const derived = running.filter(({ hasDerivedPriority }) => hasDerivedPriority);
  if (derived.length > 0) {
    const detail = say`Admission writes the number into a pod; these name a class and no number, so the class was asked.`;
    const text = say`${count(derived.length, 'running pod')} with the priority of the class now: ${names(derived)}`;
    assumptions.push(assumption('?', text, detail));
  }
  return assumptions;
}

function takenForRunning(simulated: SimulatedCluster): Assumption[] {
  const { takenForRunning: names } = simulated;
  if (names.length === 0) return [];
  return [
    assumption(
      '?',
      say`${count(names.length, 'pod')} taken for running: ${list(names, 5)}`,
      say`Their manifests name a node whose kubelet takes them, and show no status.`,
    ),
  ];
}

/** Kueue lets a workload begin when a queue has room for it. */
function queued({ workloads }: SimulatedCluster): Assumption[] {
  const names = workloads.flatMap(({ declared }) => {
    const { labels, name = '' } = declared?.object.metadata ?? {};
    return labels !== undefined && own(labels, kueueQueueLabel) !== undefined ? [name] : [];
  });
  if (names.length === 0) return [];
  const detail = say`Kueue suspends a workload with the label ${kueueQueueLabel}, or gates its pods, until a queue admits it. Podium does not model queues.`;
  return [
    assumption('?', say`${count(names.length, 'workload')} taken for admitted by Kueue: ${list(names, 5)}`, detail),
  ];
}

/** What new pods get because running ones have it. */
function added({ inventory, workloads }: SimulatedCluster): Assumption[] {
  const names = new Set<string>();
  const owners: string[] = [];
  const resized: string[] = [];
  for (const workload of workloads) {
    const addition = inventory.added.of(workload);
    if (addition === null || workload.declared === undefined) continue;
    const owner = `${workload.kind} ${workload.namespace}/${workload.name}`;
    const { containers, initContainers, schedulingGates, nodeSelector, tolerations, resources } = addition;
    if (resources.size > 0) resized.push(owner);
    const own = [
      ...[...containers, ...initContainers, ...schedulingGates].map(({ name }) => name),
      ...Object.keys(nodeSelector),
      ...tolerations.map(({ key = '' }) => key),
    ];
    if (own.length > 0) owners.push(owner);
    for (const name of own) names.add(name);
  }
  const ofWebhooks = [
    assumption(
      '?',
      say`${list([...names], 4)} added to new pods of ${count(owners.length, 'workload')}, as running ones have it`,
      say`Their templates do not say it: something in the cluster, as a webhook, adds it when a pod is made. So it is with ${list(owners, 5)}.`,
    ),
  ];
  const ofAutoscaler = [
    assumption(
      '?',
      say`New pods of ${list(resized, 3)} request what a VerticalPodAutoscaler has set, not what their templates say`,
      say`Running pods have its annotation, and other requests than their template. Podium does not compute what it would recommend.`,
    ),
  ];
  return [...(owners.length === 0 ? [] : ofWebhooks), ...(resized.length === 0 ? [] : ofAutoscaler)];
}

/** Requests that nobody wrote: a LimitRange gives them to containers without any. */
function limited({ inventory, workloads, arriving }: SimulatedCluster): Assumption[] {
  const assumptions: Assumption[] = [];
  const places = workloads.flatMap(({ declared }) => (declared?.origin === undefined ? [] : [declared.origin.uri]));
  for (const range of inventory.ofKind('LimitRange')) {
    const { object, origin } = range;
    const namespace = namespaceOf(object);
    const unsure = new Set<string>();
    const given = workloads.flatMap((workload, index) => {
      const [template] = workload.blueprint;
      const pod = arriving[index]?.[0];
      if (workload.namespace !== namespace || template?.spec === undefined || pod === undefined) return [];
      const alone = podRequests(template.spec);
      const limits = podRequests(applyLimitRanges(template, [object]).spec ?? template.spec);
      const amounts = (['cpu', 'memory'] as const).flatMap((resource) => {
        const before = alone.get(resource)?.nanos;
        const after = limits.get(resource)?.nanos;
        const amount = pod.requests[resource];
        return before === after || amount === undefined ? [] : [namedAmount(resource, amount)];
      });
      if (amounts.length > 0 && isBesides(workload.declared, range)) unsure.add(workload.name);
      return amounts.length === 0 ? [] : [say`${workload.name} ${list(amounts)}`];
    });
    if (given.length === 0) continue;
    const file = origin === undefined ? '' : say` (${nameAmong(origin.uri, places)})`;
    assumptions.push(
      assumption(
        unsure.size === 0 ? '=' : '?',
        say`LimitRange ${object.metadata?.name ?? ''}${file} gives what containers do not ask for: ${list(given, 5)}`,
        unsure.size === 0
          ? say`Without a default the largest amount that it allows is the request of a container that names none.`
          : say`It is written in another folder, and may be of another namespace: neither names its own.`,
      ),
    );
  }
  return assumptions;
}

function budgets(simulated: SimulatedCluster): Assumption[] {
  const { derived } = simulated.budgets;
  if (derived.length === 0) return [];
  const detail = say`They have no status, so the disruptions they allow are worked out from the pods, as the disruption controller would.`;
  return [assumption('?', say`allowed disruptions derived for ${list(derived)}`, detail)];
}

function meanwhile(report: AssumedOf): Assumption[] {
  if (report.victims.length === 0) return [];
  return [
    assumption(
      '≥',
      say`evictions: other pods may be created first`,
      say`A pod that is created while victims terminate can take the room, and then more pods are evicted.`,
    ),
    assumption(
      '≤',
      say`times: every victim uses its whole grace period`,
      say`A pod that ends sooner makes room sooner.`,
    ),
  ];
}

/** Those that a taint has evicted, and that are back where they would be evicted again. */
function comingBack({ taints = [], pods, workloads }: AssumedOf): Assumption[] {
  const back = taints.flatMap(({ node, evicted }) => {
    const again = new Set(evicted.flatMap(({ replacement }) => replacement ?? []));
    return evicted.flatMap(({ pod, replacement }) => {
      if (!again.has(pod) || replacement === null) return [];
      const { workload, after } = pods[replacement]!;
      return after.state === 'running' && after.node === node ? [workloads[workload ?? -1]?.name ?? ''] : [];
    });
  });
  if (back.length === 0) return [];
  const detail = say`A real cluster goes on: they tolerate the taint for some time only, and the scheduler places them there again.`;
  return [
    assumption('≥', say`evicted by a taint again and again, followed twice: ${list([...new Set(back)], 3)}`, detail),
  ];
}

function unsettled(isSettled: boolean): Assumption[] {
  if (isSettled) return [];
  const detail = say`Pods were still being tried after so many attempts that something may go on for ever.`;
  return [assumption('?', say`ended before everything had settled`, detail)];
}

function chance({ ties, varying }: RunFacts['chance']): Assumption[] {
  return [
    ...(ties === 0
      ? []
      : [
          assumption(
            '?',
            say`${count(ties, 'tie')} between equal nodes, broken by name`,
            say`kube-scheduler picks at random among nodes that are equally good.`,
          ),
        ]),
    ...(varying === 0
      ? []
      : [
          assumption(
            '?',
            say`${count(varying, 'decision')} may vary`,
            joined(
              [
                say`With more than 100 nodes the real scheduler looks at a part of them only.`,
                say`Whether it tries a pod before or after it hears that the pod's nominated node is cordoned, tainted or gone is a race.`,
              ],
              ' ',
            ),
          ),
        ]),
  ];
}

function leftOut(simulatedCluster: SimulatedCluster): Assumption[] {
  const parts: Assumption[] = [];
  const pods = simulatedCluster.workloads.reduce((sum, workload) => sum + workload.leftOut, 0);
  if (pods > 0) {
    parts.push(
      assumption(
        '≥',
        say`${count(pods, 'replica')} not simulated`,
        say`Of each workload the first 5,000 pods are simulated.`,
      ),
    );
  }
  if (simulatedCluster.orphans > 0) {
    parts.push(
      assumption(
        '?',
        say`${count(simulatedCluster.orphans, 'pod')} on unknown nodes left out`,
        say`They are bound to nodes that are not declared, and are not counted.`,
      ),
    );
  }
  return parts;
}

function volumes({ volumesMade, assumedClasses }: SimulatedCluster): Assumption[] {
  if (volumesMade === 0) return [];
  return [
    assumption(
      '?',
      say`${count(volumesMade, 'claim')} served by new volumes`,
      say`Where their StorageClass names no topologies, or is not declared, the volumes are taken to be reached from every node.`,
    ),
    ...(assumedClasses.length === 0
      ? []
      : [
          assumption(
            '?',
            say`StorageClass ${list(assumedClasses, 3)} is assumed to exist`,
            say`It is not declared here, and which classes the cluster has is not known.`,
          ),
        ]),
  ];
}

function quotas(simulated: SimulatedCluster): Assumption[] {
  const amount = simulated.inventory.ofKind('ResourceQuota').length;
  if (amount === 0) return [];
  return [
    assumption(
      '?',
      say`${count(amount, 'quota')} charged in the order of names`,
      say`Which of the pods that exceed a ResourceQuota the API server refuses depends on which are created first.`,
    ),
  ];
}

function notModelled(grows: boolean): Assumption {
  if (grows) {
    return assumption(
      '?',
      say`not modelled: image pulls, readiness, usage, other schedulers`,
      say`No nodes are removed, pods are ready at once, and a pod that ends makes no other pod start or stop.`,
    );
  }
  return assumption(
    '?',
    say`not modelled: autoscalers, image pulls, readiness, usage, other schedulers`,
    say`No nodes are added, pods are ready at once, and a pod that ends makes no other pod start or stop.`,
  );
}

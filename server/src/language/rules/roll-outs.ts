import { say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import type {
  Container,
  DaemonSet,
  Deployment,
  Node,
  PersistentVolumeClaim,
  PodSpec,
} from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { compileRequiredNodeAffinity, selectableNode } from '../../kubernetes/node-selector.ts';
import { podRequests, readResourceList } from '../../kubernetes/pod-resources.ts';
import { daemonSetFenceposts, deploymentFenceposts, type Fenceposts } from '../../kubernetes/rolling-update.ts';
import { firstUntolerated, NO_SCHEDULE_EFFECTS } from '../../kubernetes/taints.ts';
import { daemonSpec } from '../../kubernetes/workloads.ts';
import { derived } from '../index/derived.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { fixAt, replaceMap, setValue } from './support/edits.ts';
import { domainsOf } from './support/domains.ts';
import { poolsFor } from '../index/pools.ts';
import { findingAt } from './support/narrow.ts';
import { quotasWithoutRoom } from './support/quotas.ts';
import { meantBy } from '../index/selection.ts';
import { requiredTermsOf } from './support/terms.ts';
import { madePod } from './support/made-pods.ts';
import type { Finding, Fix, ObjectRule } from './support/rule.ts';

export const rollOutWaitsForClaim: ObjectRule = {
  code: 'roll-out-waits-for-claim',
  title: 'A roll-out starts a new pod while the old one still holds the claim',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const { surge } = fencepostsOf(fact);
    const replicas = fact.kind === 'Deployment' ? replicasOf(fact.object) : 0;
    if ((surge < 1 && replicas < 2) || fact.template === undefined) return;
    for (const [index, { persistentVolumeClaim }] of (fact.template.spec.volumes ?? []).entries()) {
      const claim = claimsByName(facts).get(`${fact.namespace}/${persistentVolumeClaim?.claimName ?? ''}`);
      if (claim === undefined) continue;
      const modes = (claim.object as PersistentVolumeClaim).spec?.accessModes ?? [];
      const isOfOnePod = modes.includes('ReadWriteOncePod');
      if (!isOfOnePod && (modes.length === 0 || modes.some((mode) => mode !== 'ReadWriteOnce'))) continue;
      const path = [...fact.template.path, 'spec', 'volumes', index, 'persistentVolumeClaim', 'claimName'];
      if (replicas > 1) {
        const others = isOfOnePod
          ? say`all but one stay pending`
          : say`those on other nodes than the first cannot attach the volume (Multi-Attach) and do not start`;
        const mode = isOfOnePod ? 'ReadWriteOncePod' : 'ReadWriteOnce';
        const message = say`${replicas} replicas share claim ${claim.name}, which is ${mode}: ${others}. Give each a claim of its own (volumeClaimTemplates of a StatefulSet), or use ReadWriteMany.`;
        yield findingAt(fact, path, message, {
          ...(isOfOnePod ? { severity: 'warning' as const } : {}),
          related: () => [claim],
          value: shared,
        });
        continue;
      }
      const message = isOfOnePod
        ? say`A roll-out starts the new pod before the old one ends (maxSurge ${surge}), and claim ${claim.name} is ReadWriteOncePod: the new pod stays pending, and no roll-out ever ends. Set strategy: Recreate.`
        : say`A roll-out starts the new pod before the old one ends (maxSurge ${surge}), and claim ${claim.name} is ReadWriteOnce: on another node the new pod cannot attach the volume (Multi-Attach), and the roll-out hangs. Set strategy: Recreate.`;
      yield findingAt(fact, path, message, {
        ...(isOfOnePod ? { severity: 'warning' as const } : {}),
        related: () => [claim],
      });
      return;
    }
  },
  fix: fixAt((fact, _path, _subject, value) => {
    // No strategy helps replicas that run beside each other.
    if (value === shared) return [];
    const edits = replaceMap(fact, ['spec', 'strategy'], { type: 'Recreate' });
    return [{ title: say`Set strategy: Recreate`, edits }];
  }),
};

const shared = 'shared';

export const rollOutFindsNoNode: ObjectRule = {
  code: 'roll-out-finds-no-node',
  title: 'A roll-out starts a new pod beside the old ones, which no node may take before one of them is gone',
  severity: 'information',
  scope: 'object',
  *check({ fact, facts }) {
    const { template } = fact;
    if (fact.kind === 'DaemonSet') {
      yield* besideItself(fact, facts);
      return;
    }
    const { surge, unavailable } = fencepostsOf(fact);
    if (template === undefined || surge < 1 || unavailable > 0) return;
    // A pool makes a node for the new pod.
    if (poolsFor(template.spec, facts).length > 0) return;
    const nodes = facts.ofKind('Node');
    const replicas = replicasOf(fact.object);
    for (const { term, path } of requiredTermsOf(fact, 'podAntiAffinity')) {
      // Only pods of its own roll-out count then.
      if (term.matchLabelKeys?.includes('pod-template-hash') === true) continue;
      if (!meantBy(facts, term, fact.namespace).includes(fact)) continue;
      const { values, unlabelled } = domainsOf(nodes, term.topologyKey, template.spec);
      if (values === 0 || unlabelled || replicas < values) continue;
      const domains = count(values, 'value');
      const message = say`A roll-out starts a new pod beside the ${count(replicas, 'old one', 'old ones')}, and each of the ${domains} of ${term.topologyKey} that it may use has one already, which this keeps it apart from: it stays pending, and the roll-out never ends. Set maxSurge: 0 and maxUnavailable: 1.`;
      yield findingAt(fact, [...path, 'topologyKey'], message);
      return;
    }
    const at = template.spec.containers.findIndex((container) => takesPort(container, template.spec));
    if (at < 0) return;
    const { nodes: open } = domainsOf(nodes, 'kubernetes.io/hostname', template.spec);
    if (open === 0 || replicas < open) return;
    const message = say`A roll-out starts a new pod beside the old ones, which hold the host port on every node that it may use (${open}): it stays pending, and the roll-out never ends. Set maxSurge: 0 and maxUnavailable: 1.`;
    yield findingAt(fact, [...template.path, 'spec', 'containers', at, 'ports'], message);
  },
  fix: fixAt((fact) => withoutSurge(fact, 1)),
};

/** Every port of a pod in the network of its node is one of the node. */
function takesPort({ ports = [] }: Container, { hostNetwork = false }: PodSpec): boolean {
  return ports.some(({ hostPort = 0 }) => hostNetwork || hostPort > 0);
}

/** The new pod of a DaemonSet is for the node of the old one. Source: pkg/controller/daemon/update.go (rollingUpdate) */
function* besideItself(fact: Fact, facts: FactsReader): Generator<Finding> {
  const { template } = fact;
  const spec = template === undefined ? undefined : (fact.object as DaemonSet).spec;
  const pod = madePod(fact, facts)?.spec;
  if (template === undefined || pod === undefined || spec?.updateStrategy?.type === 'OnDelete') return;
  if (daemonSetFenceposts(spec, 1).surge < 1) return;
  const selected = compileRequiredNodeAffinity(pod);
  const { tolerations } = daemonSpec({ spec: pod });
  const requests = [...podRequests(pod)].filter(([, { nanos }]) => nanos > 0n);
  const hasPort = pod.containers.some((container) => takesPort(container, pod));
  const full = facts.ofKind('Node').filter(({ object }) => {
    const node = object as Node;
    if (!selected.matches(selectableNode(node))) return false;
    if (firstUntolerated(node.spec?.taints ?? [], tolerations, NO_SCHEDULE_EFFECTS) !== undefined) return false;
    const has = readResourceList(node.status?.allocatable);
    return (
      hasPort ||
      requests.some(([resource, { nanos }]) => {
        const offered = has.get(resource)?.nanos ?? 0n;
        return nanos <= offered && 2n * nanos > offered;
      })
    );
  });
  if (full.length === 0) return;
  const names = list(full.map(({ name }) => name));
  const why = hasPort
    ? say`which holds the host port there`
    : say`and even an empty node of that size has no room for two`;
  const message = say`With maxSurge a roll-out starts the new pod of ${names} beside the old one, ${why}: it stays pending, and the roll-out never ends. Set maxSurge: 0 and maxUnavailable: 1.`;
  yield findingAt(fact, ['spec', 'updateStrategy', 'rollingUpdate', 'maxSurge'], message);
}

const claimsByName = derived(
  ['PersistentVolumeClaim'],
  (claims) => new Map(claims.map((claim) => [`${claim.namespace}/${claim.name}`, claim])),
);

export const spreadCountsOldPods: ObjectRule = {
  code: 'spread-counts-old-pods',
  title: 'A spread constraint counts the old pods of a roll-out, so that the new ones end up skewed',
  severity: 'hint',
  scope: 'object',
  *check({ fact }) {
    const { template } = fact;
    if (template === undefined || fencepostsOf(fact).surge < 1 || replicasOf(fact.object) < 2) return;
    for (const [index, constraint] of (template.spec.topologySpreadConstraints ?? []).entries()) {
      const { whenUnsatisfiable, matchLabelKeys = [], labelSelector } = constraint;
      if (whenUnsatisfiable === 'ScheduleAnyway' || matchLabelKeys.length > 0) continue;
      if (!compileLabelSelector(labelSelector).matches(template.metadata.labels)) continue;
      const path = [...template.path, 'spec', 'topologySpreadConstraints', index, 'labelSelector'];
      const message = say`During a roll-out this counts old pods too, and once they are gone the new ones may be unevenly spread. With matchLabelKeys: [pod-template-hash] each roll-out is spread by itself.`;
      yield findingAt(fact, path, message);
    }
  },
  fix: fixAt((fact, path) => [
    {
      title: say`Add matchLabelKeys: [pod-template-hash]`,
      preferred: true,
      edits: [setValue(fact, [...path.slice(0, -1), 'matchLabelKeys'], ['pod-template-hash'])],
    },
  ]),
};

export const rollOutExceedsQuota: ObjectRule = {
  code: 'roll-out-exceeds-quota',
  title: 'A roll-out starts a new pod beside the old ones, for which a ResourceQuota has no room',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    const { surge, unavailable } = fencepostsOf(fact);
    if (surge < 1) return;
    const [full] = quotasWithoutRoom(fact, facts);
    if (full === undefined) return;
    const { quota, resource, asked, hard, more } = full;
    const beside = say`A roll-out starts a new pod beside the old ones, which asks for ${more} of ${resource}, and of ResourceQuota ${quota.name} the workloads declared here use ${asked} of ${hard}.`;
    const message =
      unavailable < 1
        ? say`${beside} The API server refuses the pod, and the roll-out never ends. Set maxSurge: 0 and maxUnavailable: 1, or raise the quota.`
        : say`${beside} The API server refuses the pod until an old one is gone, and the controller tries again in ever longer steps. Set maxSurge: 0, or raise the quota.`;
    yield findingAt(fact, ['spec', 'replicas'], message, {
      ...(unavailable < 1 ? {} : { severity: 'information' as const }),
      related: () => [quota],
    });
  },
  fix: fixAt((fact) => {
    const { unavailable } = fencepostsOf(fact);
    return withoutSurge(fact, Math.max(1, unavailable));
  }),
};

function withoutSurge(fact: Fact, unavailable: number): readonly Fix[] {
  const path = ['spec', fact.kind === 'DaemonSet' ? 'updateStrategy' : 'strategy'];
  const written = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: unavailable } };
  const edits = replaceMap(fact, path, written);
  return [{ title: say`Set maxSurge: 0 and maxUnavailable: ${unavailable}`, preferred: true, edits }];
}

/** The bounds of the roll-outs of a Deployment; of what has none, and of none without pods, no surge. */
function fencepostsOf({ kind, object }: Fact): Fenceposts {
  const replicas = kind === 'Deployment' ? replicasOf(object) : 0;
  return replicas < 1 ? { surge: 0, unavailable: 0 } : deploymentFenceposts((object as Deployment).spec, replicas);
}

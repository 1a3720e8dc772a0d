import { quotaUsage } from '../../../util/amounts.ts';
import { withResolvedPriority } from '../../../admission/priority/priority.ts';
import { type LimitedResource, type QuotaReview, reviewQuotas, unusedQuota } from '../../../admission/quota/quota.ts';
import { limitedResourcesOf } from '../../../admission/quota/admission-configuration.ts';
import { autoscaledReplicas, boundsOf } from '../../../disruption/autoscaling.ts';
import { folderOf } from '../../../kubernetes/nearest-declaration.ts';
import { ephemeralClaimsOf } from '../../../kubernetes/ephemeral-claims.ts';
import { nameOf, workloadKey } from '../../../kubernetes/names.ts';
import type {
  HorizontalPodAutoscaler,
  Node,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  StatefulSet,
  StorageClass,
} from '../../../kubernetes/objects.ts';
import { expandWorkload } from '../../../kubernetes/workloads.ts';
import { isTerminal, topControllers } from '../../../simulation/cluster/owners.ts';
import { addTo, getOrInsert, groupBy } from '../../../util/maps.ts';
import { autoscalers } from '../../index/autoscalers.ts';
import { readResourceList } from '../../../kubernetes/pod-resources.ts';
import { replicasOf, workloadKinds } from '../../../kubernetes/pod-template.ts';
import {
  addQuantities,
  formatQuantity,
  isQuantityError,
  parseQuantity,
  type Quantity,
} from '../../../kubernetes/quantity.ts';
import { withDefaultClass } from '../../../kubernetes/storage-class-of.ts';
import { derived } from '../../index/derived.ts';
import type { Fact, FactsReader } from '../../index/fact.ts';
import { isStoredPod, podPriority } from '../../index/priority-classes.ts';
import { madePod } from './made-pods.ts';
import { isUnplaced, livingWith, ofOneCluster, staysWhereItIs } from '../../index/living-apart.ts';
import { byName, workloadsIn } from '../../index/selection.ts';

/** Quotas of a namespace that are compared with its pods, in the order of files: each is with each. */
const comparedQuotas = 100;

interface NamespaceQuotas {
  readonly declared: readonly Fact[];
  /** Of those that are compared, as if nothing were used yet: the server enforces `status`, which manifests rarely have. */
  readonly unused: readonly ResourceQuota[];
}

const quotas = derived(['ResourceQuota'], (declared) => {
  const byNamespace = new Map<string, { declared: Fact[]; unused: ResourceQuota[] }>();
  // Quotas of several folders that name no namespace are for several namespaces, nobody knows which.
  const isFree = (fact: Fact): boolean => fact.manifest.rendering === undefined && isUnplaced(fact);
  const isOpen = new Set(declared.filter(isFree).map(({ uri }) => folderOf(uri))).size > 1;
  for (const fact of declared) {
    if (isOpen && isFree(fact)) continue;
    const known = getOrInsert(byNamespace, fact.namespace, () => ({ declared: [], unused: [] }));
    known.declared.push(fact);
    if (known.unused.length < comparedQuotas) known.unused.push(unusedQuota(fact.object));
  }
  return byNamespace;
});

const noQuotas: NamespaceQuotas = { declared: [], unused: [] };

/** Those of its namespace that are compared with what asks. */
function unusedFor(asking: Fact, facts: FactsReader): readonly ResourceQuota[] {
  const { declared, unused } = quotas(facts).get(asking.namespace) ?? noQuotas;
  const near = livingWith(declared, asking, facts);
  if (near === declared) return unused;
  const found = new Set(near);
  return unused.filter((_, index) => found.has(declared[index]!));
}

/** The quotas of a namespace. */
export function quotasIn(facts: FactsReader, namespace: string): readonly Fact[] {
  return (quotas(facts).get(namespace) ?? noQuotas).declared;
}

/** Of the quotas of a namespace that are not compared with its pods, the first, and how many there are. */
export function uncomparedQuotas(
  facts: FactsReader,
  namespace: string,
): { readonly first: Fact; readonly count: number } | undefined {
  const declared = quotasIn(facts, namespace);
  const first = declared[comparedQuotas];
  return first === undefined ? undefined : { first, count: declared.length - comparedQuotas };
}

export function isCompared(quota: Fact, facts: FactsReader): boolean {
  return quotasIn(facts, quota.namespace).slice(0, comparedQuotas).includes(quota);
}

/**
 * One pod of a workload as it reaches the quota admission: with defaults, limit ranges and its priority. Undefined for
 * pods that exist already and for those whose priority cannot be known.
 */
function arrivingPod(workload: Fact, facts: FactsReader): Pod | undefined {
  const priority = podPriority(facts, workload);
  if (isStoredPod(workload)) return undefined;
  if (priority?.admitted !== true || priority.source === 'stored') return undefined;
  const pod = madePod(workload, facts);
  return pod === undefined ? undefined : withResolvedPriority(pod, priority);
}

/** What the declared configuration of the API server limits without a quota. */
export const limitedIn = derived(
  ['AdmissionConfiguration', 'ResourceQuotaConfiguration'],
  (...lists): readonly LimitedResource[] => lists.flat().flatMap(({ object }) => limitedResourcesOf(object)),
);

const storageClasses = derived(['StorageClass'], (classes) => classes.map(({ object }) => object as StorageClass));

function isClaim(fact: Fact): fact is Fact & { readonly object: PersistentVolumeClaim } {
  return fact.kind === 'PersistentVolumeClaim';
}

function isStoredClaim({ metadata, status }: PersistentVolumeClaim): boolean {
  return metadata?.uid !== undefined || status?.phase !== undefined;
}

/** The claims that a StatefulSet makes for its pods. */
function claimsMadeFor(workload: Fact, facts: FactsReader): readonly PersistentVolumeClaim[] {
  if (workload.kind !== 'StatefulSet') return [];
  return withDefaultClass(expandWorkload(workload.object, { nodes: [] }).claims, storageClasses(facts));
}

/** Before what is answered to the claim of an ephemeral volume; its pod is there, and waits. */
export const lateClaim = 'create PVC';

/** What the quotas of its namespace say to a claim, or to one pod of a workload and the claims that are made for it. */
export function quotaReview(
  asking: Fact,
  facts: FactsReader,
  limited: readonly LimitedResource[] = [],
): QuotaReview | undefined {
  const unused = unusedFor(asking, facts);
  if (unused.length === 0 && limited.length === 0) return undefined;
  if (isClaim(asking)) {
    if (isStoredClaim(asking.object)) return undefined;
    const [claim] = withDefaultClass([asking.object], storageClasses(facts));
    return reviewQuotas({ ...claim, kind: 'PersistentVolumeClaim' }, unused);
  }
  const pod = arrivingPod(asking, facts);
  if (pod === undefined) return undefined;
  const review = reviewQuotas(pod, unused, limited);
  const { volumeClaimTemplates = [] } = (asking.object as StatefulSet).spec ?? {};
  const before = claimsMadeFor(asking, facts).slice(0, volumeClaimTemplates.length);
  const claims = [...before, ...withDefaultClass(ephemeralClaimsOf(pod), storageClasses(facts))];
  if (unused.length === 0 || claims.length === 0) return review;
  const reviews = claims.map((claim) => ({ claim, review: reviewQuotas(claim, unused) }));
  const refused = reviews.flatMap(({ claim, review: { refusal: text } }, index) =>
    text === undefined
      ? []
      : { text: `${index < before.length ? 'failed to create PVC' : lateClaim} ${nameOf(claim)}: ${text}`, index },
  );
  // The claims of a StatefulSet come before its pods, those of ephemeral volumes after them.
  const early = refused.find(({ index }) => index < before.length)?.text;
  const refusal = early ?? review.refusal ?? refused[0]?.text;
  const verdicts = review.verdicts.map((verdict, index) => {
    const all = [verdict, ...reviews.map((each) => each.review.verdicts[index]!)];
    const charged = new Map<string, Quantity>();
    for (const [resource, amount] of all.flatMap((each) => [...each.charged])) {
      const sum = charged.get(resource);
      charged.set(resource, sum === undefined ? amount : addQuantities(sum, amount));
    }
    return { ...verdict, matches: all.some(({ matches }) => matches), charged };
  });
  return { ...review, verdicts, ...(refusal === undefined ? {} : { refusal }) };
}

/** What all workloads and claims that a quota is about would use of it together. */
export interface QuotaDemand {
  /** The workloads it is about. */
  readonly workloads: readonly Fact[];
  /** In the order of `spec.hard`; amounts in the form the quota uses. */
  readonly limits: readonly QuotaLimit[];
}

interface QuotaLimit {
  readonly resource: string;
  readonly asked: string;
  readonly hard: string;
  /** `cpu 5.6 of 6`. */
  readonly usage: string;
  readonly isExceeded: boolean;
  /** The workloads that ask for it, the most first. */
  readonly shares: readonly { readonly workload: Fact; readonly asked: string }[];
}

interface Charge {
  readonly workload: Fact;
  readonly replicas: bigint;
  readonly amounts: QuotaReview['verdicts'][number]['charged'];
}

/** What quotas say to workloads, which an edit of others leaves as it is. */
const knownReviews = derived(
  ['ResourceQuota', 'LimitRange', 'PriorityClass', 'RuntimeClass', 'StorageClass', ...workloadKinds],
  () => new WeakMap<Fact, QuotaReview['verdicts']>(),
  (_, replacement) => staysWhereItIs(replacement),
);

function verdictsOf(workload: Fact, facts: FactsReader): QuotaReview['verdicts'] {
  const known = knownReviews(facts);
  let verdicts = known.get(workload);
  if (verdicts === undefined) {
    const isStored = isStoredPod(workload) || (isClaim(workload) && isStoredClaim(workload.object));
    const review = isStored ? reviewQuotas(workload.object, unusedFor(workload, facts)) : quotaReview(workload, facts);
    known.set(workload, (verdicts = review?.verdicts ?? []));
  }
  return verdicts;
}

/** What quotas are charged for, and what decides about that. */
const charging = [
  ...workloadKinds,
  'PersistentVolumeClaim',
  'ResourceQuota',
  'LimitRange',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
] as const;

/** How many pods of a workload there are depends on these besides. */
const counting = [...charging, 'Node', 'HorizontalPodAutoscaler', 'ScaledObject'] as const;

/** By namespace, then by the name of a quota, what workloads charge it with. */
const knownCharges = derived(counting, () => new Map<string, ReadonlyMap<string, readonly Charge[]>>());

/** Pods that exist and have not ended, by namespace. */
const existing = derived(['Pod'], (pods) => {
  const byNamespace = new Map<string, Fact[]>();
  for (const fact of pods) {
    if (!isStoredPod(fact) || isTerminal(fact.object)) continue;
    addTo(byNamespace, fact.namespace, fact);
  }
  return byNamespace;
});

/** Pods that exist already, and that none of the workloads made. */
function podsOfNobody(facts: FactsReader, namespace: string, workloads: readonly Fact[]): readonly Fact[] {
  const byKey = new Map(workloads.map((fact) => [workloadKey(fact.kind, fact.namespace, fact.name), fact]));
  const made = new Map(
    (['ReplicaSet', 'Job'] as const).flatMap((kind) =>
      facts.ofKind(kind).map((fact) => [workloadKey(kind, fact.namespace, fact.name), fact] as const),
    ),
  );
  const topOf = topControllers((key) => (byKey.get(key) ?? made.get(key))?.object);
  return (existing(facts).get(namespace) ?? []).filter((fact) => {
    const top = topOf(fact.object);
    return top === null || !byKey.has(workloadKey(top.kind, top.namespace, top.name));
  });
}

/** Claims of a namespace, by it. */
const claimsIn = derived(['PersistentVolumeClaim'], (claims) => {
  return groupBy(claims, (fact) => fact.namespace);
});

/** Those that none of the workloads asks for with its pods. */
function claimsOfNobody(facts: FactsReader, namespace: string, workloads: readonly Fact[]): readonly Fact[] {
  const claims = claimsIn(facts).get(namespace) ?? [];
  if (claims.length === 0) return [];
  const made = new Set(workloads.flatMap((workload) => claimsMadeFor(workload, facts).map(nameOf)));
  return claims.filter(({ name }) => !made.has(name));
}

/** Of several declarations of one Node the first counts. */
const differentNodes = derived(['Node'], (nodes): readonly Node[] => [
  ...new Map(nodes.toReversed().map(({ name, object }) => [name, object as Node])).values(),
]);

/** As simulations make them: a DaemonSet one for each node, and what is autoscaled within its bounds. */
function podsAskedFor({ kind, namespace, name, object }: Fact, facts: FactsReader): number {
  if (kind === 'PersistentVolumeClaim') return 1;
  if (kind === 'DaemonSet') {
    return expandWorkload(object, { nodes: differentNodes(facts) }).pods.length;
  }
  const autoscaler = autoscalers(facts).get(workloadKey(kind, namespace, name));
  const written = replicasOf(object);
  return autoscaler === undefined
    ? written
    : autoscaledReplicas(written, boundsOf(autoscaler.object as HorizontalPodAutoscaler), undefined);
}

/** What the workloads of a namespace charge each of its quotas with: each is reviewed once for all quotas. */
function chargesIn(facts: FactsReader, namespace: string): ReadonlyMap<string, readonly Charge[]> {
  const known = knownCharges(facts);
  const found = known.get(namespace);
  if (found !== undefined) return found;
  const charges = new Map<string, Charge[]>();
  const workloads = workloadsIn(facts, namespace);
  const alone = podsOfNobody(facts, namespace, workloads);
  const claims = claimsOfNobody(facts, namespace, workloads);
  for (const workload of [...workloads.filter((fact) => !isStoredPod(fact)), ...alone, ...claims]) {
    const replicas = BigInt(isStoredPod(workload) ? 1 : podsAskedFor(workload, facts));
    const seen = new Set<string>();
    for (const { quota, matches, charged } of verdictsOf(workload, facts)) {
      const name = quota.metadata?.name ?? '';
      // Of several declarations of one quota the first counts.
      if (seen.has(name)) continue;
      seen.add(name);
      if (!matches) continue;
      const charge = { workload, replicas, amounts: charged };
      addTo(charges, name, charge);
    }
  }
  known.set(namespace, charges);
  return charges;
}

/** By quota: each is asked about with each workload of its namespace. */
const knownDemands = derived(counting, () => new Map<Fact, QuotaDemand>());

export function quotaDemand(quota: Fact, facts: FactsReader): QuotaDemand {
  const known = knownDemands(facts);
  return getOrInsert(known, quota, () => demandOf(quota, facts));
}

const knownElsewhere = derived(workloadKinds, () => new WeakMap<readonly Fact[], ReadonlySet<Fact>>());

/** Workloads of its namespace that are not in its cluster, which has one of each name: of several the first, as in simulations. */
function livingElsewhere(quota: Fact, facts: FactsReader): ReadonlySet<Fact> {
  const workloads = workloadsIn(facts, quota.namespace);
  const near = livingWith(workloads, quota, facts);
  return getOrInsert(knownElsewhere(facts), near, () => {
    const firsts = [...byName(near).values()].map(([first]) => first);
    const counted = new Set(ofOneCluster(firsts, facts));
    return new Set(workloads.filter((workload) => !counted.has(workload)));
  });
}

function demandOf(quota: Fact, facts: FactsReader): QuotaDemand {
  const others = livingElsewhere(quota, facts);
  const charges = (chargesIn(facts, quota.namespace).get(quota.name) ?? []).filter(
    ({ workload }) => !others.has(workload),
  );
  const limits = [...readResourceList((quota.object as ResourceQuota).spec?.hard)].map(
    ([resource, hard]): QuotaLimit => {
      const shares = charges
        .flatMap(({ workload, replicas, amounts }) => {
          const amount = amounts.get(resource);
          return amount === undefined ? [] : [{ workload, nanos: amount.nanos * replicas }];
        })
        .sort((a, b) => (a.nanos < b.nanos ? 1 : a.nanos > b.nanos ? -1 : 0));
      const asked = shares.reduce((sum, { nanos }) => sum + nanos, 0n);
      const text = (nanos: bigint): string => formatQuantity({ nanos, format: hard.format, text: '' });
      return {
        resource,
        asked: text(asked),
        hard: formatQuantity(hard),
        usage: quotaUsage(resource, asked, hard.nanos),
        isExceeded: asked > hard.nanos,
        shares: shares.map(({ workload, nanos }) => ({ workload, asked: text(nanos) })),
      };
    },
  );
  return { workloads: charges.map(({ workload }) => workload), limits };
}

/** How many pods of a workload a quota lets in when nothing else is there: the fewest of all quotas. */
export function mostByQuota(
  workload: Fact,
  facts: FactsReader,
): { readonly quota: string; readonly resource: string; readonly pods: number } | undefined {
  const bounds = verdictsOf(workload, facts).flatMap(({ quota, charged }) => {
    const hard = readResourceList(quota.spec?.hard);
    return [...charged].flatMap(([resource, { nanos }]) => {
      const limit = hard.get(resource);
      if (limit === undefined || nanos <= 0n) return [];
      return [{ quota: nameOf(quota), resource, pods: Number(limit.nanos / nanos) }];
    });
  });
  return bounds.sort((a, b) => a.pods - b.pods)[0];
}

/** A quota that the declared workloads keep within, and that has no room for one more pod of one of them. */
interface FullQuota {
  readonly quota: Fact;
  readonly resource: string;
  readonly asked: string;
  readonly hard: string;
  /** What one more pod asks for. */
  readonly more: string;
}

export function* quotasWithoutRoom(workload: Fact, facts: FactsReader): Iterable<FullQuota> {
  const verdicts = verdictsOf(workload, facts);
  for (const quota of quotasIn(facts, workload.namespace)) {
    const own = verdicts.find((verdict) => verdict.quota.metadata?.name === quota.name);
    if (own?.matches !== true) continue;
    const allowed = readResourceList((quota.object as ResourceQuota).spec?.hard);
    for (const { resource, asked, hard, isExceeded } of quotaDemand(quota, facts).limits) {
      const [more, used, most] = [own.charged.get(resource), parseQuantity(asked), allowed.get(resource)];
      if (isExceeded || more === undefined || most === undefined || isQuantityError(used)) continue;
      if (used.nanos + more.nanos > most.nanos) yield { quota, resource, asked, hard, more: formatQuantity(more) };
    }
  }
}

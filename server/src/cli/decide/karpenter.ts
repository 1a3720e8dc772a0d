import { karpenterCluster } from '../../autoscaling/karpenter/cluster.ts';
import type { Catalog } from '../../autoscaling/karpenter/catalog.ts';
import { consolidateEach, type Consolidation } from '../../autoscaling/karpenter/consolidate.ts';
import { capacityTypesOf, type NewNodeClaim } from '../../autoscaling/karpenter/node-claim.ts';
import { type NodePool, readNodeClaim, readNodePool } from '../../autoscaling/karpenter/objects.ts';
import { printedAmounts } from '../../autoscaling/karpenter/amounts.ts';
import { poolProblems } from '../../autoscaling/karpenter/pool-validation.ts';
import { isManaged, type PodOutcome, provision, type ProvisionInput } from '../../autoscaling/karpenter/provision.ts';
import { silent } from '../../autoscaling/karpenter/scheduler.ts';
import type { Requirements } from '../../autoscaling/karpenter/requirements.ts';
import { ec2Catalog } from '../../autoscaling/instance-types/ec2-catalog.ts';
import { ec2Types } from '../../autoscaling/instance-types/read-table.ts';
import { decodeObject } from '../../kubernetes/decode/index.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { addTo } from '../../util/maps.ts';
import { objectAt, objectsAt, textAt, textsAt } from './case-input.ts';
import { recordedPrice } from './recorded-prices.ts';

/** Recorded decisions were made after this time. */
const recordedNow = Date.parse('2026-11-25T12:00:00Z');

/** Mode `karpenter`: what one provisioning pass decides. */
export function decideKarpenter(input: JsonObject): JsonObject {
  const logs = new Set<string>();
  const events: string[] = [];
  const relaxed = new Map<string, string[]>();
  const read = readCase(input);
  const { pods, claims } = provision({
    ...read,
    journal: {
      log: (text) => logs.add(text),
      event: (pool, text) => events.push(`NodePool ${pool.name} Warning NoCompatibleInstanceTypes: ${text}`),
      relaxed: ({ key }, reason) => {
        addTo(relaxed, key, reason);
      },
    },
  });
  const sorted = [...claims].sort(byPoolAndPod);
  const printed = [...pods].sort(byKey).map(([key, { outcome, isMoved }]) => {
    const given = relaxed.get(key);
    return [
      key,
      {
        provisionable: !isMoved && outcome.kind !== 'not-provisionable',
        ...(isMoved ? { movedFromDeletingNode: true } : {}),
        ...printOutcome(outcome, sorted),
        ...(given === undefined ? {} : { relaxed: given }),
      },
    ] as const;
  });
  const validation = read.cluster.nodePools.flatMap((pool) => validationOf(pool));
  return {
    answer: {
      ...(printed.length === 0 ? {} : { pods: Object.fromEntries(printed) }),
      newNodeClaims: sorted.map((claim) => printClaim(claim)),
      ...(validation.length === 0 ? {} : { nodePoolValidation: Object.fromEntries(validation) }),
      ...(events.length === 0 ? {} : { events: events.sort() }),
      ...(logs.size === 0 ? {} : { logs: [...logs].sort() }),
    },
  };
}

/** Mode `karpenter-consolidation`: what becomes of each node by itself. */
export function decideConsolidation(input: JsonObject): JsonObject {
  const nodes = consolidateEach({ ...readCase(input), journal: silent });
  const printed = [...nodes].sort(byKey).map(([name, result]) => [name, printConsolidation(result)] as const);
  return { answer: { nodes: Object.fromEntries(printed), newNodeClaims: [] } };
}

function readCase(input: JsonObject): Omit<ProvisionInput, 'journal'> {
  const values = objectsAt(input, 'objects');
  const ofKind = (kind: string): readonly JsonObject[] => values.filter((value) => textAt(value, 'kind') === kind);
  const nodePools = ofKind('NodePool').map(readNodePool);
  const objects = values.map((value) => decodeObject(value).object);
  const options = objectAt(input, 'options') ?? {};
  const catalog = readCatalog(input);
  return {
    cluster: karpenterCluster(objects, nodePools, ofKind('NodeClaim').map(readNodeClaim)),
    catalogs: new Map(nodePools.map(({ name }) => [name, catalog])),
    options: {
      ignoresPreferences: textAt(options, 'preferencePolicy') === 'Ignore',
      relaxesMinValues: textAt(options, 'minValuesPolicy') === 'BestEffort',
    },
    now: recordedNow,
  };
}

function readCatalog(input: JsonObject): Catalog {
  const known = ec2Types();
  const types = textsAt(input, 'types').flatMap((name) => known.get(name) ?? []);
  const reservations = objectsAt(input, 'reserved').map((each) => ({
    type: textAt(each, 'Type') ?? '',
    zone: textAt(each, 'Zone') ?? '',
    id: textAt(each, 'ID') ?? '',
    count: Number(each['Count'] ?? 0),
  }));
  return ec2Catalog(types, {
    zones: textsAt(input, 'zones'),
    region: 'us-east-1',
    reservations,
    unavailable: new Set(textsAt(input, 'unavailable')),
    priceOf: recordedPrice,
  });
}

function validationOf(pool: NodePool): readonly (readonly [string, string])[] {
  if (pool.conditions !== undefined || !isManaged(pool)) return [];
  const problems = poolProblems(pool);
  return problems.length === 0 ? [] : [[pool.name, problems.join('; ')]];
}

function printOutcome(outcome: PodOutcome, claims: readonly NewNodeClaim[]): JsonObject {
  switch (outcome.kind) {
    case 'ignored':
      return outcome.reason === undefined ? {} : { ignored: outcome.reason };
    case 'existing':
      return { existingNode: outcome.node.name };
    case 'new':
      return { newNodeClaim: claims.indexOf(outcome.claim) };
    case 'unplaced':
      return { error: outcome.fault.text() };
    default:
      return {};
  }
}

function printClaim(claim: NewNodeClaim): JsonObject {
  const { pods, requirements, requests, template, instanceTypes, isMinValuesRelaxed } = claim;
  return {
    nodePool: template.pool.name,
    pods: pods.map(({ key }) => key),
    instanceTypes: instanceTypes.map(({ name }) => name).sort(),
    requirements: printRequirements(requirements),
    capacityTypesAtLaunch: [...capacityTypesOf(instanceTypes, requirements)],
    requests: printedAmounts(requests),
    ...(isMinValuesRelaxed ? { minValuesRelaxed: 'true' } : {}),
  };
}

function printRequirements(requirements: Requirements): Json {
  const written = [...requirements.values()].flatMap((requirement) => requirement.written);
  const order = ({ key, operator }: (typeof written)[number]): string => `${key}\n${operator}`;
  return written.sort((a, b) => (order(a) < order(b) ? -1 : 1)).map((each) => ({ ...each }));
}

function printConsolidation(result: Consolidation): JsonObject {
  switch (result.kind) {
    case 'no-candidate':
      return result.blocked === undefined ? {} : { blocked: result.blocked };
    case 'keep':
      return {
        verdict: 'keep',
        ...(result.unconsolidatable === undefined ? {} : { unconsolidatable: result.unconsolidatable }),
      };
    case 'delete-empty':
      return { verdict: 'delete, empty' };
    default: {
      const moves = result.moves.map(({ pod, node }) => `${pod} -> ${node}`).sort();
      const movesTo = moves.length === 0 ? {} : { movesTo: moves };
      if (result.kind === 'delete') return { verdict: 'delete', ...movesTo };
      const names = result.types.map(({ name }) => name).sort();
      const replacement = { ...printClaim(result.claim), instanceTypes: names, capacityTypesAtLaunch: null };
      return { verdict: 'replace', replacement, ...movesTo };
    }
  }
}

function byPoolAndPod(a: NewNodeClaim, b: NewNodeClaim): number {
  const order = ({ template, pods }: NewNodeClaim): string => `${template.pool.name}\n${pods[0]?.key ?? ''}`;
  return order(a) < order(b) ? -1 : 1;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { Capacity } from '../../report-model/capacity.ts';
import { getOrInsert } from '../../util/maps.ts';
import { type EndOfRun, type FitRoom, type KnownRooms, NoReplicasError, roomsAtEnd } from '../capacity/fit.ts';

/** More are counted. */
const mostNodes = 6;
const mostVictims = 10;

/** What was found in the end of a run serves all who ask it. */
const roomsIn = new WeakMap<EndOfRun, KnownRooms>();

/** How many more replicas there is room for, of some workloads by their index, or of all. Yields after each. */
export function* capacityOf(
  end: EndOfRun,
  workloads: Iterable<number> = end.simulated.workloads.keys(),
): Generator<void, Capacity[]> {
  const nodeIndex = new Map(end.simulated.nodes.map(({ name }, index) => [name, index]));
  const capacities: Capacity[] = [];
  const known = getOrInsert(roomsIn, end, () => new Map());
  for (const workload of workloads) {
    if (workload < end.simulated.workloads.length) {
      capacities.push(ofWorkload(end, workload, known, (name) => nodeIndex.get(name)!));
    }
    yield;
  }
  return capacities;
}

const none = { count: 0, isExact: true };

function ofWorkload(end: EndOfRun, workload: number, known: KnownRooms, nodeIndex: (name: string) => number): Capacity {
  try {
    const { free, withinBudgets, evicting, gates, sharesClaims } = roomsAtEnd(end, workload, known);
    return {
      workload,
      refusal: '',
      free: sizeOf(free),
      withinBudgets: sizeOf(withinBudgets),
      evicting: sizeOf(evicting),
      nodes: free.nodes.slice(0, mostNodes).map(({ node, count }) => ({ node: nodeIndex(node), count })),
      moreNodes: Math.max(0, free.nodes.length - mostNodes),
      runsOut: free.runsOut,
      message: free.message,
      evicts: evictionOf(free, nodeIndex),
      gates,
      sharesClaims,
    };
  } catch (error) {
    if (!(error instanceof NoReplicasError)) throw error;
    return {
      workload,
      refusal: error.message,
      free: none,
      withinBudgets: none,
      evicting: none,
      nodes: [],
      moreNodes: 0,
      runsOut: '',
      message: '',
      evicts: null,
      gates: [],
      sharesClaims: false,
    };
  }
}

function sizeOf({ count, isExact }: FitRoom): Capacity['free'] {
  return { count, isExact };
}

function evictionOf({ evicts }: FitRoom, nodeIndex: (name: string) => number): Capacity['evicts'] {
  if (evicts === null) return null;
  const { node, victims, brokenBudgets } = evicts;
  return {
    node: nodeIndex(node),
    victims: victims.slice(0, mostVictims),
    moreVictims: Math.max(0, victims.length - mostVictims),
    brokenBudgets,
  };
}

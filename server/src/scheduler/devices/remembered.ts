import type { DeviceClass } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { Devices, NoDevices, TakenDevices, WantedClaim } from '../framework/device-engine.ts';
import type { NodeFacts } from '../framework/node-facts.ts';
import type { Inventory, Pool } from './inventory.ts';
import type { SearchEnd } from './search-settings.ts';

type Answer = Devices | NoDevices;

interface Remembered {
  /** Which of the devices that reach the node were taken. */
  readonly taken: string | number;
  readonly answer: Answer;
}

/** What nodes answered to claims of the same texts. */
interface Asked {
  /** The attempt that asked first: most claims are asked about in one attempt alone, and nothing of that is kept. */
  readonly first: object;
  readonly byNode: WeakMap<NodeFacts, Remembered>;
}

type ByClaims = Map<string, Asked>;

const known = new WeakMap<Inventory, WeakMap<ReadonlyMap<string, DeviceClass>, ByClaims>>();
const numbers = new WeakMap<WantedClaim['spec'], number>();
const numbersByText = new Map<string, number>();
/** Texts of claims that are told apart; of more nothing is remembered. */
const mostTexts = 2_000;

/** Claims that ask for the same have the same number. Negative where there are too many to remember. */
function numberOf(spec: WantedClaim['spec']): number {
  let number = numbers.get(spec);
  if (number !== undefined) return number;
  const text = JSON.stringify(spec);
  number = numbersByText.get(text);
  if (number === undefined) {
    if (numbersByText.size >= mostTexts) return -1;
    numbersByText.set(text, (number = numbersByText.size));
  }
  numbers.set(spec, number);
  return number;
}

const ends = new WeakMap<Inventory, Map<string, Map<string, SearchEnd>>>();

/** How long searches for claims that ask for the same ended, over the same slices. */
export function endsOf(inventory: Inventory, claims: readonly WantedClaim[]): Map<string, SearchEnd> {
  const texts = claims.map(({ spec }) => numberOf(spec));
  const byClaims = getOrInsert(ends, inventory, () => new Map());
  const key = texts.join();
  const known = byClaims.get(key) ?? new Map<string, SearchEnd>();
  if (!texts.includes(-1)) byClaims.set(key, known);
  return known;
}

/**
 * The pods of a workload ask the same of nodes of which few change between two of them. A node whose pools are only taken
 * as a whole, device by device, answers as before while the same devices are taken.
 */
export function remembered(
  {
    attempt,
    inventory,
    classes,
    taken,
  }: {
    readonly attempt: object;
    readonly inventory: Inventory;
    readonly classes: ReadonlyMap<string, DeviceClass>;
    readonly taken: TakenDevices;
  },
  node: NodeFacts,
  pools: readonly Pool[],
  claims: readonly WantedClaim[],
  answer: () => Answer,
): Answer {
  const texts = claims.map(({ spec }) => numberOf(spec));
  if (texts.includes(-1)) return answer();
  const signature = signatureOf(pools, taken);
  if (signature === null) return answer();
  const byClasses = getOrInsert(known, inventory, () => new WeakMap());
  const byClaims = getOrInsert(byClasses, classes, () => new Map());
  const key = texts.join();
  const asked = getOrInsert(byClaims, key, () => ({ first: attempt, byNode: new WeakMap<NodeFacts, Remembered>() }));
  if (asked.first === attempt) return answer();
  const { byNode } = asked;
  const before = byNode.get(node);
  if (before?.taken === signature) return before.answer;
  const found = answer();
  // Texts of errors name the claim.
  if (found.kind !== 'error') byNode.set(node, { taken: signature, answer: found });
  return found;
}

const plainPools = new WeakMap<readonly Pool[], readonly string[] | null>();

/** Null where devices are shared, or take of counters: then other nodes have a part in it. */
function idsOf(pools: readonly Pool[]): readonly string[] | null {
  let ids = plainPools.get(pools);
  if (ids !== undefined) return ids;
  const devices = pools.flatMap((pool) => pool.devices);
  const isPlain = devices.every(
    ({ device }) => device.allowMultipleAllocations !== true && (device.consumesCounters ?? []).length === 0,
  );
  ids = isPlain ? devices.map(({ id }) => id) : null;
  plainPools.set(pools, ids);
  return ids;
}

/** Which devices are taken: as bits, since texts of as many nodes and pods would fill the memory. */
function signatureOf(pools: readonly Pool[], { devices, capacity }: TakenDevices): string | number | null {
  const ids = idsOf(pools);
  if (ids === null) return null;
  let before = '';
  let bits = 0;
  for (let index = 0; index < ids.length; index += 1) {
    const id = ids[index]!;
    if (capacity.size > 0 && capacity.has(id)) return null;
    bits = bits * 2 + (devices.has(id) ? 1 : 0);
    if (index % mostBits !== mostBits - 1) continue;
    before += `${bits},`;
    bits = 0;
  }
  return before === '' ? bits : `${before}${bits}`;
}

/** As many as a number holds exactly. */
const mostBits = 50;

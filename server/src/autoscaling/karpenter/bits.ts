/** A set of the types of a catalog, by their places in it: cheap to intersect. */
export type Bits = Uint32Array;

export function noBits(size: number): Bits {
  return new Uint32Array((size + 31) >>> 5);
}

export function setBit(bits: Bits, at: number): void {
  bits[at >>> 5]! |= 1 << (at & 31);
}

function hasBit(bits: Bits, at: number): boolean {
  return (bits[at >>> 5]! & (1 << (at & 31))) !== 0;
}

/** Changes the first. */
export function addBits(bits: Bits, more: Bits): void {
  for (let word = 0; word < bits.length; word++) bits[word]! |= more[word]!;
}

/** Changes the first. */
export function keepBits(bits: Bits, others: Bits): void {
  for (let word = 0; word < bits.length; word++) bits[word]! &= others[word]!;
}

export function isEmpty(bits: Bits): boolean {
  return bits.every((word) => word === 0);
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let word of bits) for (; word !== 0; word &= word - 1) count++;
  return count;
}

/** The places, in order. */
export function placesOf(bits: Bits): number[] {
  const places: number[] = [];
  for (let at = 0; at < bits.length * 32; at++) if (hasBit(bits, at)) places.push(at);
  return places;
}

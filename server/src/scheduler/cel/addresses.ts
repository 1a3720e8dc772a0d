/** Addresses as Go's net/netip reads them. */

export class IpAddress {
  readonly celType = 'net.IP';
  readonly bits: 32 | 128;
  readonly value: bigint;
  readonly text: string;

  constructor(bits: 32 | 128, value: bigint) {
    this.bits = bits;
    this.value = value;
    this.text = bits === 32 ? [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.') : text6(value);
  }

  get isUnspecified(): boolean {
    return this.value === 0n;
  }

  get isLoopback(): boolean {
    return this.bits === 32 ? this.value >> 24n === 127n : this.value === 1n;
  }

  get isLinkLocalMulticast(): boolean {
    return this.bits === 32 ? this.value >> 8n === 0xe00000n : ((this.value >> 112n) & 0xff0fn) === 0xff02n;
  }

  get isLinkLocalUnicast(): boolean {
    return this.bits === 32 ? this.value >> 16n === 0xa9fen : this.value >> 118n === 0x3fan;
  }

  get isMulticast(): boolean {
    return this.bits === 32 ? this.value >> 28n === 0xen : this.value >> 120n === 0xffn;
  }

  get isGlobalUnicast(): boolean {
    const isBroadcast = this.bits === 32 && this.value === 0xffffffffn;
    return !isBroadcast && !this.isUnspecified && !this.isLoopback && !this.isMulticast && !this.isLinkLocalUnicast;
  }
}

export class IpNetwork {
  readonly celType = 'net.CIDR';
  readonly address: IpAddress;
  readonly prefix: number;
  readonly text: string;

  constructor(address: IpAddress, prefix: number) {
    this.address = address;
    this.prefix = prefix;
    this.text = `${address.text}/${prefix}`;
  }

  get masked(): IpNetwork {
    const rest = BigInt(this.address.bits - this.prefix);
    return new IpNetwork(new IpAddress(this.address.bits, (this.address.value >> rest) << rest), this.prefix);
  }

  contains(other: IpAddress): boolean {
    const rest = BigInt(this.address.bits - this.prefix);
    return other.bits === this.address.bits && other.value >> rest === this.address.value >> rest;
  }

  containsNetwork(other: IpNetwork): boolean {
    return this.contains(other.address) && this.prefix <= other.prefix;
  }
}

function text6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));
  let [start, length] = [-1, 1];
  for (let at = 0; at < 8; at++) {
    let end = at;
    while (end < 8 && groups[end] === '0') end += 1;
    if (end - at > length) [start, length] = [at, end - at];
  }
  if (start === -1) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function read4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  let value = 0n;
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function read6(text: string): bigint | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const groupsOf = (half: string): bigint[] | null => {
    if (half === '') return [];
    const groups: bigint[] = [];
    const parts = half.split(':');
    for (const [at, part] of parts.entries()) {
      if (at === parts.length - 1 && part.includes('.')) {
        const value = read4(part);
        if (value === null) return null;
        groups.push(value >> 16n, value & 0xffffn);
      } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
        groups.push(BigInt(`0x${part}`));
      } else {
        return null;
      }
    }
    return groups;
  };
  const [left, right] = [groupsOf(halves[0]!), halves.length === 2 ? groupsOf(halves[1]!) : []];
  if (left === null || right === null) return null;
  const missing = 8 - left.length - right.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  return [...left, ...new Array<bigint>(missing).fill(0n), ...right].reduce((sum, group) => (sum << 16n) | group, 0n);
}

/** An address, or the text of the refusal. Zones and IPv4 in IPv6 are refused. Source: parseIPAddr in library/ip.go */
export function ipOf(text: string): IpAddress | string {
  const four = read4(text);
  if (four !== null) return new IpAddress(32, four);
  const zoned = text.includes('%');
  const six = read6(zoned ? text.slice(0, text.indexOf('%')) : text);
  if (six === null) {
    const problem = text.includes(':') || text.includes('.') ? 'unexpected character' : 'unable to parse IP';
    return `IP Address "${text}" parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): ${problem}`;
  }
  if (zoned) return `IP address "${text}" with zone value is not allowed`;
  if (six >> 32n === 0xffffn) return `IPv4-mapped IPv6 address "${text}" is not allowed`;
  return new IpAddress(128, six);
}

/** Source: parseCIDR in library/cidr.go */
export function networkOf(text: string): IpNetwork | string {
  const slash = text.lastIndexOf('/');
  const address = slash === -1 ? '' : ipOf(text.slice(0, slash));
  const prefix = text.slice(slash + 1);
  const isRight = typeof address !== 'string' && /^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= address.bits;
  if (isRight) return new IpNetwork(address, Number(prefix));
  return `network address parse error during conversion from string: network address parse error: netip.ParsePrefix(${JSON.stringify(text)}): ${slash === -1 ? "no '/'" : 'bad bits after slash'}`;
}

import type { FieldError } from '../../kubernetes/field-error.ts';
import { invalid } from './field-errors.ts';
import type { FieldPath } from './field-path.ts';
import { goQuote } from './go-quote.ts';

/**
 * Judges an IP address as the older fields of the API take it: numbers may have leading zeros, unless the server is
 * `strict`, which came with a later minor.
 * Source: IsValidIPForLegacyField in staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go
 */
export function validateIpAddress(address: string, at: FieldPath, strict = false): FieldError[] {
  const isAddress = address.includes(':') ? isIpv6(address) : isIpv4(address);
  if (isAddress && strict) {
    if (hasLeadingZeros(address)) return [invalid(at, address, 'must not have leading 0s')];
    if (isMapped(address)) {
      return [invalid(at, address, 'must not be an IPv4-mapped IPv6 address')];
    }
  }
  return isAddress ? [] : [invalid(at, address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** Of a valid address: a number of IPv4 with a zero in front, or a group of IPv6 that is longer than others. */
function hasLeadingZeros(address: string): boolean {
  return address.split(':').some((group) => (group.includes('.') ? /(?:^|\.)0\d/.test(group) : group.length > 4));
}

/** Whether a valid address is an IPv4 address behind nothing but zeros and `ffff`. */
function isMapped(address: string): boolean {
  return address.includes(':') && bitsOf(address) >> 32n === 0xffffn;
}

/** A valid address as one number. */
function bitsOf(address: string): bigint {
  const ipv4 = (text: string): bigint => text.split('.').reduce((sum, part) => sum * 256n + BigInt(Number(part)), 0n);
  if (!address.includes(':')) return ipv4(address);
  const [head = [], tail = []] = address.split('::').map((half) =>
    (half === '' ? [] : half.split(':')).flatMap((group) => {
      if (!group.includes('.')) return [BigInt(`0x${group}`)];
      return [ipv4(group) >> 16n, ipv4(group) & 0xffffn];
    }),
  );
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0n);
  return [...head, ...zeros, ...tail].reduce((sum, group) => (sum << 16n) | group, 0n);
}

/** As Go writes the address. Source: netip.Addr.String, net.IP.String */
function addressText(bits: bigint, width: number): string {
  if (width === 32) return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 0xffn)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const zeros = [
    ...groups
      .map((group) => (group === '0' ? '0' : '.'))
      .join('')
      .matchAll(/0{2,}/g),
  ];
  const [longest] = zeros.toSorted(([one], [other]) => other.length - one.length);
  if (longest === undefined) return groups.join(':');
  const end = longest.index + longest[0].length;
  return `${groups.slice(0, longest.index).join(':')}::${groups.slice(end).join(':')}`;
}

/** What is said of a valid address that is not written as usual. Source: GetWarningsForIP */
export function addressWarnings(address: string, at: FieldPath): readonly string[] {
  const isOld = isMapped(address) || !address.includes(':');
  const text = addressText(isOld ? bitsOf(address) & 0xffffffffn : bitsOf(address), isOld ? 32 : 128);
  if (hasLeadingZeros(address) || isMapped(address)) {
    return [`${at.text}: non-standard IP address ${goQuote(address)} is invalid: use ${goQuote(text)}`];
  }
  if (isOld || text === address) return [];
  return [`${at.text}: IPv6 address ${goQuote(address)} should be in RFC 5952 canonical format (${goQuote(text)})`];
}

/** What is said of a valid range that names an address in it. Source: GetWarningsForCIDR */
export function rangeWarnings(range: string, at: FieldPath): readonly string[] {
  const [address = '', length = ''] = range.split('/');
  const width = address.includes(':') ? 128 : 32;
  const rest = BigInt(width - Number(length));
  const bits = bitsOf(address);
  if ((bits >> rest) << rest === bits) return [];
  const whole = goQuote(`${addressText((bits >> rest) << rest, width)}/${Number(length)}`);
  const single = goQuote(`${addressText(bits, width)}/${width}`);
  return [`${at.text}: CIDR value ${goQuote(range)} is ambiguous in this context (should be ${whole} or ${single}?)`];
}

/** What is wrong with a range of addresses, as the older fields take it. Source: IsValidCIDRForLegacyField */
export function cidrProblem(range: string, strict: boolean): string | undefined {
  const [address = '', bits = '', ...rest] = range.split('/');
  const width = address.includes(':') ? 128 : 32;
  const isRange =
    rest.length === 0 &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) <= width &&
    (width === 128 ? isIpv6(address) : isIpv4(address));
  if (!isRange) return 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  if (!strict) return undefined;
  if (hasLeadingZeros(address) || /^0\d/.test(bits)) return 'must not have leading 0s in IP or prefix length';
  if (isMapped(address)) return 'must not have an IPv4-mapped IPv6 address';
  const isMasked = BigInt.asUintN(width - Number(bits), bitsOf(address)) === 0n;
  return isMasked ? undefined : 'must not have bits set beyond the prefix length';
}

function isIpv4(address: string): boolean {
  const parts = address.split('.');
  return parts.length === 4 && parts.every((part) => /^0*\d{1,3}$/.test(part) && Number(part) <= 255);
}

/** Eight groups, of which `::` stands for one or more that are zero; the last two may be written as an IPv4 address. */
function isIpv6(address: string): boolean {
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1);
  const endsInIpv4 = last !== undefined && last.includes('.') && !address.endsWith('::');
  const numbers = endsInIpv4 ? groups.slice(0, -1) : groups;
  if (endsInIpv4 && !isIpv4(last)) return false;
  if (!numbers.every((group) => /^0*[0-9a-f]{1,4}$/i.test(group))) return false;
  const count = numbers.length + (endsInIpv4 ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

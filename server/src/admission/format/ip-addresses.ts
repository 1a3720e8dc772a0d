import type { FieldError } from '../../kubernetes/field-error.ts';
import { invalid } from './field-errors.ts';
import type { FieldPath } from './field-path.ts';

/**
 * Judges an IP address as the older fields of the API take it: numbers may have leading zeros, unless the server is
 * `strict`, which came with a later minor.
 * Source: IsValidIPForLegacyField in staging/src/k8s.io/apimachinery/pkg/util/validation/ip.go
 */
export function validateIpAddress(address: string, at: FieldPath, strict = false): FieldError[] {
  const isAddress = address.includes(':') ? isIpv6(address) : isIpv4(address);
  if (isAddress && strict) {
    if (address.split(/[.:]/).some((part) => /^0\d+$/.test(part)) && address.includes('.')) {
      return [invalid(at, address, 'must not have leading 0s')];
    }
    if (isMapped(address)) {
      return [invalid(at, address, 'must not be an IPv4-mapped IPv6 address')];
    }
  }
  return isAddress ? [] : [invalid(at, address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** Whether a valid address is an IPv4 address behind nothing but zeros and `ffff`. */
function isMapped(address: string): boolean {
  const groups = address.split(':');
  const [last = '', marker = '', ...zeros] = groups.reverse();
  return last.includes('.') && /^0*ffff$/i.test(marker) && zeros.every((group) => /^0*$/.test(group));
}

/** A range of addresses, as the older fields take it. Source: IsValidCIDRForLegacyField */
export function isCidr(range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  if (bits === undefined || rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return address.includes(':') ? isIpv6(address) && Number(bits) <= 128 : isIpv4(address) && Number(bits) <= 32;
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

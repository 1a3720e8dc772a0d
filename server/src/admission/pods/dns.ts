import { append } from '../../util/append.ts';
import type { FieldError } from '../../kubernetes/field-error.ts';
import type { PodSpec } from '../../kubernetes/objects.ts';
import { type Batches, inBatches, invalid, invalidFormat, required } from '../format/field-errors.ts';
import type { FieldPath } from '../format/field-path.ts';
import { goList, goString } from '../format/go-zero.ts';
import { validateIpAddress } from '../format/ip-addresses.ts';
import { byteLength, dnsSubdomainProblems, searchDomainProblems } from '../format/names.ts';

/** Source for this file: pkg/apis/core/validation/validation.go */

export const dnsPolicies: readonly string[] = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** What a resolver takes. Source: MaxDNSNameservers and its like */
const maxNameservers = 3;
const maxSearchPaths = 32;
const maxSearchLength = 2048;

/** validatePodDNSConfig. */
export function validateDnsConfig(
  { dnsPolicy, dnsConfig }: PodSpec,
  strictAddresses: boolean,
  at: FieldPath,
): FieldError[] {
  const nameservers = goList(dnsConfig?.nameservers);
  if (dnsPolicy === 'None' && dnsConfig === undefined) {
    return [required(at, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  }
  const serversPath = at.child('nameservers');
  if (dnsPolicy === 'None' && nameservers.length === 0) {
    return [required(serversPath, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  const errors: FieldError[] = [];
  if (nameservers.length > maxNameservers) {
    errors.push(invalid(serversPath, nameservers, `must not have more than ${maxNameservers} nameservers`));
  }
  nameservers.forEach((address, index) => {
    append(errors, validateIpAddress(address, serversPath.index(index), strictAddresses));
  });

  const searches = goList(dnsConfig?.searches);
  const searchesPath = at.child('searches');
  if (searches.length > maxSearchPaths) {
    errors.push(invalid(searchesPath, searches, `must not have more than ${maxSearchPaths} search paths`));
  }
  if (byteLength(searches.join(' ')) > maxSearchLength) {
    const detail = `must not have more than ${maxSearchLength} characters (including spaces) in the search list`;
    errors.push(invalid(searchesPath, searches, detail));
  }
  searches.forEach((written, index) => {
    if (written === '.') return;
    const domain = written.endsWith('.') ? written.slice(0, -1) : written;
    append(errors, invalidFormat(searchesPath.index(index), domain, searchDomainProblems(domain)));
  });
  goList(dnsConfig?.options).forEach((option, index) => {
    if (goString(option.name) === '') errors.push(required(at.child('options').index(index), 'must not be empty'));
  });
  return errors;
}

/** ValidateHostAliases. */
export function judgeHostAliases(aliases: PodSpec['hostAliases'], strictAddresses: boolean, at: FieldPath): Batches {
  return inBatches(goList(aliases), ({ ip, hostnames }, index) => {
    const place = at.index(index);
    return [
      ...validateIpAddress(goString(ip), place.child('ip'), strictAddresses),
      ...goList(hostnames).flatMap((name, position) =>
        invalidFormat(place.child('hostnames').index(position), name, dnsSubdomainProblems(name)),
      ),
    ];
  });
}

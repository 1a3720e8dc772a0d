import { compileRequirements, isLabelOperator } from '../../kubernetes/labels.ts';
import type { PersistentVolumeClaim } from '../../kubernetes/objects.ts';
import { readResourceList, type ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { integerQuantity, maxQuantity, quantityValue } from '../../kubernetes/quantity.ts';
import { classOfClaim } from '../../kubernetes/storage-class-of.ts';
import { goString } from '../format/go-zero.ts';
import type { ScopeMatch, ScopeRequirement } from './scopes.ts';

/** Source for this file: pkg/quota/v1/evaluator/core/persistent_volume_claims.go */

const claimCount = 'count/persistentvolumeclaims';
const claimResources = ['persistentvolumeclaims', 'requests.storage'] as const;
const ofClass = '.storageclass.storage.k8s.io/';

/** What a claim is charged for, its class filled in (Usage). */
export function claimUsage(claim: PersistentVolumeClaim): ResourceAmounts {
  const { spec, status } = claim;
  const one = integerQuantity(1);
  const usage = new Map([
    ['persistentvolumeclaims', one],
    [claimCount, one],
  ]);
  const requested = readResourceList(spec?.resources?.requests).get('storage');
  const allocated = readResourceList(status?.allocatedResources).get('storage');
  const most = requested === undefined || allocated === undefined ? requested : maxQuantity(requested, allocated);
  const isWhole = most === undefined || most.nanos % 1_000_000_000n === 0n;
  const storage = isWhole ? most : integerQuantity(quantityValue(most), most.format);
  if (storage !== undefined) usage.set('requests.storage', storage);
  const className = classOfClaim(claim);
  if (className === '') return usage;
  usage.set(`${className}${ofClass}persistentvolumeclaims`, one);
  if (storage !== undefined) usage.set(`${className}${ofClass}requests.storage`, storage);
  return usage;
}

/** Those of the names that a quota counts for claims (MatchingResources). */
export function matchingClaimResources(names: readonly string[]): readonly string[] {
  return names.filter(
    (name) => name === claimCount || claimResources.some((each) => name === each || name.endsWith(ofClass + each)),
  );
}

/** Source: pvcMatchesScopeFunc. Scopes of pods match no claim. */
export function matchClaimScope(
  { spec, status }: PersistentVolumeClaim,
  { scopeName, operator, values }: ScopeRequirement,
): ScopeMatch {
  if (scopeName !== 'VolumeAttributesClass') return { matches: false };
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name) => goString(name) !== '');
  if (operator === 'Exists') return { matches: names.length > 0 };
  if (!isLabelOperator(operator)) {
    return { invalid: `failed to parse and convert selector: "${operator}" is not a valid scope selector operator` };
  }
  const selector = compileRequirements([{ key: scopeName, operator, values }]);
  if (selector.invalid !== undefined) {
    return { invalid: `failed to parse and convert selector: ${selector.invalid}` };
  }
  const labels = names.length === 0 ? [{}] : names.map((name) => ({ [scopeName]: goString(name) }));
  return { matches: labels.some((each) => selector.matches(each)) };
}

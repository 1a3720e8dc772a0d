import { keyOf } from '../../kubernetes/names.ts';
import { claimsOf } from '../framework/resource-claims.ts';
import { always, type Hints } from './hint.ts';

/** Source: dynamicresources/dynamicresources.go (EventsToRegister, isSchedulableAfterClaimChange) */
export const dynamicResourcesHints: Hints = {
  nodeAdded: always,
  'node:labels': always,
  'node:allocatable': always,
  resourceClaimAdded: (waiting, { claim }, { cluster }) => {
    const found = claimsOf(cluster.objects, waiting, cluster.release);
    return 'claims' in found && found.claims.some((own) => keyOf(own) === keyOf(claim));
  },
  resourceClaimChanged: (waiting, { before, claim }, { cluster }) => {
    const found = claimsOf(cluster.objects, waiting, cluster.release);
    if ('problem' in found) return false;
    if (before.status?.allocation !== undefined && claim.status?.allocation === undefined) return true;
    return (
      found.claims.some((own) => keyOf(own) === keyOf(claim)) &&
      JSON.stringify(before.status ?? {}) !== JSON.stringify(claim.status ?? {})
    );
  },
  deviceClassChanged: always,
  resourceSliceChanged: always,
};

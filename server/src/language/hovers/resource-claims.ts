import { joined, say } from '../../kit/say.ts';
import { count } from '../../kit/words.ts';
import type { PodSpec, ResourceClaim } from '../../kubernetes/objects.ts';
import type { Fact } from '../fact.ts';
import { code } from '../markdown.ts';
import { factLink } from './links.ts';
import { type HoverPlace, paragraphs, points } from './place.ts';

type PodClaim = NonNullable<PodSpec['resourceClaims']>[number];

/** The claims of devices that a pod has: what they ask for, and whether they have it. */
export function resourceClaimsHover(place: HoverPlace): string | undefined {
  const claims = place.fact.template?.spec.resourceClaims ?? [];
  const [, index] = place.path;
  const told = typeof index === 'number' ? claims.slice(index, index + 1) : claims.slice(0, shownClaims);
  if (told.length === 0) return undefined;
  return paragraphs(
    points(told.map((claim) => claimText(claim, place))),
    say`Priority never preempts for devices: where none is free for its claims, evicting pods would not help. Which devices are free is not modelled.`,
  );
}

const shownClaims = 5;

function claimText(claim: PodClaim, place: HoverPlace): string {
  const kind = claim.resourceClaimName === undefined ? 'ResourceClaimTemplate' : 'ResourceClaim';
  const name = claim.resourceClaimName ?? claim.resourceClaimTemplateName ?? '';
  const { fact, facts } = place;
  const declared = facts.ofKind(kind).find((each) => each.name === name && each.namespace === fact.namespace);
  if (declared === undefined) return say`${kind} ${code(name)} is not declared here`;
  return say`${kind} ${factLink(declared, facts)} asks for ${requestsText(declared)}${stateText(declared)}`;
}

/** What the spec of a claim, or of those that a template makes, requests. */
function requestsText({ kind, object }: Fact): string {
  const { spec } = object as ResourceClaim;
  const claim = kind === 'ResourceClaim' ? spec : (spec as unknown as Pick<ResourceClaim, 'spec'>).spec;
  const requests = claim.devices?.requests ?? [];
  if (requests.length === 0) return say`nothing`;
  return joined(
    requests.slice(0, shownClaims).map(({ exactly, firstAvailable = [] }) => {
      if (exactly === undefined) {
        return say`the first that is free of ${code(firstAvailable.map(({ deviceClassName }) => deviceClassName).join(', '))}`;
      }
      const amount = exactly.allocationMode === 'All' ? say`all devices` : count(exactly.count ?? 1, 'device');
      return say`${amount} of class ${code(exactly.deviceClassName)}`;
    }),
    ', ',
  );
}

function stateText({ kind, object }: Fact): string {
  if (kind !== 'ResourceClaim') return say`, one for each pod`;
  const { status } = object as ResourceClaim;
  if (status?.allocation === undefined) return '';
  return say`; it has them, reserved for ${count(status.reservedFor?.length ?? 0, 'pod')}`;
}

import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { PodSpec, ResourceClaim } from '../../kubernetes/objects.ts';
import type { Fact } from '../index/fact.ts';
import { code } from '../connection/markdown.ts';
import { noPreemption } from './devices.ts';
import { factLink, some } from './links.ts';
import { type HoverPlace, paragraphs, points } from './place.ts';

type PodClaim = NonNullable<PodSpec['resourceClaims']>[number];

/** The claims of devices that a pod has: what they ask for, and whether they have it. */
export function resourceClaimsHover(place: HoverPlace): string | undefined {
  const claims = place.fact.template?.spec.resourceClaims ?? [];
  const [, index] = place.path;
  const listed = typeof index === 'number' ? claims.slice(index, index + 1) : claims.slice(0, shownClaims);
  if (listed.length === 0) return undefined;
  return paragraphs(points(listed.map((claim) => claimText(claim, place))), noPreemption());
}

/** Which of the claims of its pod a container gets the devices of. */
export function containerClaimsHover(place: HoverPlace): string | undefined {
  const [list, index, field, part, at] = place.path;
  const { spec } = place.fact.template ?? {};
  if (field !== 'resources' || part !== 'claims' || spec === undefined || typeof index !== 'number') return undefined;
  if (list !== 'containers' && list !== 'initContainers') return undefined;
  const container = spec[list]?.[index];
  const claims = container?.resources?.claims ?? [];
  if (container === undefined || claims.length === 0) return undefined;
  const others = [...spec.containers, ...(spec.initContainers ?? [])].filter((each) => each !== container);
  const listed = typeof at === 'number' ? claims.slice(at, at + 1) : claims.slice(0, shownClaims);
  return paragraphs(
    say`**Container ${code(container.name)} gets devices of ${count(claims.length, 'claim')} of its pod**`,
    points(
      listed.map(({ name, request }) => {
        const sharing = others.filter(({ resources }) => resources?.claims?.some((claim) => claim.name === name));
        const shared = sharing.length === 0 ? '' : say`, shared with ${some(sharing, (each) => code(each.name))}`;
        const claim = spec.resourceClaims?.find((each) => each.name === name);
        const text = claim === undefined ? say`the pod has no such claim` : claimText(claim, place, request);
        return say`${code(name)}${shared}: ${text}`;
      }),
    ),
    noPreemption(),
  );
}

const shownClaims = 5;

/** What a claim asks for, or one request of it. */
function claimText(claim: PodClaim, place: HoverPlace, request = ''): string {
  const kind = claim.resourceClaimName === undefined ? 'ResourceClaimTemplate' : 'ResourceClaim';
  const name = claim.resourceClaimName ?? claim.resourceClaimTemplateName ?? '';
  const { fact, facts } = place;
  const declared = facts.ofKind(kind).find((each) => each.name === name && each.namespace === fact.namespace);
  if (declared === undefined) return say`${kind} ${code(name)} is not declared here`;
  return say`${kind} ${factLink(declared, facts)} asks for ${requestsText(declared, request)}${stateText(declared)}`;
}

/** What the spec of a claim, or of those that a template makes, requests. */
function requestsText({ kind, object }: Fact, only: string): string {
  const { spec } = object as ResourceClaim;
  const claim = kind === 'ResourceClaim' ? spec : (spec as unknown as Pick<ResourceClaim, 'spec'>).spec;
  const asked = claim.devices?.requests ?? [];
  const requests = asked.filter(({ name }) => only === '' || name === only);
  if (requests.length === 0) return only === '' ? say`nothing` : say`nothing called ${code(only)}`;
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

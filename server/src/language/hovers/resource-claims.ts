import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import type { PodSpec, ResourceClaim } from '../../kubernetes/objects.ts';
import { workloadKinds } from '../../kubernetes/pod-template.ts';
import type { Fact } from '../index/fact.ts';
import { code } from '../connection/markdown.ts';
import { devicesHover, noPreemption } from './devices.ts';
import { factLink, factLinks, some } from './links.ts';
import { type HoverPlace, isHeading, paragraphs, points } from './place.ts';

type Exactly = Omit<
  NonNullable<NonNullable<NonNullable<ResourceClaim['spec']['devices']>['requests']>[number]['exactly']>,
  'adminAccess'
>;
type PodClaim = NonNullable<PodSpec['resourceClaims']>[number];

/** The claims of devices that a pod has: what they ask for, and whether they have it. */
export function resourceClaimsHover(place: HoverPlace): string | undefined {
  const claims = place.fact.template?.spec.resourceClaims ?? [];
  const [, index] = place.path;
  const listed = typeof index === 'number' ? claims.slice(index, index + 1) : claims.slice(0, shownClaims);
  if (listed.length === 0) return undefined;
  return paragraphs(points(listed.map((claim) => claimText(claim, place))), noPreemption());
}

/** On a claim or a template: what it asks for, and which pods use it. */
export function claimHover(place: HoverPlace): string | undefined {
  const { fact, facts, path } = place;
  if (!isHeading(path)) return devicesHover(place);
  const uses = fact.kind === 'ResourceClaim' ? 'resourceClaimName' : 'resourceClaimTemplateName';
  const users = workloadKinds
    .flatMap((kind) => facts.ofKind(kind))
    .filter(
      ({ namespace, template }) =>
        namespace === fact.namespace &&
        template?.spec.resourceClaims?.some((each) => each[uses] === fact.name) === true,
    );
  return paragraphs(
    say`**${fact.kind} ${factLink(fact, facts)}** asks for ${requestsText(fact, '')}${stateText(fact)}`,
    points([users.length === 0 ? say`No pod that is declared here uses it` : say`Used by ${factLinks(users, facts)}`]),
    noPreemption(),
  );
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
  const named = (name: string): string => (requests.length > 1 ? say`${code(name)}: ` : '');
  if (requests.length === 0) return only === '' ? say`nothing` : say`nothing called ${code(only)}`;
  return joined(
    requests.slice(0, shownClaims).map(({ name, exactly, firstAvailable = [] }) => {
      if (exactly !== undefined) return say`${named(name)}${deviceText(exactly)}`;
      const choices = firstAvailable.map((each) => say`${code(each.name)} (${deviceText(each)})`);
      return say`${named(name)}the first that can be had of ${joined(choices, ', ')}`;
    }),
    ', ',
  );
}

function deviceText({ deviceClassName, allocationMode, count: amount = 1, capacity, selectors = [] }: Exactly): string {
  const devices = allocationMode === 'All' ? say`all devices` : count(amount, 'device');
  const parts = Object.entries(capacity?.requests ?? {}).map(([name, value]) => code(`${name} ${value}`));
  const share = parts.length === 0 ? '' : say` with ${joined(parts, ', ')}`;
  const chosen = selectors.length === 0 ? '' : say`, chosen by ${count(selectors.length, 'selector')}`;
  return say`${devices} of class ${code(deviceClassName)}${share}${chosen}`;
}

function stateText({ kind, object }: Fact): string {
  if (kind !== 'ResourceClaim') return say`, one for each pod`;
  const { status } = object as ResourceClaim;
  if (status?.allocation === undefined) return '';
  return say`; it has them, reserved for ${count(status.reservedFor?.length ?? 0, 'pod')}`;
}

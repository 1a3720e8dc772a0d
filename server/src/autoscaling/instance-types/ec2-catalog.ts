import { getOrInsert } from '../../util/maps.ts';
import { Catalog, type InstanceType, type Offering } from '../karpenter/catalog.ts';
import {
  capacityTypeKey,
  regionKey,
  reservationIdKey,
  reservationInterruptibleKey,
  reservationTypeKey,
  tenancyKey,
  undefinedInTypes,
  wellKnownLabels,
  nodePoolKey,
  zoneKey,
} from '../karpenter/labels.ts';
import { Requirement } from '../karpenter/requirement.ts';
import { type Requirements, together } from '../karpenter/requirements.ts';
import { type Ec2Type, type KubeletReserve, resourcesOf } from './read-table.ts';

export interface Reservation {
  readonly type: string;
  readonly zone: string;
  readonly id: string;
  readonly count: number;
}

/** How types are offered. */
export interface Offer {
  readonly zones: readonly string[];
  /** Absent where it is not known. */
  readonly region?: string;
  readonly reserve?: KubeletReserve;
  readonly reservations?: readonly Reservation[];
  /** `type/zone/capacity-type` that cannot be had now. */
  readonly unavailable?: ReadonlySet<string>;
  /** Prices are not known offline; then each is 0 and none is the cheapest. */
  readonly priceOf?: (type: string) => number;
}

const spotShare = 0.4;
const reservedShare = 1e-7;

/** The types as Karpenter's AWS provider hands them to the scheduler. Source: pkg/providers/instancetype (provider of AWS) */
export function ec2Catalog(types: readonly Ec2Type[], offer: Offer): Catalog {
  const common = commonOf(offer);
  return new Catalog(types.map((type) => instanceTypeOf(type, offer, common)));
}

/** What all types have alike. There are many types, and each is looked at often: what is equal is one. */
interface Common {
  readonly market: readonly Omit<Offering, 'price' | 'isAvailable'>[];
  /** Where a type has no label of its own. */
  readonly otherwise: Requirements;
}

const known = new Map<string, Requirement>();

function labelled(key: string, value: string): Requirement {
  const label = `${key}=${value}`;
  return getOrInsert(known, label, () => Requirement.in(key, value));
}

function commonOf({ zones, region }: Offer): Common {
  const otherwise = new Map<string, Requirement>();
  for (const key of wellKnownLabels) {
    const isUnknown = undefinedInTypes.has(key) || key === nodePoolKey || key === zoneKey || key === regionKey;
    if (!isUnknown) otherwise.set(key, Requirement.doesNotExist(key));
  }
  otherwise.set(capacityTypeKey, Requirement.in(capacityTypeKey, 'on-demand', 'spot'));
  otherwise.set(tenancyKey, Requirement.in(tenancyKey, 'default', 'dedicated'));
  if (zones.length > 0) otherwise.set(zoneKey, Requirement.in(zoneKey, ...zones));
  if (region !== undefined) otherwise.set(regionKey, Requirement.in(regionKey, region));
  // Where zones are not known, neither is what a zone lacks.
  const market = (zones.length > 0 ? zones : [undefined]).flatMap((zone) =>
    ['on-demand', 'spot'].map((capacityType) => ({
      capacityType,
      requirements: marketRequirements(zone, capacityType),
    })),
  );
  return { market, otherwise };
}

function instanceTypeOf(type: Ec2Type, offer: Offer, { market, otherwise }: Common): InstanceType {
  const { name, labels } = type;
  const reservations = (offer.reservations ?? []).filter((each) => each.type === name);
  const requirements = new Map(otherwise);
  for (const [key, value] of Object.entries(labels)) requirements.set(key, labelled(key, value));
  if (reservations.length > 0) {
    requirements.set(capacityTypeKey, Requirement.in(capacityTypeKey, 'on-demand', 'spot', 'reserved'));
    requirements.set(reservationIdKey, Requirement.in(reservationIdKey, ...reservations.map(({ id }) => id)));
    requirements.set(reservationTypeKey, Requirement.in(reservationTypeKey, 'default'));
    requirements.set(reservationInterruptibleKey, Requirement.in(reservationInterruptibleKey, 'false'));
  }
  const price = offer.priceOf?.(name) ?? 0;
  const offerings = market.map((each): Offering => {
    const zone = each.requirements.get(zoneKey)?.only ?? '';
    return {
      ...each,
      price: each.capacityType === 'spot' ? price * spotShare : price,
      isAvailable: offer.unavailable?.has(`${name}/${zone}/${each.capacityType}`) !== true,
    };
  });
  return {
    name,
    requirements,
    ...resourcesOf(type, offer.reserve),
    offerings: [...offerings, ...reservations.map((each) => reservedOffering(each, offer))],
  };
}

function marketRequirements(zone: string | undefined, capacityType: string): Requirements {
  return together([
    ...(zone === undefined ? [] : [Requirement.in(zoneKey, zone)]),
    Requirement.in(capacityTypeKey, capacityType),
    Requirement.doesNotExist(reservationIdKey),
    Requirement.doesNotExist(reservationTypeKey),
    Requirement.doesNotExist(reservationInterruptibleKey),
  ]);
}

function reservedOffering({ type, zone, id, count }: Reservation, { priceOf }: Offer): Offering {
  return {
    requirements: together([
      Requirement.in(zoneKey, zone),
      Requirement.in(capacityTypeKey, 'reserved'),
      Requirement.in(reservationIdKey, id),
      Requirement.in(reservationTypeKey, 'default'),
      Requirement.in(reservationInterruptibleKey, 'false'),
    ]),
    capacityType: 'reserved',
    price: (priceOf?.(type) ?? 0) * reservedShare,
    isAvailable: count > 0,
    reservation: { id, count },
  };
}

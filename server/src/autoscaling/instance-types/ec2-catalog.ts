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
import { labelRequirements, type Requirements, together } from '../karpenter/requirements.ts';
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
  return new Catalog(types.map((type) => instanceTypeOf(type, offer)));
}

function instanceTypeOf(type: Ec2Type, offer: Offer): InstanceType {
  const { name, labels } = type;
  const reservations = (offer.reservations ?? []).filter((each) => each.type === name);
  const defined = [
    ...labelRequirements(labels),
    Requirement.in(capacityTypeKey, 'on-demand', 'spot', ...(reservations.length > 0 ? ['reserved'] : [])),
    ...(offer.zones.length > 0 ? [Requirement.in(zoneKey, ...offer.zones)] : []),
    ...(offer.region === undefined ? [] : [Requirement.in(regionKey, offer.region)]),
    Requirement.in(tenancyKey, 'default', 'dedicated'),
    ...(reservations.length === 0
      ? []
      : [
          Requirement.in(reservationIdKey, ...reservations.map(({ id }) => id)),
          Requirement.in(reservationTypeKey, 'default'),
          Requirement.in(reservationInterruptibleKey, 'false'),
        ]),
  ];
  const keys = new Set(defined.map(({ key }) => key));
  const unknown = new Set([
    ...undefinedInTypes,
    nodePoolKey,
    ...(offer.zones.length > 0 ? [] : [zoneKey]),
    ...(offer.region === undefined ? [regionKey] : []),
  ]);
  const absent = [...wellKnownLabels]
    .filter((key) => !keys.has(key) && !unknown.has(key))
    .map((key) => Requirement.doesNotExist(key));
  const { capacity, allocatable } = resourcesOf(type, offer.reserve);
  return {
    name,
    requirements: together(defined, absent),
    capacity,
    allocatable,
    offerings: [...marketOfferings(name, offer), ...reservations.map((each) => reservedOffering(each, offer))],
  };
}

function marketOfferings(type: string, { zones, unavailable, priceOf }: Offer): readonly Offering[] {
  const price = priceOf?.(type) ?? 0;
  // Where zones are not known, neither is what a zone lacks.
  return (zones.length > 0 ? zones : [undefined]).flatMap((zone) =>
    ['on-demand', 'spot'].map((capacityType) => ({
      requirements: marketRequirements(zone, capacityType),
      capacityType,
      price: capacityType === 'spot' ? price * spotShare : price,
      isAvailable: unavailable?.has(`${type}/${zone}/${capacityType}`) !== true,
    })),
  );
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

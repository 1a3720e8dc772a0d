import type { ResourceAmounts } from '../../kubernetes/pod-resources.ts';
import { parseQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import { amountsText, merge } from './amounts.ts';
import { type Bits, isEmpty, keepBits } from './bits.ts';
import type { Catalog, InstanceType } from './catalog.ts';
import { type Fault, fault } from './faults.ts';
import { hasMinValues, type Requirements, requirementsText } from './requirements.ts';

interface Requests {
  readonly pod: ResourceAmounts;
  readonly daemons: ResourceAmounts;
  /** With the pods that are there already. */
  readonly all: ResourceAmounts;
}

interface Filtered {
  readonly types: Bits;
  /** Labels that do not have as many values as they must, and how many they have. */
  readonly tooFew: ReadonlyMap<string, number>;
}

/** A fault of too few values says so. */
export interface FilterFault extends Fault {
  readonly minValuesText?: string;
}

/**
 * Which types remain: those that meet the requirements, have room, and are offered. If none does, what some did tells why.
 * Source: filterInstanceTypesByRequirements in karpenter …/scheduling/nodeclaim.go
 */
export function filterTypes(
  catalog: Catalog,
  options: Bits,
  requirements: Requirements,
  { pod, daemons, all }: Requests,
  relaxesMinValues: boolean,
): Filtered | FilterFault {
  const among = (bits: Bits): Bits => {
    const kept = bits.slice();
    keepBits(kept, options);
    return kept;
  };
  const [met, fitting, offered] = [
    among(catalog.meeting(requirements)),
    among(catalog.fitting(all)),
    among(catalog.offered(requirements)),
  ];
  const types = met.slice();
  keepBits(types, fitting);
  keepBits(types, offered);
  const rest = (): string =>
    `, requirements=${requirementsText(requirements)}, resources=${amountsText(merge(daemons, pod))}`;
  let tooFew: ReadonlyMap<string, number> = new Map();
  if (hasMinValues(requirements)) {
    tooFew = labelsWithTooFewValues(catalog.typesOf(types), requirements);
    if (tooFew.size > 0 && !relaxesMinValues) {
      const minValuesText = tooFewText(tooFew);
      return { text: () => `${minValuesText}${rest()}`, minValuesText };
    }
  }
  if (!isEmpty(types)) return { types, tooFew };
  return fault(() => emptyText({ met, fitting, offered }, pod)(rest()));
}

/** Source: InstanceTypes.SatisfiesMinValues */
export function labelsWithTooFewValues(
  types: readonly InstanceType[],
  requirements: Requirements,
): ReadonlyMap<string, number> {
  const tooFew = new Map<string, number>();
  if (types.length === 0) return tooFew;
  for (const { key, minValues } of requirements.values()) {
    if (minValues === undefined) continue;
    const values = new Set(types.flatMap((type) => [...(type.requirements.get(key)?.values ?? [])]));
    if (values.size < minValues) tooFew.set(key, values.size);
  }
  return tooFew;
}

export function tooFewText(tooFew: ReadonlyMap<string, number>): string {
  return `minValues requirement is not met for label(s) (label(s)=[${[...tooFew.keys()].sort().join(' ')}])`;
}

/** The requirements with as many values as there are. */
export function fewValues(requirements: Requirements, tooFew: ReadonlyMap<string, number>): Requirements {
  if (tooFew.size === 0) return requirements;
  return new Map(
    [...requirements].map(([key, each]) => [key, tooFew.has(key) ? each.withMinValues(tooFew.get(key)!) : each]),
  );
}

const million = parseQuantity('1M') as Quantity;

/** Source: InstanceTypeFilterError.Error */
function emptyText(
  { met, fitting, offered }: { readonly met: Bits; readonly fitting: Bits; readonly offered: Bits },
  pod: ResourceAmounts,
): (rest: string) => string {
  const [isMet, fits, isOffered] = [!isEmpty(met), !isEmpty(fitting), !isEmpty(offered)];
  const both = (one: Bits, other: Bits): boolean => one.some((word, at) => (word & other[at]!) !== 0);
  const said = (text: string) => (rest: string) => `no instance type ${text}${rest}`;
  if (!isMet && !fits && !isOffered) {
    return said('met the scheduling requirements or had enough resources or had a required offering');
  }
  if (!isMet && !fits) return said('met the scheduling requirements or had enough resources');
  if (!isMet && !isOffered) return said('met the scheduling requirements or had a required offering');
  if (!fits && !isOffered) return said('had enough resources or had a required offering');
  if (!isMet) return said('met all requirements');
  if (!fits) {
    const isTypo = (pod.get('cpu')?.nanos ?? 0n) >= million.nanos;
    return (rest) =>
      `no instance type has enough resources${rest}${isTypo ? ' (CPU request >= 1 Million, m vs M typo?)' : ''}`;
  }
  if (!isOffered) return said('has the required offering');
  if (both(met, fitting)) {
    return said('which met the scheduling requirements and had enough resources, had a required offering');
  }
  if (both(fitting, offered)) {
    return said('which had enough resources and the required offering met the scheduling requirements');
  }
  if (both(met, offered)) {
    return said('which met the scheduling requirements and the required offering had the required resources');
  }
  return said('met the requirements/resources/offering tuple');
}

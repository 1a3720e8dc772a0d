import type { DeviceClass } from '../../kubernetes/objects.ts';
import { getOrInsert } from '../../util/maps.ts';
import type { ResourceClaimSpec, WantedClaim } from '../framework/device-engine.ts';
import type { PoolDevice } from './inventory.ts';
import type { DeviceToleration } from '../../kubernetes/device-taints.ts';

type DeviceRequest = NonNullable<NonNullable<ResourceClaimSpec['devices']>['requests']>[number];

/** A request, or an alternative of one, as the search sees it. */
export interface Request {
  /** Of an alternative its own. */
  readonly name: string;
  /** The request that it is an alternative of; empty when it is none. */
  readonly parent: string;
  readonly className: string;
  readonly class: DeviceClass;
  /** The fixed list of a request for all devices. */
  readonly all: readonly PoolDevice[] | null;
  readonly count: number;
  readonly isAdmin: boolean;
  readonly selectors: readonly string[];
  readonly tolerations: readonly DeviceToleration[];
  readonly capacity: Readonly<Record<string, string>>;
}

/** As results and configurations name it. */
export function fullName({ name, parent }: Pick<Request, 'name' | 'parent'>): string {
  return parent === '' ? name : `${parent}/${name}`;
}

/** A request before its class is looked up. */
export interface WrittenRequest extends Omit<Request, 'all' | 'class'> {
  readonly wantsAll: boolean;
  /** A selector that is no CEL expression. */
  readonly emptySelector: number;
  readonly hasCapacity: boolean;
  readonly mode: string;
}

/** Of a request that asks for no capacity. */
export const noCapacity: Readonly<Record<string, string>> = {};

/** The alternatives of a request; a plain one has itself. API defaults are applied. Source: SetDefaults_ExactDeviceRequest */
export function alternativesOf(request: DeviceRequest): readonly WrittenRequest[] {
  return getOrInsert(known, request, () => readAlternatives(request));
}

/** The same request is looked at for each node. */
const known = new WeakMap<DeviceRequest, readonly WrittenRequest[]>();

function readAlternatives({ name, exactly, firstAvailable = [] }: DeviceRequest): readonly WrittenRequest[] {
  if (firstAvailable.length > 0) {
    return firstAvailable.map((each) => written(each.name, name, each, false));
  }
  return [written(name, '', exactly ?? { deviceClassName: '' }, exactly?.adminAccess === true)];
}

type Asked = Omit<NonNullable<DeviceRequest['exactly']>, 'adminAccess'>;

function written(name: string, parent: string, asked: Asked, isAdmin: boolean): WrittenRequest {
  const { deviceClassName, allocationMode = '', count = 0, selectors = [], tolerations = [], capacity } = asked;
  const mode = allocationMode === '' ? 'ExactCount' : allocationMode;
  return {
    name,
    parent,
    className: deviceClassName,
    mode,
    wantsAll: mode === 'All',
    count: mode === 'ExactCount' && count === 0 ? 1 : count,
    isAdmin,
    selectors: selectors.map(({ cel }) => cel?.expression ?? ''),
    emptySelector: selectors.findIndex(({ cel }) => cel === undefined),
    tolerations,
    capacity: capacity?.requests ?? noCapacity,
    hasCapacity: capacity !== undefined,
  };
}

export function requestsOf({ spec }: WantedClaim): readonly DeviceRequest[] {
  return spec.devices?.requests ?? [];
}

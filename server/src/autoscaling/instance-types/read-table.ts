import { put } from '../../util/own.ts';
import { integerQuantity, milliQuantity, parseQuantity, type Quantity } from '../../kubernetes/quantity.ts';
import { archKey, awsDomain, instanceTypeKey, osKey } from '../karpenter/labels.ts';
import { cells, columns } from './table.ts';

/** A type of EC2 instance: its labels, and its resources where a NodeClass changes nothing. */
export interface Ec2Type {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly cores: number;
  /** Of the machine, before anything is reserved. */
  readonly memoryMebibytes: number;
  readonly pods: number;
  /** Devices and the like. */
  readonly extended: ReadonlyMap<string, Quantity>;
}

let known: ReadonlyMap<string, Ec2Type> | undefined;

/** All types that the table has, by name. */
export function ec2Types(): ReadonlyMap<string, Ec2Type> {
  return (known ??= readTable());
}

function readTable(): ReadonlyMap<string, Ec2Type> {
  const types = new Map<string, Ec2Type>();
  const last = new Map<string, string>();
  let family = '';
  const [names, ...others] = cells.split(';').map((column) => column.split(' '));
  for (const [row, name] of names!.entries()) {
    const [ofFamily, size] = [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)] as const;
    if (ofFamily !== '') family = ofFamily;
    for (const [at, column] of others.entries()) {
      const value = column[row]!;
      if (value !== '') last.set(columns[at]!, value);
    }
    const type = readType(family, size, last);
    types.set(type.name, type);
  }
  return types;
}

function readType(family: string, size: string, ofType: ReadonlyMap<string, string>): Ec2Type {
  const name = `${family}.${size}`;
  const labels: Record<string, string> = {
    [instanceTypeKey]: name,
    [osKey]: 'linux',
    [`${awsDomain}/instance-family`]: family,
    [`${awsDomain}/instance-size`]: size,
  };
  const extended = new Map<string, Quantity>();
  for (const [column, value] of ofType) {
    if (value === '-') continue;
    if (!column.startsWith('=')) put(labels, column.includes('/') ? column : `${awsDomain}/${column}`, value);
    else if (column !== '=pods') extended.set(column.slice(1), parseQuantity(value) as Quantity);
  }
  const amount = (column: string): number => Number(ofType.get(column));
  const isArm = labels[archKey] === 'arm64';
  // Of Graviton machines 64 MiB are gone before anything is counted. Source: memory in pkg/providers/instancetype/types.go
  const memoryMebibytes = amount('instance-memory') - (isArm ? 64 : 0);
  return { name, labels, cores: amount('instance-cpu'), memoryMebibytes, pods: amount('=pods'), extended };
}

const mebibyte = 1024n * 1024n;
/** `--vm-memory-overhead-percent` of the provider, by default. */
const memoryOverhead = 0.075;
/** Source: the default root volume of AL2023 in the provider's types.go */
const diskGibibytes = 20n;

/** What of the resources a NodeClass sets. */
export interface KubeletReserve {
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  readonly kubeReserved?: ReadonlyMap<string, Quantity>;
  readonly systemReserved?: ReadonlyMap<string, Quantity>;
  readonly diskBytes?: bigint;
}

export interface Resources {
  readonly capacity: ReadonlyMap<string, Quantity>;
  readonly allocatable: ReadonlyMap<string, Quantity>;
}

/**
 * Capacity, and what is left of it for pods.
 * Source: aws/karpenter-provider-aws pkg/providers/instancetype/types.go (computeCapacity, kubeReservedResources)
 */
export function resourcesOf(type: Ec2Type, reserve: KubeletReserve = {}): Resources {
  const { cores, extended } = type;
  const pods = podsOf(type, reserve);
  const overhead = Math.ceil(type.memoryMebibytes * memoryOverhead);
  const memory = BigInt(type.memoryMebibytes - overhead) * mebibyte;
  const disk = reserve.diskBytes ?? diskGibibytes * 1024n * mebibyte;
  const reserved = (name: string, otherwise: Quantity): Quantity => reserve.kubeReserved?.get(name) ?? otherwise;
  const units = (quantity: Quantity): bigint => quantity.nanos / 1_000_000_000n;
  const system = (name: string): bigint => reserve.systemReserved?.get(name)?.nanos ?? 0n;
  const cpu = reserved('cpu', milliQuantity(reservedMillicores(cores)));
  const kubeMemory = reserved('memory', integerQuantity(BigInt(11 * pods + 255) * mebibyte, 'BinarySI'));
  const kubeDisk = reserved('ephemeral-storage', integerQuantity(1024n * mebibyte, 'BinarySI'));
  // Of memory 100 MiB, and of the disk a tenth, are below the thresholds of eviction.
  const leftMemory = memory - units(kubeMemory) - system('memory') / 1_000_000_000n - 100n * mebibyte;
  const leftDisk = disk - units(kubeDisk) - system('ephemeral-storage') / 1_000_000_000n - disk / 10n;
  const leftCpu = BigInt(cores) * 1000n - cpu.nanos / 1_000_000n - system('cpu') / 1_000_000n;
  return {
    capacity: new Map([
      ['cpu', integerQuantity(cores)],
      ['memory', integerQuantity(memory, 'BinarySI')],
      ['ephemeral-storage', integerQuantity(disk, 'BinarySI')],
      ['pods', integerQuantity(pods)],
      ...extended,
    ]),
    allocatable: new Map([
      ['cpu', milliQuantity(leftCpu)],
      ['memory', integerQuantity(leftMemory, 'BinarySI')],
      ['ephemeral-storage', integerQuantity(leftDisk, 'BinarySI')],
      ['pods', integerQuantity(pods)],
      ...extended,
    ]),
  };
}

function podsOf({ pods, cores }: Ec2Type, { maxPods, podsPerCore }: KubeletReserve): number {
  const most = maxPods ?? pods;
  return podsPerCore === undefined || podsPerCore === 0 ? most : Math.min(most, podsPerCore * cores);
}

/** 6 % of the first core, 1 % of the second, half a percent of the next two, a quarter of the others. */
function reservedMillicores(cores: number): number {
  let reserved = 0;
  for (const [from, to, share] of [
    [0, 1, 60],
    [1, 2, 10],
    [2, 4, 5],
    [4, Infinity, 2.5],
  ] as const) {
    if (cores > from) reserved += Math.trunc((Math.min(cores, to) - from) * share);
  }
  return reserved;
}

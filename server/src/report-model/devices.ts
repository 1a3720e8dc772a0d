import { addTo } from '../util/maps.ts';
import { joined, say } from '../util/say.ts';
import { list, outOf } from '../util/words.ts';
import type { Report, ReportDevice } from './report.ts';
import type { ShortNames } from './short-names.ts';

/** Claims and pods that are named. */
const namesTold = 3;

export function devicesOf({ devices = [] }: Pick<Report, 'devices'>, node: number | null): readonly ReportDevice[] {
  return devices.filter((device) => device.node === node);
}

/** Whether a further claim could have it, or a part of it. */
export function isFree({ after, left, isCut }: ReportDevice): boolean {
  return left.length > 0 || (after.length === 0 && !isCut);
}

/** `1 of 2 devices free at the end`; empty where there are none. */
export function freeDevicesText(devices: readonly ReportDevice[]): string {
  if (devices.length === 0) return '';
  return say`${outOf(devices.filter(isFree).length, devices.length)} devices free at the end`;
}

/** `free`, `serve-0 (claim ml/serve-0-gpu)`, of a claim that no pod uses its name; of a shared one what is left. */
export function holderText({ after, pods, left, isCut }: ReportDevice, names: Pick<ShortNames, 'pod'>): string {
  if (after.length === 0) return isCut ? say`not free, its pool's counters are used up` : say`free`;
  const claims = after.length === 1 ? say`claim ${list(after)}` : say`claims ${list(after, namesTold)}`;
  const users = list(
    pods.map((pod) => names.pod(pod)),
    namesTold,
  );
  const holders = pods.length === 0 ? claims : say`${users} (${claims})`;
  return left.length === 0 ? holders : say`${holders}, ${list(left)} left`;
}

/** `model H100, memory 80Gi`. */
export function deviceText({ has }: ReportDevice): string {
  return joined([...has], ', ');
}

/** Devices of a class that are free at the end. */
export interface FreeOfClass {
  readonly className: string;
  readonly free: number;
  readonly all: number;
  /** The most that are free on one node, and that node; null where none is of a node. */
  readonly most: number;
  readonly node: number | null;
}

/** Of each class what is free of it, in the order of their names. A device may be of several classes. */
export function freeByClass(devices: readonly ReportDevice[]): readonly FreeOfClass[] {
  const byClass = new Map<string, ReportDevice[]>();
  for (const device of devices) {
    for (const className of device.classes) {
      addTo(byClass, className, device);
    }
  }
  return [...byClass]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([className, own]) => {
      const free = own.filter(isFree);
      const byNode = new Map<number, number>();
      for (const { node } of free) if (node !== null) byNode.set(node, (byNode.get(node) ?? 0) + 1);
      const [node, most] = [...byNode].sort((a, b) => b[1] - a[1])[0] ?? [null, 0];
      return { className, free: free.length, all: own.length, most, node };
    });
}

import { joined, say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { valueAt } from '../../util/values.ts';
import type { DeviceClass, ResourceSlice } from '../../kubernetes/objects.ts';
import { deviceEngine } from '../../scheduler/framework/device-engine.ts';
import { isOfClass, judgedDevices, type KnownDevice, knownDevices } from '../index/known-devices.ts';
import { code } from '../connection/markdown.ts';
import { factLink, some } from './links.ts';
import { type HoverPlace, isHeading, paragraphs, points } from './place.ts';

/** Devices that are told one by one. */
const mostDevices = 12;

/** On claims, their templates, classes and slices: which devices are meant. */
export function devicesHover(place: HoverPlace): string | undefined {
  const { fact, path } = place;
  if (fact.kind === 'ResourceSlice') return isHeading(path) ? sliceText(place) : undefined;
  const field = path.at(-1);
  if (field === 'expression') return expressionText(place, valueAt(fact.object, path));
  if (field === 'deviceClassName') return classText(place, valueAt(fact.object, path));
  if (!isHeading(path)) return undefined;
  return fact.kind === 'DeviceClass' ? classText(place, fact.name) : undefined;
}

/** What each device has to do with a selector; those of the request's class alone, where the class is known. */
function expressionText(place: HoverPlace, expression: unknown): string | undefined {
  const { fact, path, facts, release } = place;
  const engine = deviceEngine();
  if (engine === undefined || typeof expression !== 'string') return undefined;
  const refusal = engine.refuse(expression, release);
  if (refusal !== null && refusal !== 'too complex') {
    return say`The selector does not compile: ${code(refusal.error.split('\n', 1)[0]!)}`;
  }
  const judged = judgedDevices(fact, path, facts, release) ?? [];
  if (judged.length === 0) return say`No ResourceSlice with devices is declared here.`;
  const passing = judged.filter(({ against }) => against === null).length;
  return paragraphs(
    say`**${passing} of ${count(judged.length, 'device')} pass**`,
    points([
      ...judged
        .slice(0, mostDevices)
        .map(({ known: each, against }) =>
          against === null
            ? say`${deviceName(each)}: true`
            : against.kind === 'error'
              ? say`${deviceName(each)}: error, ${code(against.text)}`
              : say`${deviceName(each)}: false, ${code(against.text)}`,
        ),
      ...moreThan(judged.length),
    ]),
  );
}

/** The devices that pass the selectors of a class. */
function classText(place: HoverPlace, name: unknown): string | undefined {
  const { facts } = place;
  if (typeof name !== 'string' || name === '') return undefined;
  const declared = facts.ofKind('DeviceClass').find((each) => each.name === name);
  if (declared === undefined) {
    return say`DeviceClass ${code(name)} is not declared here. Pods of a claim whose class does not exist stay pending.`;
  }
  const devices = knownDevices(facts).filter((each) => isOfClass(name, each, facts, place.release));
  const free = devices.filter(({ takenBy }) => takenBy.length === 0);
  const { extendedResourceName } = (declared.object as DeviceClass).spec;
  return paragraphs(
    say`**DeviceClass ${factLink(declared, facts)}: ${count(devices.length, 'device')}, ${free.length} not allocated**`,
    points([
      ...(extendedResourceName === undefined
        ? []
        : [say`From Kubernetes 1.36 on, pods that request ${code(extendedResourceName)} get its devices`]),
      ...devices.slice(0, mostDevices).map(deviceText),
      ...moreThan(devices.length),
    ]),
    noPreemption(),
  );
}

/** What is true until 1.38. */
export function noPreemption(): string {
  return say`Priority never preempts for devices: where none is free for its claims, evicting pods would not help.`;
}

function sliceText({ fact, facts }: HoverPlace): string {
  const { spec } = fact.object as ResourceSlice;
  const devices = knownDevices(facts).filter(({ slice }) => slice === fact.object);
  return paragraphs(
    say`**${count(devices.length, 'device')} of driver ${code(spec.driver)} in pool ${code(spec.pool.name)}**`,
    points([...devices.slice(0, mostDevices).map(deviceText), ...moreThan(devices.length)]),
  );
}

function moreThan(all: number): readonly string[] {
  return all > mostDevices ? [say`and ${all - mostDevices} more`] : [];
}

function deviceName({ slice, device }: KnownDevice): string {
  const { nodeName } = slice.spec;
  return nodeName === undefined ? code(device.name) : say`${code(device.name)} on ${code(nodeName)}`;
}

function deviceText(each: KnownDevice): string {
  const { attributes = {}, capacity = {} } = each.device;
  const has = [
    ...Object.entries(attributes).map(
      ([name, { int, bool, string, version }]) => `${name} ${String(int ?? bool ?? string ?? version ?? '')}`,
    ),
    ...Object.entries(capacity).map(([name, { value }]) => `${name} ${value}`),
  ];
  const taken = each.takenBy.length === 0 ? '' : say`, allocated to claim ${some(each.takenBy, code)}`;
  return say`${deviceName(each)}${taken}${has.length === 0 ? '' : say`: ${joined(has.slice(0, mostDevices).map(code), ', ')}`}`;
}

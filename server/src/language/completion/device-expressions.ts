import { say } from '../../util/say.ts';
import type { Facts } from '../index/facts.ts';
import { namesInDevices, valuesInDevices } from '../index/known-devices.ts';
import type { Choice } from './context.ts';

/** What may follow in the expression of a selector, and how much of what is typed it takes the place of. */
export interface ExpressionChoices {
  readonly replaced: number;
  readonly choices: readonly Choice[];
}

const fields: readonly Choice[] = [
  { label: 'attributes', detail: 'map[domain]map[name]value' },
  { label: 'capacity', detail: 'map[domain]map[name]quantity' },
  { label: 'driver', detail: 'string' },
  { label: 'allowMultipleAllocations', detail: 'bool' },
];

const afterDevice = /\bdevice\.(\w*)$/;
const inDomain = /\bdevice\.(attributes|capacity)\[["']([^"'[\]]*)$/;
const afterDomain = /\bdevice\.(attributes|capacity)\[["']([^"'[\]]*)["']\]\.(\w*)$/;
const inValue = /\bdevice\.attributes\[["']([^"'[\]]*)["']\]\.(\w+) ?[!=]= ?["']([^"']*)$/;

/** Attributes and capacities of the devices that are there, at the end of an expression that is being typed. */
export function expressionChoices(typed: string, facts: Facts): ExpressionChoices {
  const value = inValue.exec(typed);
  if (value !== null) {
    const [, domain = '', id = '', begun = ''] = value;
    return chosen(begun, [...valuesInDevices(facts, domain, id)], say`value of a device that is there`);
  }
  const name = afterDomain.exec(typed);
  if (name !== null) {
    const [, of = '', domain = '', begun = ''] = name;
    return chosen(begun, [...(namesOf(of, facts).get(domain) ?? [])], say`of devices that are there`);
  }
  const domain = inDomain.exec(typed);
  if (domain !== null) {
    const [, of = '', begun = ''] = domain;
    return chosen(begun, [...namesOf(of, facts).keys()], say`of devices that are there`);
  }
  const field = afterDevice.exec(typed);
  return field === null ? { replaced: 0, choices: [] } : { replaced: field[1]!.length, choices: fields };
}

function namesOf(of: string, facts: Facts): ReadonlyMap<string, ReadonlySet<string>> {
  return namesInDevices(facts, of === 'capacity' ? 'capacity' : 'attributes');
}

function chosen(begun: string, labels: readonly string[], detail: string): ExpressionChoices {
  return { replaced: begun.length, choices: labels.toSorted().map((label) => ({ label, detail })) };
}

import { say } from '../../util/say.ts';
import type { Facts } from '../index/facts.ts';
import { knownDevices, namesInDevices } from '../index/known-devices.ts';
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

const words: readonly Choice[] = [
  { label: 'device', detail: say`the device that is asked` },
  { label: 'has', detail: 'has(map.key) bool' },
  { label: 'quantity', detail: 'quantity(string)' },
  { label: 'semver', detail: 'semver(string)' },
];

type Typed = 'bool' | 'int' | 'quantity' | 'string' | 'version';

interface Known {
  readonly type: Typed;
  readonly text: string;
}

const comparing = ['compareTo', 'isGreaterThan', 'isLessThan'];
/** Source: staging/src/k8s.io/apiserver/pkg/cel/library, and the strings of cel-go */
const functions: Readonly<Record<Typed, readonly string[]>> = {
  bool: [],
  int: [],
  quantity: [...comparing, 'sign', 'isInteger', 'asInteger', 'asApproximateFloat', 'add', 'sub'],
  string: ['startsWith', 'endsWith', 'contains', 'matches', 'lowerAscii', 'upperAscii', 'size', 'split', 'substring'],
  version: [...comparing, 'major', 'minor', 'patch'],
};

const inDomain = /\bdevice\.(attributes|capacity)\[\??(?:["']([^"'[\]]*))?$/;
const afterDomain = /\bdevice\.(attributes|capacity)\[\??["']([^"'[\]]*)["']\]\.\??(\w*)$/;
const afterName = /\bdevice\.(attributes|capacity)\[\??["']([^"'[\]]*)["']\]\.\??(\w+)\.(\w*)$/;
const afterRelation =
  /\bdevice\.(attributes|capacity)\[\??["']([^"'[\]]*)["']\]\.\??(\w+) *[!=]= *(?:(["'])([^"']*)|[\w.]*)$/;
const inLiteral =
  /\bdevice\.(attributes|capacity)\[\??["']([^"'[\]]*)["']\]\.\??(\w+)\.\w+\((?:(quantity|semver)\((["']?)([^"']*))?$/;
const driver = /\bdevice\.driver *[!=]= *(?:(["'])([^"']*)|[\w.]*)$/;
const bound = /cel\.bind\((\w+), *(device\.(?:attributes|capacity)\[["'][^"'[\]]*["']\]),/g;

/**
 * What devices that are there have, at the end of an expression that is being typed.
 * @param quote how texts are written, where none is open
 */
export function expressionChoices(written: string, facts: Facts, quote = '"'): ExpressionChoices {
  const typed = [...written.matchAll(bound)].reduce(
    (text, [, name, meant]) => text.replaceAll(/\b(\w+)\./g, (all, word) => (word === name ? `${meant!}.` : all)),
    written,
  );
  const quoted = (open: string, texts: Iterable<string>): readonly string[] =>
    [...texts].map((text) => (open === '' ? `${quote}${text}${quote}` : text));
  const there = say`value of a device that is there`;
  const literal = inLiteral.exec(typed);
  if (literal !== null) {
    const [, of = '', domain = '', id = '', made, open = '', begun = ''] = literal;
    const values = valuesOf(facts, of, domain, id).filter(({ type }) => type === 'quantity' || type === 'version');
    return chosen(
      made === undefined ? '' : begun,
      made === undefined
        ? values.map(({ type, text }) => `${type === 'quantity' ? type : 'semver'}(${quote}${text}${quote})`)
        : quoted(
            open,
            values.map(({ text }) => text),
          ),
      there,
    );
  }
  const relation = afterRelation.exec(typed);
  if (relation !== null) {
    const [, of = '', domain = '', id = '', open = '', begun = ''] = relation;
    const values = valuesOf(facts, of, domain, id).filter(({ type }) => open === '' || type === 'string');
    return chosen(
      begun,
      values.map(({ type, text }) =>
        type === 'string'
          ? quoted(open, [text])[0]!
          : type === 'bool' || type === 'int'
            ? text
            : `${type === 'quantity' ? type : 'semver'}(${quote}${text}${quote})`,
      ),
      there,
    );
  }
  const named = driver.exec(typed);
  if (named !== null) {
    const [, open = '', begun = ''] = named;
    return chosen(
      begun,
      quoted(
        open,
        knownDevices(facts).map(({ slice }) => slice.spec.driver),
      ),
      there,
    );
  }
  const method = afterName.exec(typed);
  if (method !== null) {
    const [, of = '', domain = '', id = '', begun = ''] = method;
    const types = new Set(valuesOf(facts, of, domain, id).map(({ type }) => type));
    return chosen(
      begun,
      [...types].flatMap((type) => functions[type].map((name) => name)),
      say`function`,
    );
  }
  const name = afterDomain.exec(typed);
  if (name !== null) {
    const [, of = '', domain = '', begun = ''] = name;
    return chosen(begun, [...(namesOf(of, facts).get(domain) ?? [])], say`of devices that are there`);
  }
  const domain = inDomain.exec(typed);
  if (domain !== null) {
    const [, of = '', begun] = domain;
    const names = quoted(begun === undefined ? '' : quote, namesOf(of, facts).keys());
    return chosen(begun ?? '', names, say`of devices that are there`);
  }
  const field = /\bdevice\.(\w*)$/.exec(typed);
  if (field !== null) return { replaced: field[1]!.length, choices: fields };
  const word = /(?:^|[\s(!&|])([a-z]*)$/.exec(typed);
  return word === null ? { replaced: 0, choices: [] } : { replaced: word[1]!.length, choices: words };
}

function namesOf(of: string, facts: Facts): ReadonlyMap<string, ReadonlySet<string>> {
  return namesInDevices(facts, of === 'capacity' ? 'capacity' : 'attributes');
}

/** What devices have for an attribute or a capacity. */
function valuesOf(facts: Facts, of: string, domain: string, id: string): readonly Known[] {
  return knownDevices(facts).flatMap(({ slice, device }): readonly Known[] => {
    const isMeant = ([name]: readonly [string, unknown]): boolean =>
      (name.includes('/') ? name : `${slice.spec.driver}/${name}`) === `${domain}/${id}`;
    if (of === 'capacity') {
      return Object.entries(device.capacity ?? {})
        .filter(isMeant)
        .map(([, { value }]): Known => ({ type: 'quantity', text: value }));
    }
    return Object.entries(device.attributes ?? {})
      .filter(isMeant)
      .flatMap(([, { string, version, int, bool }]) => [
        ...known('string', string),
        ...known('version', version),
        ...known('int', int),
        ...known('bool', bool),
      ]);
  });
}

function known(type: Typed, value: string | number | boolean | undefined): readonly Known[] {
  return value === undefined ? [] : [{ type, text: String(value) }];
}

function chosen(begun: string, labels: readonly string[], detail: string): ExpressionChoices {
  return { replaced: begun.length, choices: [...new Set(labels)].toSorted().map((label) => ({ label, detail })) };
}

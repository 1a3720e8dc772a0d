/**
 * The part of the SARIF 2.1.0 schema that Podium's logs are made of, written as a table: which properties an object must
 * and may have, and what each must be. Like the schema, it allows nothing beyond.
 * Source: sarif-schema-2.1.0.json (OASIS Standard with Errata 01), its definitions of the same names
 */
type Check = (value: unknown, path: string) => string[];

/** What is wrong with a log: one line each, none for a log of the right structure. */
export function sarifMistakes(log: unknown): string[] {
  return sarifLog(log, '$');
}

const text: Check = (value, path) => (typeof value === 'string' ? [] : [`${path}: not a string`]);

const uri: Check = (value, path) =>
  typeof value === 'string' && /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/.test(value) && !/^[^/]*:(?!\/)/.test(value)
    ? []
    : [`${path}: not a URI reference: ${JSON.stringify(value)}`];

const integerFrom =
  (least: number): Check =>
  (value, path) =>
    Number.isInteger(value) && (value as number) >= least ? [] : [`${path}: not an integer from ${least}`];

const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value, path) =>
    allowed.includes(value) ? [] : [`${path}: not one of ${allowed.join(', ')}`];

const isTrueOrFalse = oneOf(true, false);

const listOf =
  (item: Check, unique = false): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return [`${path}: not a list`];
    const texts = value.map((each) => JSON.stringify(each));
    const repeated = unique && new Set(texts).size < texts.length ? [`${path}: has an entry twice`] : [];
    return [...repeated, ...value.flatMap((each: unknown, index) => item(each, `${path}[${index}]`))];
  };

function object(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  const known = new Map([...Object.entries(required), ...Object.entries(optional)]);
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: not an object`];
    const entries = new Map(Object.entries(value));
    const missing = Object.keys(required).filter((name) => !entries.has(name));
    return [
      ...missing.map((name) => `${path}.${name}: missing`),
      ...[...entries].flatMap(([name, each]) => known.get(name)?.(each, `${path}.${name}`) ?? [`${path}.${name}: not allowed`]),
    ];
  };
}

const message = object({ text });
const multiformatMessageString = object({ text }, { markdown: text });
const region = object({}, {
  startLine: integerFrom(1),
  startColumn: integerFrom(1),
  endLine: integerFrom(1),
  endColumn: integerFrom(1),
});
const artifactLocation = object({}, { uri, uriBaseId: text });
const physicalLocation = object({ artifactLocation }, { region });
const location = object({}, { id: integerFrom(-1), physicalLocation, message });
const level = oneOf('none', 'note', 'warning', 'error');
const reportingDescriptor = object({ id: text }, {
  shortDescription: multiformatMessageString,
  help: multiformatMessageString,
  defaultConfiguration: object({}, { level }),
});
const driver = object({ name: text }, { version: text, rules: listOf(reportingDescriptor, true) });
const result = object({ message }, {
  ruleId: text,
  ruleIndex: integerFrom(-1),
  level,
  locations: listOf(location),
  relatedLocations: listOf(location, true),
});
const run = object({ tool: object({ driver }) }, {
  invocations: listOf(object({ executionSuccessful: isTrueOrFalse })),
  columnKind: oneOf('utf16CodeUnits', 'unicodeCodePoints'),
  results: listOf(result),
});
const sarifLog = object({ version: oneOf('2.1.0'), runs: listOf(run) }, { $schema: uri });

/**
 * Format checks of names, labels and the like. Each returns upstream's texts, none when the value is well formed.
 * Sources: staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go, pkg/api/validation/generic.go of the
 * same module, and pkg/api/validation/path/name.go.
 */

const dnsLabelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1035LabelFormat = '[a-z]([-a-z0-9]*[a-z0-9])?';
const dnsSubdomainFormat = `${dnsLabelFormat}(\\.${dnsLabelFormat})*`;
const qualifiedNameFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValueFormat = `(${qualifiedNameFormat})?`;
const percentFormat = '[0-9]+%';
const searchLabelFormat = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const searchDomainFormat = `${searchLabelFormat}(\\.${searchLabelFormat})*`;
const configKeyFormat = '[-._a-zA-Z0-9]+';
const httpHeaderNameFormat = '[-A-Za-z0-9]+';

const cIdentifierFormat = '[A-Za-z_][A-Za-z0-9_]*';

const cIdentifier = new RegExp(`^${cIdentifierFormat}$`);
const dnsLabel = new RegExp(`^${dnsLabelFormat}$`);
const dns1035Label = new RegExp(`^${dns1035LabelFormat}$`);
const dnsSubdomain = new RegExp(`^${dnsSubdomainFormat}$`);
const qualifiedName = new RegExp(`^${qualifiedNameFormat}$`);
const labelValue = new RegExp(`^${labelValueFormat}$`);
const percent = new RegExp(`^${percentFormat}$`);
const searchDomain = new RegExp(`^${searchDomainFormat}$`);
const configKey = new RegExp(`^${configKeyFormat}$`);
const httpHeaderName = new RegExp(`^${httpHeaderNameFormat}$`);

const maxDnsLabelLength = 63;
const maxDnsSubdomainLength = 253;
const maxQualifiedNameLength = 63;
const maxLabelValueLength = 63;
const maxPortNameLength = 15;
const maxId = 0xffffffff;

const dnsLabelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const dns1035LabelText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const dnsSubdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const qualifiedNameText =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelValueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const searchDomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
const configKeyText = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
const httpHeaderNameText = "a valid HTTP header must consist of alphanumeric characters or '-'";
const cIdentifierText =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
const percentText = "a valid percent string must be a numeric string followed by an ending '%'";

/** The check of a name; with `prefix` the value is a `generateName`, to which characters will be added. */
export type NameCheck = (name: string, prefix?: boolean) => readonly string[];

/** A check of length and form; what is said of another form depends on the value. */
function dnsCheck(most: number, form: RegExp, otherForm: (value: string) => string): NameCheck {
  return (name, prefix = false) => {
    const value = prefix ? maskTrailingDash(name) : name;
    return [
      ...(byteLength(value) > most ? [maxLengthText(most)] : []),
      ...(form.test(value) ? [] : [otherForm(value)]),
    ];
  };
}

/** A label: what a namespace, a container or a volume is called. */
export const dnsLabelProblems = dnsCheck(maxDnsLabelLength, dnsLabel, (value) =>
  dnsSubdomain.test(value) ? 'must not contain dots' : formatText(dnsLabelText, dnsLabelFormat, 'my-name', '123-abc'),
);

/** A label that begins with a letter: what a Service is called. Source: IsDNS1035Label */
export const dns1035LabelProblems = dnsCheck(maxDnsLabelLength, dns1035Label, () =>
  formatText(dns1035LabelText, dns1035LabelFormat, 'my-name', 'abc-123'),
);

/** A DNS subdomain: what most objects are called. */
export const dnsSubdomainProblems = dnsCheck(maxDnsSubdomainLength, dnsSubdomain, () =>
  formatText(dnsSubdomainText, dnsSubdomainFormat, 'example.com'),
);

/** A name that need only be usable in a URL path, as of a PodDisruptionBudget. */
export const pathSegmentProblems: NameCheck = (name, prefix = false) => {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
};

const noProblems: readonly string[] = [];
const namePartText = `name part ${formatText(qualifiedNameText, qualifiedNameFormat, 'MyName', 'my.name', '123-abc')}`;

/** `[prefix/]name`: the keys of labels and annotations, scheduling gates, resource names. */
export function qualifiedNameProblems(value: string): readonly string[] {
  // Of a hundred thousand labels nearly all are such.
  if (value.length <= maxQualifiedNameLength && qualifiedName.test(value)) return noProblems;
  const parts = value.split('/');
  if (parts.length > 2) {
    const format = formatText(qualifiedNameText, qualifiedNameFormat, 'MyName', 'my.name', '123-abc');
    return [`a valid label key ${format} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  const name = parts[parts.length - 1] ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) problems.push(...prefixProblems(prefix));
  if (name === '') {
    problems.push('name part must be non-empty');
  } else if (byteLength(name) > maxQualifiedNameLength) {
    problems.push(`name part ${mostBytesText(maxQualifiedNameLength)}`);
  }
  if (!qualifiedName.test(name)) {
    problems.push(namePartText);
  }
  return problems;
}

function prefixProblems(prefix: string): readonly string[] {
  const problems: string[] = [];
  if (byteLength(prefix) > maxDnsSubdomainLength) problems.push(mostBytesText(maxDnsSubdomainLength));
  if (!dnsSubdomain.test(prefix)) problems.push(formatText(dnsSubdomainText, dnsSubdomainFormat, 'example.com'));
  return problems.map((text) => `prefix part ${text}`);
}

/** The value of a label. */
export function labelValueProblems(value: string): readonly string[] {
  if (value.length <= maxLabelValueLength && labelValue.test(value)) return noProblems;
  const problems: string[] = [];
  if (byteLength(value) > maxLabelValueLength) problems.push(mostBytesText(maxLabelValueLength));
  if (!labelValue.test(value)) {
    problems.push(formatText(labelValueText, labelValueFormat, 'MyValue', 'my_value', '12345'));
  }
  return problems;
}

/** What an attribute of a device is called. */
export function cIdentifierProblems(name: string): readonly string[] {
  return cIdentifier.test(name)
    ? noProblems
    : [formatText(cIdentifierText, cIdentifierFormat, 'my_name', 'MY_NAME', 'MyName')];
}

/** A domain of a resolver's search list, which may contain underscores. */
export function searchDomainProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (byteLength(name) > maxDnsSubdomainLength) problems.push(maxLengthText(maxDnsSubdomainLength));
  if (!searchDomain.test(name)) problems.push(formatText(searchDomainText, searchDomainFormat, 'example.com'));
  return problems;
}

/** The name of an environment variable, or the prefix of some: any printable ASCII but `=`. */
export function environmentNameProblems(name: string): readonly string[] {
  if (name === '') return ['environment variable name must be non-empty'];
  return /^[ -<>-~]*$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** A key of a ConfigMap or a Secret. */
export function configKeyProblems(key: string): readonly string[] {
  const problems: string[] = [];
  if (byteLength(key) > maxDnsSubdomainLength) problems.push(maxLengthText(maxDnsSubdomainLength));
  if (!configKey.test(key)) {
    problems.push(formatText(configKeyText, configKeyFormat, 'key.name', 'KEY_NAME', 'key-name'));
  }
  if (key === '.' || key === '..') problems.push(`must not be '${key}'`);
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

export function httpHeaderNameProblems(name: string): readonly string[] {
  return httpHeaderName.test(name) ? [] : [formatText(httpHeaderNameText, httpHeaderNameFormat, 'X-Header-Name')];
}

/** A port by number or by name. */
export function portProblems(port: number | string): readonly string[] {
  if (typeof port === 'string') return portNameProblems(port);
  return port >= 1 && port <= 65535 ? [] : [inclusiveRangeText(1, 65535)];
}

/** The number of a user or a group. */
export function idProblems(id: number): readonly string[] {
  return id >= 0 && id <= maxId ? [] : [inclusiveRangeText(0, maxId)];
}

/** `50%`. */
export function percentProblems(value: string): readonly string[] {
  return percent.test(value) ? [] : [formatText(percentText, percentFormat, '1%', '93%')];
}

/** The name of a container port. */
export function portNameProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (byteLength(name) > maxPortNameLength) problems.push(maxLengthText(maxPortNameLength));
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

export function inclusiveRangeText(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** The length that Go's `len` gives: bytes of UTF-8. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    // Half of a surrogate pair: the two together take four bytes.
    else if (unit >= 0xd800 && unit <= 0xdfff) bytes += 2;
    else bytes += 3;
  }
  return bytes;
}

/** A `generateName` may end in a dash, since characters follow. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

function maxLengthText(length: number): string {
  return `must be no more than ${length} characters`;
}

/** So labels have been counted since 1.35; what an older minor says, `inWordsOf` knows. */
function mostBytesText(length: number): string {
  return `must be no more than ${length} bytes`;
}

function formatText(text: string, format: string, ...examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(' or ');
  return `${text} (e.g. ${quoted}regex used for validation is '${format}')`;
}

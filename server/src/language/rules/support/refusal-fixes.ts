/**
 * What mends a refusal, as far as its words say what would be accepted. One table: what the API server says, and what is
 * written then.
 */
import { isList, isObject, valueAt } from '../../../util/values.ts';
import { nearestNames } from '../../../util/nearest-names.ts';
import { say } from '../../../util/say.ts';
import type { FieldError } from '../../../kubernetes/field-error.ts';
import type { Json, JsonObject, Path } from '../../../kubernetes/json.ts';
import { podTemplatePath } from '../../../kubernetes/pod-template.ts';
import type { Fact } from '../../index/fact.ts';
import type { Finding, Fix, FixEdit, FixSubject } from './rule.ts';
import { removeEntry, renameKey, replaceMap, replaceScalar, replaceWord, setValue } from './edits.ts';

/** More supported values than these are not offered one by one. */
const mostValues = 4;

/** Letters by which a value may differ from the supported one that is surely meant. */
const fewChanges = 2;

export function refusalFixes(finding: Finding, subject: FixSubject): readonly Fix[] {
  const { fact, refusal } = finding;
  if (fact === undefined || refusal === undefined) return [];
  const isChange = refusal.cause === 'immutable' || /immutable|may not change|updates to/i.test(refusal.detail);
  if (isChange) return putBack(fact, finding.path ?? refusal.at.path, subject);
  return fixesByType[refusal.type]?.(fact, refusal) ?? [];
}

/** What a field was before, as far as that is known. */
function putBack(fact: Fact, path: Path, { earlierOf }: FixSubject): readonly Fix[] {
  const [earlier] = earlierOf(fact);
  if (earlier === undefined || path.length === 0) return [];
  const old = valueAt(earlier.object, path) as Json | undefined;
  const now = valueAt(fact.manifest.value, path);
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  const where = earlier.source === 'git' ? say`as it is committed` : say`as it is in the cluster`;
  const title = say`Put \`${keyOf(path)}\` back ${where}`;
  if (old === undefined) return fix(title, removeEntry(fact, path), true);
  if (isList(old) && now !== undefined) return [];
  if (isObject(old)) return fix(title, replaceMap(fact, path, old), true);
  return fix(title, setValue(fact, path, old), true);
}

type Fixes = (fact: Fact, refusal: FieldError) => readonly Fix[];

const fixesByType: Readonly<Partial<Record<FieldError['type'], Fixes>>> = {
  FieldValueNotSupported: supported,
  FieldValueDuplicate: duplicate,
  FieldValueForbidden: (fact, { at: { path } }) =>
    path.length > 1 && isWritten(fact, path) && keyOf(path) !== 'spec' ? [removal(fact, path)] : [],
  FieldValueRequired: missing,
  FieldValueNotFound: (fact, { at: { path }, value }) => {
    const mounts = path.lastIndexOf('volumeMounts');
    if (mounts < 2) return [];
    const volumes = valueAt(fact.manifest.value, [...path.slice(0, mounts - 2), 'volumes']);
    const names = isList(volumes) ? volumes.map((volume) => valueAt(volume, ['name'])) : [];
    const texts = names.filter((name) => typeof name === 'string');
    return choices(fact, path, value, texts);
  },
  FieldValueInvalid: (fact, refusal) => {
    for (const [words, fixes] of byWords) {
      const match = words.exec(refusal.detail);
      if (match !== null) return fixes(fact, refusal.at.path, match);
    }
    return [];
  },
  FieldValueTooLong: (fact, { at: { path }, detail }) => {
    const value = valueAt(fact.manifest.value, path);
    const most = Number(/\d+/.exec(detail)?.[0]);
    if (typeof value !== 'string' || !(most > 0) || value.length <= most) return [];
    return fix(say`Cut to ${most} characters`, replaceScalar(fact, path, betweenLetters(value.slice(0, most))));
  },
};

/** Texts as a refusal lists them: `"Equal", "Exists"`. */
function quotedTexts(listed: string): readonly string[] {
  try {
    return (JSON.parse(`[${listed}]`) as readonly unknown[]).filter((each) => typeof each === 'string');
  } catch {
    return [];
  }
}

/** What is left without signs before the first letter or digit, and behind the last. */
function betweenLetters(text: string): string {
  const isSign = (at: number): boolean => /[^A-Za-z0-9]/.test(text[at] ?? '');
  let [start, end] = [0, text.length];
  while (start < end && isSign(start)) start++;
  while (end > start && isSign(end - 1)) end--;
  return text.slice(start, end);
}

function supported(fact: Fact, { at: { path }, detail, value }: FieldError): readonly Fix[] {
  const listed = detail.slice(detail.indexOf(':') + 1);
  const values = quotedTexts(listed);
  if (values.length === 0 || path.length === 0) return [];
  if (!isWritten(fact, path)) {
    return values
      .slice(0, mostValues)
      .flatMap((each) => fix(say`Write \`${keyOf(path)}: ${each}\``, setValue(fact, path, each)));
  }
  return choices(fact, path, value, values);
}

/** The values that are accepted, what is surely meant first, then the nearest. */
function choices(fact: Fact, path: Path, value: unknown, values: readonly string[]): readonly Fix[] {
  const written = typeof value === 'string' ? value : '';
  const lower = new Map(values.map((each) => [each.toLowerCase(), each]));
  const meant = lower.get(written.toLowerCase());
  const near = meant ?? nearestNames(written, values, fewChanges)[0];
  const ordered = nearestNames(written, values).slice(0, mostValues);
  return [...new Set([...(near === undefined ? [] : [near]), ...ordered])].map((each) => ({
    title: say`Change to ${each}`,
    preferred: each === near,
    ...(each === meant ? { isSafe: true as const } : {}),
    edits: [replaceScalar(fact, path, each)],
  }));
}

/** What names something gets another name; what only says a thing again goes. */
function duplicate(fact: Fact, { at: { path } }: FieldError): readonly Fix[] {
  const value = valueAt(fact.manifest.value, path);
  const item = path.findLastIndex((step) => typeof step === 'number');
  if (item === -1 || !isWritten(fact, path)) return [];
  const list = valueAt(fact.manifest.value, path.slice(0, item));
  if (path.at(-1) === 'name' && typeof value === 'string' && isList(list)) {
    const taken = new Set(list.map((each) => valueAt(each, ['name'])));
    let n = 2;
    while (taken.has(`${value}-${n}`)) n += 1;
    const renamed = fix(say`Rename to ${`${value}-${n}`}`, replaceScalar(fact, path, `${value}-${n}`));
    // Containers and volumes are more than their names.
    if (/^(?:containers|initContainers|volumes)$/.test(String(path[item - 1]))) return renamed;
    return [
      ...fix(say`Remove the one that says it again`, removeEntry(fact, path.slice(0, item + 1)), true),
      ...renamed,
    ];
  }
  return fix(say`Remove the one that says it again`, removeEntry(fact, path.slice(0, item + 1)), true);
}

function missing(fact: Fact, { at: { path }, detail }: FieldError): readonly Fix[] {
  const key = path.at(-1);
  const [, valid = ''] = /^valid values: (.*)$/.exec(detail) ?? [];
  if (valid !== '') {
    return quotedTexts(valid).flatMap((each) =>
      fix(say`Write \`${keyOf(path)}: ${each}\``, setValue(fact, path, each)),
    );
  }
  if (key === 'topologyKey') {
    return ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].flatMap((each) =>
      fix(say`Write \`topologyKey: ${each}\``, setValue(fact, path, each)),
    );
  }
  if (key === 'selector' && path.length === 2) {
    const labels = ownLabels(fact);
    if (labels === undefined) return [];
    const selector = fact.kind === 'ReplicationController' ? labels : { matchLabels: labels };
    return fix(say`Select the pods of its own template`, setValue(fact, path, selector), true);
  }
  if (key === 'limits' && detail.includes('non overcommitable')) return asRequested(fact, path.slice(0, -1));
  if (key === 'minReplicas' || key === 'maxReplicas') return fix(say`Write \`${key}: 1\``, setValue(fact, path, 1));
  return [];
}

/** Of resources that cannot be overcommitted the limit is the request. */
function asRequested(fact: Fact, resources: Path): readonly Fix[] {
  const requests = valueAt(fact.manifest.value, [...resources, 'requests']);
  const limits = valueAt(fact.manifest.value, [...resources, 'limits']);
  if (!isObject(requests) || (limits !== undefined && !isObject(limits))) return [];
  const lacking = Object.entries(requests).filter(
    ([name]) => (name.includes('/') || name.startsWith('hugepages-')) && !Object.hasOwn(limits ?? {}, name),
  );
  const written = { ...limits, ...Object.fromEntries(lacking) } as JsonObject;
  return fix(say`Write the limits that the requests need`, replaceMap(fact, [...resources, 'limits'], written), true);
}

type Mended = (fact: Fact, path: Path, match: RegExpExecArray) => readonly Fix[];

const beside = (path: Path, key: string): Path => [...path.slice(0, -1), key];

/** The words of the API server, and what it would accept; the first that fits counts. */
const byWords: readonly (readonly [words: RegExp, fixes: Mended])[] = [
  [/^`selector` does not match template `labels`/, matchSelector],
  [
    /^not a valid selector operator/,
    (fact, path) => choices(fact, path, valueAt(fact.manifest.value, path), operatorsAt(fact, path)),
  ],
  [/cannot be both set/, (fact, path) => eitherOf(fact, path, 'minAvailable', 'maxUnavailable')],
  [
    /subPathExpr and subPath are mutually exclusive/,
    (fact, path) => eitherOf(fact, path.slice(0, -1), 'subPath', 'subPathExpr'),
  ],
  [
    /value must be empty when `operator` is 'Exists'/,
    (fact, path) => [
      removal(fact, beside(path, 'value')),
      ...fix(say`Change \`operator\` to Equal`, setValue(fact, beside(path, 'operator'), 'Equal')),
    ],
  ],
  [
    /effect must be 'NoExecute' when `tolerationSeconds` is set/,
    (fact, path) => [
      ...fix(say`Write \`effect: NoExecute\``, setValue(fact, beside(path, 'effect'), 'NoExecute'), true),
      removal(fact, beside(path, 'tolerationSeconds'), false),
    ],
  ],
  [
    /operator must be Exists when `key` is empty/,
    (fact, path) => {
      const [operator, value] = [beside(path, 'operator'), beside(path, 'value')];
      const title = say`Write \`operator: Exists\``;
      if (!isWritten(fact, value)) return fix(title, setValue(fact, operator, 'Exists'), true);
      // Beside it no value may stand.
      return fix(
        title,
        isWritten(fact, operator)
          ? [removeEntry(fact, value), replaceScalar(fact, operator, 'Exists')]
          : [renameKey(fact, value, 'operator'), replaceScalar(fact, value, 'Exists')],
        true,
      );
    },
  ],
  [/^must be (?:less than or )?equal to (\S+) limit of (\S+)$/, withinLimit],
  [/^must be less than or equal to pod limits of (\S+)$/, (fact, path, [, most]) => amount(fact, path, most!)],
  [
    /^must be greater than or equal to aggregate container \w+ of (\S+)$/,
    (fact, path, [, least]) => amount(fact, path, least!),
  ],
  [/may not be 0 when `maxSurge` is 0/, (fact, path) => fix(say`Change to ${'1'}`, setValue(fact, path, 1), true)],
  [/^may not be set when maxUnavailable is non-zero/, (fact, path) => [removal(fact, path)]],
  [/must be greater than (?:zero|0)\b/, (fact, path) => amount(fact, path, keyOf(path) === 'storage' ? '1Gi' : '1')],
  [
    /must be greater than or equal to `minReplicas`/,
    (fact, path) => amount(fact, path, String(valueAt(fact.manifest.value, beside(path, 'minReplicas')))),
  ],
  [/must be greater than or equal to (\d+)/, (fact, path, [, least]) => amount(fact, path, least!)],
  [/must be less than or equal to (\d+)/, (fact, path, [, most]) => amount(fact, path, most!)],
  [
    /(?:in the range|between) (\d+)(?:-| and )(\d+)/,
    (fact, path, [, least, most]) => {
      const written = Number(valueAt(fact.manifest.value, path));
      return amount(fact, path, written < Number(least) ? least! : most!);
    },
  ],
  [
    /lowercase RFC 1123 (label|subdomain)|DNS-1035 label/,
    (fact, path, [, what]) =>
      renamed(fact, path, (value) =>
        value.toLowerCase().replaceAll(what === 'subdomain' ? /[^a-z0-9.-]+/g : /[^a-z0-9-]+/g, '-'),
      ),
  ],
  [
    /a valid label must be an empty string or consist of/,
    (fact, path) => renamed(fact, path, (value) => value.replaceAll(/[^A-Za-z0-9_.-]+/g, '-')),
  ],
];

/** Those that the values beside it allow. Source: ValidateLabelSelectorRequirement, ValidateNodeSelectorRequirement */
function operatorsAt({ manifest }: Fact, path: Path): readonly string[] {
  const values = valueAt(manifest.value, beside(path, 'values'));
  if (!isList(values) || values.length === 0) return ['Exists', 'DoesNotExist'];
  const isNumber = values.length === 1 && /^-?\d+$/.test(String(values[0]));
  return ['In', 'NotIn', ...(path.includes('nodeAffinity') && isNumber ? ['Gt', 'Lt'] : [])];
}

/** The pods get the labels that are selected, or the selector takes those that the pods have. */
function matchSelector(fact: Fact): readonly Fix[] {
  const template = podTemplatePath(fact.kind);
  if (template === undefined) return [];
  const at = [...template, 'metadata', 'labels'];
  const written = valueAt(fact.manifest.value, at);
  const labels = isObject(written) ? written : {};
  const whole = valueAt(fact.manifest.value, ['spec', 'selector']);
  const selected = fact.kind === 'ReplicationController' ? whole : valueAt(whole, ['matchLabels']);
  const toLabels = isObject(selected)
    ? fix(
        say`Give the pods the labels of the selector`,
        replaceMap(fact, at, { ...labels, ...selected } as JsonObject),
        true,
      )
    : [];
  if (Object.keys(labels).length === 0) return toLabels;
  const selector = fact.kind === 'ReplicationController' ? labels : { matchLabels: labels };
  const edit = replaceMap(fact, ['spec', 'selector'], selector as JsonObject);
  return [...toLabels, ...fix(say`Select the labels that the pods have`, edit)];
}

function ownLabels(fact: Fact): JsonObject | undefined {
  const template = podTemplatePath(fact.kind);
  const labels = template === undefined ? undefined : valueAt(fact.manifest.value, [...template, 'metadata', 'labels']);
  return isObject(labels) && Object.keys(labels).length > 0 ? (labels as JsonObject) : undefined;
}

function eitherOf(fact: Fact, parent: Path, one: string, other: string): readonly Fix[] {
  const there = [one, other].filter((key) => isWritten(fact, [...parent, key]));
  return there.length < 2 ? [] : there.map((key) => removal(fact, [...parent, key], key === one));
}

function withinLimit(fact: Fact, path: Path, [, name = '', limit = '']: RegExpExecArray): readonly Fix[] {
  const at = path.lastIndexOf('requests');
  if (at === -1) return [];
  const request: unknown = valueAt(fact.manifest.value, [...path.slice(0, at), 'requests', name]);
  const higher: Path = [...path.slice(0, at), 'limits', name];
  if (typeof request !== 'string' && typeof request !== 'number') return [];
  return [
    ...amount(fact, [...path.slice(0, at), 'requests', name], limit).map((each) => ({
      ...each,
      title: say`Lower the request to ${limit}`,
    })),
    ...fix(say`Raise the limit to ${String(request)}`, written(fact, higher, String(request))),
  ];
}

function amount(fact: Fact, path: Path, text: string): readonly Fix[] {
  return isWritten(fact, path) ? fix(say`Change to ${text}`, written(fact, path, text), true) : [];
}

/** As a number or an amount is written: in quotes only where it has them. */
function written(fact: Fact, path: Path, text: string): FixEdit {
  const range = fact.manifest.locate(path, 'value');
  const isQuoted = range !== undefined && /["']/.test(fact.document.text[range.start] ?? '');
  return isQuoted ? replaceScalar(fact, path, text) : replaceWord(fact, path, text);
}

function renamed(fact: Fact, path: Path, change: (value: string) => string): readonly Fix[] {
  const value = valueAt(fact.manifest.value, path);
  if (typeof value !== 'string') return [];
  const name = betweenLetters(change(value)).slice(0, longestName);
  return name === '' || name === value ? [] : fix(say`Change to ${name}`, replaceScalar(fact, path, name), true);
}

/** Source: validation.DNS1123LabelMaxLength, LabelValueMaxLength */
const longestName = 63;

function removal(fact: Fact, path: Path, preferred = true): Fix {
  return { title: say`Remove \`${keyOf(path)}\``, preferred, edits: [removeEntry(fact, path)] };
}

function fix(title: string, edits: FixEdit | readonly FixEdit[], preferred = false): readonly Fix[] {
  return [{ title, preferred, edits: [edits].flat() }];
}

function keyOf(path: Path): string {
  return path.findLast((step) => typeof step === 'string') ?? '';
}

function isWritten(fact: Fact, path: Path): boolean {
  return valueAt(fact.manifest.value, path) !== undefined;
}

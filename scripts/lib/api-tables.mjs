/**
 * Turns what `scripts/api-types` says of the structs of the Kubernetes API into the tables and types of
 * `server/src/kubernetes/api`: only the kinds that Podium reads, and only what they reach.
 */

/** @typedef {{ type: string, omitempty?: true, optional?: true, mergeKey?: string, patch?: string }} SourceField */
/** @typedef {{ fields: Record<string, SourceField>, inline?: string[] }} SourceStruct */
/** @typedef {{ aliases?: Record<string, string>, enums?: Record<string, string[]> } & Record<string, SourceStruct>} SourceGroup */
/** @typedef {Record<string, SourceGroup>} Source */
/** @typedef {ReadonlyMap<string, ReadonlyMap<string, string>>} Tables Group → type → its line */

/**
 * Structs that a scheduler's configuration reaches and that belong to no API group.
 * Source: staging/src/k8s.io/component-base/config/v1alpha1/types.go
 *
 * @type {SourceGroup}
 */
const componentBase = {
  LeaderElectionConfiguration: {
    fields: {
      leaderElect: { type: '*bool', omitempty: true },
      leaseDuration: { type: 'metav1.Duration', omitempty: true },
      renewDeadline: { type: 'metav1.Duration', omitempty: true },
      retryPeriod: { type: 'metav1.Duration', omitempty: true },
      resourceLock: { type: 'string', omitempty: true },
      resourceName: { type: 'string', omitempty: true },
      resourceNamespace: { type: 'string', omitempty: true },
    },
  },
  ClientConnectionConfiguration: {
    fields: {
      kubeconfig: { type: 'string', omitempty: true },
      acceptContentTypes: { type: 'string', omitempty: true },
      contentType: { type: 'string', omitempty: true },
      qps: { type: 'float32', omitempty: true },
      burst: { type: 'int32', omitempty: true },
    },
  },
  DebuggingConfiguration: {
    fields: {
      enableProfiling: { type: '*bool', omitempty: true },
      enableContentionProfiling: { type: '*bool', omitempty: true },
    },
  },
};

/** Go's import names → the name that the tables use. */
const qualifiers = new Map([
  ['metav1', 'meta'],
  ['v1', 'core'],
  ['api', 'core'],
  ['core', 'core'],
  ['corev1', 'core'],
  ['apiv1', 'core'],
  ['componentbaseconfigv1alpha1', 'componentbase'],
  ['scheduling', 'scheduling'],
  ['schedulingv1alpha3', 'scheduling'],
]);

/** Types that the reader of the tables knows without a line of their own. */
const special = new Map([
  ['resource.Quantity', 'Quantity'],
  ['intstr.IntOrString', 'IntOrString'],
  ['metav1.Time', 'Time'],
  ['metav1.MicroTime', 'Time'],
  ['metav1.Duration', 'Raw'],
  ['runtime.RawExtension', 'Raw'],
  ['runtime.Object', 'Raw'],
  ['metav1.FieldsV1', 'Raw'],
  ['types.UID', 'UID'],
  ['float32', 'Raw'],
  ['float64', 'Raw'],
  ['[]byte', 'Raw'],
]);
const basic = new Set(['string', 'bool', 'int32', 'int64', ...special.values()]);

/** Structs whose first field stands before the struct that is inlined, which the source does not say. */
const inlinedSecond = new Set(['Volume', 'PersistentVolumeSpec']);

/** @param {Source} source @param {string} group */
const groupOf = (source, group) =>
  group === 'componentbase/v1alpha1' ? componentBase : (source[group] ?? /** @type {SourceGroup} */ ({}));

/** The group that a qualifier means in another group. @param {string} qualifier @param {string} group */
function qualified(qualifier, group) {
  if (qualifier === 'meta') return 'meta/v1';
  if (qualifier === 'componentbase') return 'componentbase/v1alpha1';
  if (qualifier === 'scheduling') return group.startsWith('internal/') ? 'internal/scheduling' : 'scheduling/v1alpha3';
  return group.startsWith('internal/') ? 'internal/core' : 'core/v1';
}

/**
 * Go's text of a type as the tables write it, and the named types in it.
 *
 * @param {string} type @param {string} group @param {(group: string, name: string) => void} reach
 * @returns {string}
 */
function tableType(type, group, reach) {
  const own = group === 'meta/v1' ? `metav1.${type}` : type;
  const known = special.get(type) ?? special.get(own);
  if (known !== undefined) return known;
  if (type.startsWith('*')) return `*${tableType(type.slice(1), group, reach)}`;
  if (type.startsWith('[]')) return `[]${tableType(type.slice(2), group, reach)}`;
  const map = /^map\[(.+?)\](.+)$/.exec(type);
  if (map !== null) return `map[${tableType(map[1] ?? '', group, reach)}]${tableType(map[2] ?? '', group, reach)}`;
  if (basic.has(type)) return type;
  const [first = '', second] = type.split('.');
  if (second === undefined) {
    reach(group, first);
    return first;
  }
  const qualifier = qualifiers.get(first);
  if (qualifier === undefined) throw new Error(`unknown package in ${group}: ${type}`);
  const target = qualified(qualifier, group);
  reach(target, second);
  return target === group ? second : `${qualifier}.${second}`;
}

/** @param {SourceField} field */
function flagsOf({ omitempty, optional, mergeKey, patch }) {
  const presence = omitempty === true ? '?' : optional === true ? '+' : '';
  const retains = patch?.includes('retainKeys') === true ? '&' : '';
  const merges = patch?.includes('merge') === true ? `~${mergeKey ?? ''}` : '';
  return presence + retains + merges;
}

/**
 * The lines of all types that the roots reach.
 *
 * @param {Source} source @param {readonly (readonly [group: string, name: string])[]} roots
 * @returns {Tables}
 */
export function tablesOf(source, roots) {
  /** @type {Map<string, Map<string, string>>} */
  const tables = new Map();
  /** @type {[string, string][]} */
  const open = roots.map(([group, name]) => [group, name]);
  const seen = new Set();
  const reach = (/** @type {string} */ group, /** @type {string} */ name) => void open.push([group, name]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [group, name] = next;
    if (seen.has(`${group} ${name}`)) continue;
    seen.add(`${group} ${name}`);
    const from = groupOf(source, group);
    const line = lineOf(from, group, name, reach);
    if (line === undefined) {
      if (roots.some((root) => root[0] === group && root[1] === name)) continue;
      throw new Error(`no type ${name} in ${group}`);
    }
    tables.set(group, (tables.get(group) ?? new Map()).set(name, line));
  }
  return tables;
}

/**
 * @param {SourceGroup} from @param {string} group @param {string} name
 * @param {(group: string, name: string) => void} reach
 */
function lineOf(from, group, name, reach) {
  const alias = from.aliases?.[name];
  if (alias !== undefined) {
    const values = group.startsWith('internal/') ? [] : (from.enums?.[name] ?? []);
    return `=${[tableType(alias, group, reach), ...values.filter((value) => /^\S+$/.test(value))].join(' ')}`;
  }
  const struct = from[name];
  if (struct === undefined) return undefined;
  const inlined = (struct.inline ?? []).map((type) => `:${tableType(type, group, reach)}`);
  const fields = Object.entries(struct.fields).map(
    ([field, each]) => `${field}:${tableType(each.type, group, reach)}${flagsOf(each)}`,
  );
  const before = inlinedSecond.has(name) ? 1 : 0;
  return [...fields.slice(0, before), ...inlined, ...fields.slice(before)].join(' ');
}

/**
 * What a minor says that the one before it does not.
 *
 * @param {Tables} tables @param {Tables} before
 * @returns {Tables}
 */
export function changesOf(tables, before) {
  /** @type {Map<string, Map<string, string>>} */
  const changed = new Map();
  for (const [group, types] of tables) {
    const lines = [...types].filter(([name, line]) => before.get(group)?.get(name) !== line);
    if (lines.length > 0) changed.set(group, new Map(lines));
  }
  return changed;
}

/** @param {Iterable<string>} texts */
const sorted = (texts) => [...texts].sort();

/** The module of a minor. @param {string} minor @param {Tables} tables @param {string | undefined} before */
export function printTables(minor, tables, before) {
  const what = before === undefined ? `All types of Kubernetes ${minor}` : `What Kubernetes ${minor} adds to ${before}`;
  const groups = sorted(tables.keys()).map((group) => {
    const types = tables.get(group) ?? new Map();
    return `  '${group}': \`\n${sorted(types.keys())
      .map((name) => `${name} ${types.get(name)}`)
      .join('\n')}\`,\n`;
  });
  return `// Made by \`npm run api-types\` from scripts/api-types. Do not edit.\nimport type { ApiTable } from './table.ts';\n\n/** ${what}, in the form that table.ts describes. */\nexport const types: ApiTable = {\n${groups.join('')}};\n`;
}

/** TypeScript's name of a basic type. @type {Readonly<Record<string, string>>} */
const scriptTypes = {
  string: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  Quantity: 'string',
  IntOrString: 'number | string',
  Time: 'string',
  UID: 'string',
  Raw: 'Json',
};

/**
 * Interfaces of all external types of all minors together. A field is as optional as in the newest; one that a minor
 * lacks is optional.
 *
 * @param {readonly Tables[]} minors
 */
export function printTypes(minors) {
  /** @type {Map<string, Map<string, Map<string, string[]>>>} */
  const structs = new Map();
  /** @type {Map<string, string>} */
  const aliases = new Map();
  for (const tables of minors) {
    for (const [group, types] of tables) {
      if (group.startsWith('internal/')) continue;
      for (const [name, line] of types) {
        if (line.startsWith('=')) {
          aliases.set(`${group} ${name}`, line.slice(1).split(' ')[0] ?? '');
          continue;
        }
        const key = `${group} ${name}`;
        const fields = structs.get(key) ?? new Map();
        structs.set(key, fields);
        for (const part of line.split(' ').filter((each) => each !== '')) {
          const colon = part.indexOf(':');
          const field = part.slice(0, colon);
          fields.set(field === '' ? part : field, [
            ...(fields.get(field === '' ? part : field) ?? []),
            part.slice(colon + 1),
          ]);
        }
      }
    }
  }
  const names = new Map();
  for (const key of structs.keys()) {
    const [group = '', name = ''] = key.split(' ');
    const plain = [...structs.keys()].filter((other) => other.endsWith(` ${name}`)).length === 1 || group === 'core/v1';
    names.set(key, plain ? name : `${pascal(group)}${name}`);
  }
  /** @param {string} type @param {string} group @returns {string} */
  const script = (type, group) => {
    if (type.startsWith('*')) return script(type.slice(1), group);
    if (type.startsWith('[]')) {
      const item = script(type.slice(2), group);
      return `readonly ${item.includes(' ') ? `(${item})` : item}[]`;
    }
    const map = /^map\[[^\]]+\](.+)$/.exec(type);
    if (map !== null) return `Readonly<Record<string, ${script(map[1] ?? '', group)}>>`;
    const basicType = scriptTypes[type];
    if (basicType !== undefined) return basicType;
    const [first = '', second] = type.split('.');
    const key = second === undefined ? `${group} ${first}` : `${qualified(first, group)} ${second}`;
    const alias = aliases.get(key);
    return alias === undefined ? names.get(key) : script(alias, key.split(' ')[0] ?? '');
  };
  const printed = sorted(structs.keys()).map((key) => {
    const [group = ''] = key.split(' ');
    const fields = structs.get(key) ?? new Map();
    const inlined = sorted(fields.keys()).filter((field) => field.startsWith(':'));
    const bases = inlined.map((field) => script(field.slice(1), group));
    const own = sorted(fields.keys()).filter((field) => !field.startsWith(':'));
    const lines = own.map((field) => {
      const texts = fields.get(field) ?? [];
      const [, type = '', flags = ''] = /^([^?+&~]+)(.*)$/.exec(texts.at(-1) ?? '') ?? [];
      const always = texts.length === minors.length && !/^\*|[?+]/.test(type + flags);
      return `  readonly ${field}${always ? '' : '?'}: ${script(type, group)};`;
    });
    const extended = bases.length === 0 ? '' : ` extends ${bases.join(', ')}`;
    if (lines.length === 0) {
      const none = 'Readonly<Record<string, never>>';
      return `export type ${names.get(key)} = ${bases.length === 0 ? none : bases.join(' & ')};\n`;
    }
    return `export interface ${names.get(key)}${extended} {${lines.length === 0 ? '' : `\n${lines.join('\n')}\n`}}\n`;
  });
  return `// Made by \`npm run api-types\` from scripts/api-types. Do not edit.\nimport type { Json } from '../json.ts';\n\n${printed.join('\n')}`;
}

/** @param {string} group */
const pascal = (group) =>
  group
    .split(/[^a-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

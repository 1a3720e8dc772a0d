/**
 * Compares an answer of the engine with the recorded one: everything, except that lists whose order means nothing are
 * compared as sets.
 */

/** Lists that are sets, by the key they stand under. */
const sets = new Set([
  'reasons',
  'disruptedPods',
  'unmanagedPods',
  'fatal',
  'retry',
  'warnings',
  'printed',
  'pendingPods',
  'errors',
  'freed',
]);
/** Lists of field errors, compared as multisets; of a detail only the first line counts. */
const errorLists = new Set(['create', 'update', 'invalid']);

/** Where the two differ, as `path: expected …, got …`; empty when they agree. */
export function differences(expected: unknown, actual: unknown): string[] {
  const found: string[] = [];
  compare('', '', anyOrder(expected, expected), anyOrder(actual, expected), found);
  return found;
}

/** Where an answer lists causes in the order of a Go map: the causes sorted, and the message without them. */
function anyOrder(answer: unknown, expected: unknown): unknown {
  if (!isRecord(answer) || !isRecord(expected)) return answer;
  if (expected['unordered'] !== true) {
    const parts = ['expected', 'replace'].filter((part) => isRecord(expected[part]) && isRecord(answer[part]));
    const ordered = parts.map((part) => [part, anyOrder(answer[part], expected[part])] as const);
    return { ...answer, ...Object.fromEntries(ordered) };
  }
  const { message, causes, ...rest } = answer;
  return {
    ...rest,
    unordered: true,
    message: typeof message === 'string' ? message.split(' is invalid: ')[0] : message,
    causes: Array.isArray(causes) ? causes.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)) : causes,
  };
}

function compare(path: string, key: string, expected: unknown, actual: unknown, found: string[]): void {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const [a, b] = [normalised(key, expected), normalised(key, actual)];
    if (a.length !== b.length) {
      found.push(`${path}: expected ${show(expected)}, got ${show(actual)}`);
      return;
    }
    for (const [i, item] of a.entries()) compare(`${path}[${i}]`, '', item, b[i], found);
    return;
  }
  if (isRecord(expected) && isRecord(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      compare(path === '' ? name : `${path}.${name}`, name, expected[name], actual[name], found);
    }
    return;
  }
  if (expected !== actual) found.push(`${path}: expected ${show(expected)}, got ${show(actual)}`);
}

function normalised(key: string, list: readonly unknown[]): readonly unknown[] {
  if (sets.has(key)) return [...list].sort();
  if (!errorLists.has(key)) return list;
  const errors = list.map((item) => {
    const detail = isRecord(item) ? item['detail'] : undefined;
    return typeof detail === 'string' ? { ...(item as object), detail: detail.split('\n')[0] } : item;
  });
  return errors.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

function sortKey(value: unknown): string {
  return isRecord(value) ? JSON.stringify(Object.entries(value).sort()) : String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

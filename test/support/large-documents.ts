/**
 * Documents of 2 to 3 MB, as large as a request to the API server may be, with more of one thing than anybody has: what
 * it is, the text, and the rules that say something about it.
 */
export const largeDocuments: readonly (readonly [what: string, text: string, codes: readonly string[]])[] = [
  ['150,000 labels', podWith('labels', 150_000, (index) => `label${index}: "1"`), []],
  [
    '60,000 anchors',
    podWith('annotations', 60_000, (index) => `annotation${index}: &anchor${index} "${index}"`),
    ['invalid-pod'],
  ],
  ['100,000 duplicate keys', podWith('labels', 100_000, () => 'the-same: a-value'), ['yaml-duplicate-key']],
  ['130,000 labels that are refused', podWith('labels', 130_000, (index) => `_${index}: "1"`), ['invalid-pod']],
];

/** More of the same size with masses of refusals, which the bench measures. */
export const refusedDocuments: readonly (readonly [what: string, text: string])[] = [
  ['150,000 labels', podWith('labels', 150_000, (index) => `_${index}: "1"`)],
  ['40,000 containers', podWithList('containers', 40_000, (index) => `{ name: C_${index}, image: " m" }`)],
  ['50,000 tolerations', podWithList('tolerations', 50_000, (index) => `{ key: _${index}, operator: Is, effect: No }`)],
  [
    '20,000 variables',
    podWithList('containers', 1, () =>
      variables(20_000, (index) => `{ name: "=${index}", value: x, valueFrom: { fieldRef: { fieldPath: a.b } } }`),
    ),
  ],
  [
    '20,000 owners',
    podWith(
      'ownerReferences',
      20_000,
      (index) => `- { apiVersion: v1, kind: Event, name: e${index}, controller: true }`,
    ),
  ],
  [
    '30,000 volumes',
    podWithList('volumes', 30_000, (index) => `{ name: V_${index}, hostPath: { path: ../${index} } }`),
  ],
  ['150,000 values of a wrong type', podWithList('containers', 50_000, () => '{ name: 1, image: 2, ports: a }')],
];

function variables(count: number, entry: (index: number) => string): string {
  return `{ name: main, image: main, env: [${Array.from({ length: count }, (_, index) => entry(index)).join(', ')}] }`;
}

/** A pod whose spec has a list; the list of containers takes the place of its only one. */
function podWithList(field: string, count: number, item: (index: number) => string): string {
  const items = Array.from({ length: count }, (_, index) => `    - ${item(index)}\n`).join('');
  const main = field === 'containers' ? '' : '  containers:\n    - { name: main, image: main }\n';
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: large\nspec:\n${main}  ${field}:\n${items}`;
}

function podWith(field: string, count: number, entry: (index: number) => string): string {
  const entries = Array.from({ length: count }, (_, index) => `    ${entry(index)}\n`).join('');
  const spec = 'spec:\n  containers:\n    - { name: main, image: main }\n';
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: large\n  ${field}:\n${entries}${spec}`;
}

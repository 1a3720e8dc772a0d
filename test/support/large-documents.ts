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

function podWith(field: string, count: number, entry: (index: number) => string): string {
  const entries = Array.from({ length: count }, (_, index) => `    ${entry(index)}\n`).join('');
  const spec = 'spec:\n  containers:\n    - { name: main, image: main }\n';
  return `apiVersion: v1\nkind: Pod\nmetadata:\n  name: large\n  ${field}:\n${entries}${spec}`;
}

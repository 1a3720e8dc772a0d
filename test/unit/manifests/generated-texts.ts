/** Objects written in every style that YAML has, as people and programs write them. */

/** Numbers from 0 to below 1, the same each time. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const words = [
  'web',
  'it is',
  '5Gi',
  '${NAME:=5Gi}',
  '100m',
  'a: b',
  '# no',
  "it's",
  'say "so"',
  'x%Y%',
  '-v',
  '',
  'é😀',
];

class Writer {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)]!;
  }

  document(name: string): string {
    const lines = [
      ...(this.#below(3) === 0 ? ['# one'] : []),
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata:',
      `  name: ${name}`,
      ...(this.#below(2) === 0 ? [] : ['  labels: {a: "b"}']),
    ];
    return `${lines.join('\n')}\nspec:\n${this.#map(2, 3)}`;
  }

  #map(indent: number, depth: number): string {
    let text = '';
    for (let entry = this.#below(4) + 1; entry > 0; entry--) {
      const key = this.#one([`k${entry}`, `"k${entry}"`, `'k ${entry}'`, `app.kubernetes.io/k${entry}`]);
      text += `${' '.repeat(indent)}${key}:${this.#value(indent, depth)}`;
      if (this.#below(5) === 0) text += this.#one(['\n', '# one\n', `${' '.repeat(indent)}# two\n`]);
    }
    return text;
  }

  /** What follows a colon or a dash, its line break included. */
  #value(indent: number, depth: number): string {
    const choice = this.#below(depth === 0 ? 6 : 9);
    const pad = ' '.repeat(indent + 2);
    // What is quoted or in brackets need not be indented past its key.
    const loose = ' '.repeat(this.#below(indent + 3));
    const word = this.#one(words);
    switch (choice) {
      case 0:
        return ` ${JSON.stringify(word)}${this.#one(['', ' # two', '  '])}\n`;
      case 1:
        return ` '${word.replaceAll("'", "''")}\n${loose}x\n\n${loose}z'\n`;
      case 2:
        return ` "one\n${loose}two ${JSON.stringify(word).slice(1)}\n`;
      case 3:
        return ` ${this.#one(['|', '>', '|-', '>-', '|+'])}\n${pad}one ${word}\n${pad}two\n`;
      case 4:
        return ` [${loose === '' ? '' : '\n'}${loose}"a", 'b',\n${loose}{c: "d", e: [1, 2]}\n${loose}]\n`;
      case 5:
        return ` ${this.#one(['true', '12', '1.5', 'null', '~', 'plain text', 'a-b:c', '0x1F', '1e3', '100m'])}\n`;
      case 6:
        return `\n${this.#map(indent + 2, depth - 1)}`;
      case 7: {
        const at = ' '.repeat(indent);
        return `\n${[1, 2].map(() => `${at}-${this.#value(indent, 0)}`).join('')}`;
      }
      default:
        return ` {"a": ${JSON.stringify(word)}, b: 'c', d:\n${loose}e}\n`;
    }
  }
}

/** Texts of one to three documents each. */
export function generatedTexts(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const writer = new Writer(index + 1);
    const documents = Array.from({ length: (index % 3) + 1 }, (_, at) => writer.document(`d${at}`));
    return documents.join(index % 2 === 0 ? '---\n' : '--- # next\n\n');
  });
}

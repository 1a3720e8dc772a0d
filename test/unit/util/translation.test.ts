import assert from 'node:assert/strict';
import { messages } from '../../../server/src/util/messages.ts';
import { carry, inEnglish, joined, said, say, sayInside, speak } from '../../../server/src/util/say.ts';
import { Translation } from '../../../server/src/util/translation.ts';
import { count, list, upperFirst, withStop } from '../../../server/src/util/words.ts';

const russian = new Translation(
  'ru',
  new Map(
    Object.entries({
      '{0} pods': ['{0} Pod', "{0} Pod'а", "{0} Pod'ов"],
      '{0} and {1}': '{0} и {1}',
      '{0} and {1} more': '{0} и ещё {1}',
      '{0} waits for {1}': '{1}: ждёт {0}',
      'the last one': 'последний',
      'The last one': 'Последний',
      '{0}.': '{0}.',
    }),
  ),
);

/** Texts as the server makes them and shows them. */
function shown(describe: () => string): { readonly english: string; readonly russian: string } {
  carry(messages);
  speak(russian);
  try {
    const text = describe();
    return { english: inEnglish(text), russian: said(text) };
  } finally {
    speak(undefined);
    carry(undefined);
  }
}

describe('texts (#32)', () => {
  it('are English where nobody speaks another language', () => {
    assert.equal(say`${'web-1'} waits for ${count(2, 'pod')}`, 'web-1 waits for 2 pods');
    assert.equal(said('the last one'), 'the last one');
  });

  it('are messages in the server, and have their parts in the order of the language when they are shown', () => {
    assert.deepEqual(
      shown(() => say`${'web-1'} waits for ${count(2, 'pod')}`),
      { english: 'web-1 waits for 2 pods', russian: "2 Pod'а: ждёт web-1" },
    );
    assert.deepEqual(
      shown(() => `- ${say`the last one`} (${say`${1} waits for ${2}`})`),
      { english: '- the last one (1 waits for 2)', russian: '- последний (2: ждёт 1)' },
    );
  });

  it('have the form that the number asks for', () => {
    for (const [amount, english, expected] of [
      [1, '1 pod', '1 Pod'],
      [3, '3 pods', "3 Pod'а"],
      [11, '11 pods', "11 Pod'ов"],
      [21, '21 pods', '21 Pod'],
      [12_000, '12,000 pods', "12,000 Pod'ов"],
    ] as const) {
      assert.deepEqual(
        shown(() => count(amount, 'pod')),
        { english, russian: expected },
      );
    }
    assert.equal(shown(() => count(1, 'node')).russian, '1 node');
  });

  it('are found in lists, and at the beginning, the end and in the middle of a sentence', () => {
    assert.equal(shown(() => list(['a', 'b', 'c', 'd', 'e', 'f'])).russian, 'a, b, c и ещё 3');
    assert.equal(shown(() => list(['a', count(1, 'pod')])).russian, 'a и 1 Pod');
    assert.equal(shown(() => joined(['x', say`the last one`], '\n')).russian, 'x\nпоследний');
    assert.equal(shown(() => joined(['x', say`the last one`, 'y'], ' and ')).russian, 'x и последний и y');
    for (const [describe, english, expected] of [
      [() => upperFirst(say`the last one`), 'The last one', 'Последний'],
      [() => sayInside(say`The last one`), 'the last one', 'последний'],
      [() => withStop(say`the last one`), 'the last one.', 'последний.'],
      [() => withStop(say`Is it ${1}?`), 'Is it 1?', 'Is it 1?'],
    ] as const) {
      assert.deepEqual(shown(describe), { english, russian: expected });
      assert.equal(describe(), english);
    }
  });

  it('are English where nobody has translated them', () => {
    assert.equal(shown(() => say`${say`the last one`} is ${3}`).russian, 'последний is 3');
  });

  it('leave what a user wrote as it is, also where a text of ours reads the same', () => {
    assert.equal(shown(() => 'the last one').russian, 'the last one');
    assert.equal(shown(() => say`${'the last one'} waits for ${'web'}`).russian, 'web: ждёт the last one');
    assert.equal(shown(() => say`${'{1}'} waits for ${'{0}'}`).russian, '{0}: ждёт {1}');
    assert.equal(shown(() => say`${'{0} pods'}${''}`).russian, '{0} pods');
  });

  it('come to an end, whatever stands in a file', () => {
    for (const text of ['\ufdd0', '\ufdd2\ufdd1', 'a\ufdd0b\ufdd1c', '\ufdd0'.repeat(100_000)]) {
      const { english } = shown(() => say`${text} waits for ${'web'}`);
      assert.doesNotMatch(english, /[\ufdd0-\ufdd2]/);
      assert.match(english, /web/);
    }
  });

  it('are in the other language at once where it is known before', () => {
    speak(russian);
    try {
      assert.equal(say`${'web-1'} waits for ${count(5, 'pod')}`, "5 Pod'ов: ждёт web-1");
      assert.equal(said('the last one'), 'the last one');
    } finally {
      speak(undefined);
    }
  });
});

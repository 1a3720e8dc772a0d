import assert from 'node:assert/strict';
import { joined, listenToTexts, said, say } from '../../../server/src/util/say.ts';
import { LateTranslation, Translation } from '../../../server/src/util/translation.ts';
import { count, list, upperFirst } from '../../../server/src/util/words.ts';

const russian = new Translation('ru', {
  '{0} pods': ['{0} Pod', "{0} Pod'а", "{0} Pod'ов"],
  '{0} and {1}': '{0} и {1}',
  '{0} and {1} more': '{0} и ещё {1}',
  '{0} waits for {1}': '{1}: ждёт {0}',
  'the last one': 'последний',
});

/** What a function says, and what it is in Russian when it is shown. */
function shown(describe: () => string): { readonly english: string; readonly russian: string } {
  listenToTexts(new LateTranslation(russian));
  try {
    const english = describe();
    return { english, russian: said(english) };
  } finally {
    listenToTexts(undefined);
  }
}

describe('texts', () => {
  it('are English where nobody listens', () => {
    assert.equal(say`${'web-1'} waits for ${count(2, 'pod')}`, 'web-1 waits for 2 pods');
    assert.equal(said('the last one'), 'the last one');
  });

  it('stay English until they are shown, and then have their parts in the order of the language', () => {
    assert.deepEqual(
      shown(() => say`${'web-1'} waits for ${count(2, 'pod')}`),
      { english: 'web-1 waits for 2 pods', russian: "2 Pod'а: ждёт web-1" },
    );
  });

  it('have the form that the number asks for', () => {
    for (const [amount, expected] of [
      [1, '1 Pod'],
      [3, "3 Pod'а"],
      [11, "11 Pod'ов"],
      [21, '21 Pod'],
      [12_000, "12,000 Pod'ов"],
    ] as const) {
      assert.equal(shown(() => count(amount, 'pod')).russian, expected);
    }
  });

  it('are found in lists, and at the beginning of a sentence', () => {
    assert.equal(shown(() => list(['a', 'b', 'c', 'd', 'e', 'f'])).russian, 'a, b, c и ещё 3');
    assert.equal(shown(() => list(['a', count(1, 'pod')])).russian, 'a и 1 Pod');
    assert.equal(shown(() => joined(['x', say`the last one`], '\n')).russian, 'x\nпоследний');
    assert.equal(shown(() => upperFirst(say`the last one`)).russian, 'Последний');
  });

  it('are left as they are where nobody has translated them, and names where a text is of nothing else', () => {
    assert.equal(shown(() => say`${'the last one'} is ${3}`).russian, 'последний is 3');
    assert.equal(shown(() => say`${'{0} pods'}${''}`).russian, '{0} pods');
  });

  it('come to an end, whatever names say', () => {
    assert.equal(
      shown(() => say`${say`${'{1} waits for {0}'} waits for ${'{0}'}`}${''}`).russian,
      '{0}: ждёт {1} waits for {0}',
    );
  });

  it('are no names, though something is called like a word of ours', () => {
    const words = new Translation('ru', { nobody: 'никто', '{0} waits for {1}': '{1}: ждёт {0}' });
    listenToTexts(new LateTranslation(words, (text) => text === 'nobody'));
    try {
      assert.equal(said(say`${'nobody'} waits for ${'web'}`), 'web: ждёт nobody');
      assert.equal(said('nobody'), 'nobody');
    } finally {
      listenToTexts(undefined);
    }
    listenToTexts(new LateTranslation(words, () => false));
    try {
      assert.equal(said(say`${say`nobody`} waits for ${'web'}`), 'web: ждёт никто');
    } finally {
      listenToTexts(undefined);
    }
  });

  it('are remembered up to a bound, of many the last ones', () => {
    listenToTexts(new LateTranslation(russian));
    try {
      for (let at = 0; at < 300_000; at++) say`${at} waits for ${0}`;
      assert.equal(said('0 waits for 0'), '0 waits for 0');
      assert.equal(said('299999 waits for 0'), '0: ждёт 299999');
    } finally {
      listenToTexts(undefined);
    }
  });

  it('are in the other language at once where nothing is worked out with them', () => {
    listenToTexts(russian);
    try {
      assert.equal(say`${'web-1'} waits for ${count(5, 'pod')}`, "5 Pod'ов: ждёт web-1");
    } finally {
      listenToTexts(undefined);
    }
  });
});

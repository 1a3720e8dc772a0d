import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestTexts } from '../../../scripts/lib/manifest-texts.mjs';
import { root } from '../../../scripts/lib/paths.mjs';
import { texts, textsOf } from '../../../scripts/lib/texts.mjs';
import type { Translations } from '../../../server/src/util/translation.ts';
import { shortKey } from '../../../server/src/util/short-key.ts';
import { rules } from '../../../server/src/language/rules/registry.ts';

type Texts = Readonly<Record<string, string>>;

const read = (name: string): Texts => JSON.parse(readFileSync(join(root, name), 'utf8')) as Texts;

const languages = ['ja', 'ru', 'zh-cn'];

const english = read('package.nls.json');

/** What a translation may not change: what stands in for something, what a link does, and code. */
function kept(text: string): readonly string[] {
  return [...text.matchAll(/\{\d+\}|\]\([^)]*\)|`[^`]*`/g)].map(([found]) => found).sort();
}

const written = texts();

it('[L10N] no two texts have one key in packages', () => {
  const keys = new Set(Object.values(written).flatMap((texts) => [...texts.keys()]));
  assert.equal(new Set([...keys].map(shortKey)).size, keys.size);
});

const partsOf = (text: string): readonly number[] =>
  [...text.matchAll(/\{(\d+)\}/g)].map(([, part]) => Number(part)).sort();

const codeIn = (text: string): readonly string[] => [...text.matchAll(/`[^`]*`/g)].map(([code]) => code).sort();

/** All texts of a language, by their keys. */
function allTexts(language: string): readonly (readonly [key: string, text: string])[] {
  const files = ['bundle.l10n', 'shared', 'page', 'server'].map((part) => `l10n/${part}.${language}.json`);
  return [`package.nls.${language}.json`, ...files].flatMap((file) =>
    Object.entries(read(file) as unknown as Translations).flatMap(([key, forms]) =>
      [forms].flat().map((text) => [key, text] as const),
    ),
  );
}

/** Of several words for one thing, those that no text has, and the one that all have. */
const otherWords: Readonly<Record<string, readonly (readonly [other: RegExp, word: string])[]>> = {
  ru: [
    [/(?<!\p{L})(?:поды|пода|подов|подам|подами|подах)(?!\p{L})/iu, "Pod'ы"],
    [/(?<!\p{L})нод[аыуе](?!\p{L})/iu, 'узел'],
    [/ворклоад|(?<!рабоч\p{L}{2} )(?<!рабочими )(?<!\p{L})нагрузк/iu, 'рабочая нагрузка'],
    [/класс\p{L}* приоритет/iu, 'PriorityClass'],
    [/тейнт|толеранц/iu, 'taint, toleration'],
    [/эвакуац/iu, 'вытеснение where the scheduler does it, otherwise выселение'],
    [/(?<!\p{L})(?:чарт|гейт)/iu, 'chart, шлюз'],
    [/рендер/iu, 'отрисовать'],
    [/снапшот/iu, 'снимок'],
    [/автоскейл/iu, 'автомасштабировщик'],
  ],
  ja: [
    [/ポッド/u, 'Pod'],
    [/予算/u, 'バジェット'],
    [/優先度クラス/u, 'PriorityClass'],
    [/ドレイン|コードン|エビクション/u, 'drain, cordon, 退避'],
    [/テイント|トレレーション/u, 'Taint, Toleration'],
  ],
  'zh-cn': [
    [/[干中][扰断]预算/u, '预算'],
    [/(?<!工作)负载/u, '工作负载'],
    [/优先级类/u, 'PriorityClass'],
    [/排空|逐出/u, '腾空, 驱逐'],
    [/选择器/u, '选择算符'],
    [/名字空间/u, '命名空间'],
    [/\p{Script=Han}[,;:]/u, 'the wide ， ； ：'],
  ],
};

describe('languages', () => {
  it('have every text of package.json by a key, in the order of package.json', () => {
    const keys: string[] = [];
    for (const { key, holder, field } of manifestTexts(read('package.json'))) {
      const text = (holder as Texts)[field];
      assert.equal(text, `%${key}%`, `${text ?? ''} is written in package.json; run: npm run settings`);
      keys.push(key);
    }
    assert.deepEqual(Object.keys(english), keys, 'npm run settings');
  });

  it('have no text in package.json but by its key', () => {
    const shown = /^(?:description|markdownDescription|altText|contents|userDescription)$/;
    const written: string[] = [];
    JSON.stringify(read('package.json'), (name, value: unknown) => {
      // Descriptions in the schema of a tool are for assistants.
      if (name === 'inputSchema') return undefined;
      if (shown.test(name) && typeof value === 'string' && !/^%[\w.-]+%$/.test(value)) written.push(value);
      return value;
    });
    assert.deepEqual(written, []);
  });

  it('finds a text with its parts, and the forms of a noun', () => {
    const code = `import { count, list } from '../util/words.ts';
      const a = say\`\${count(3, 'pod')} \${many ? 'are' : 'is'} on \${node}\`;
      const b = say\`\${one}: \${other}\`;`;
    assert.deepEqual(textsOf('a.ts', code), [
      { key: '{0} {1} on {2}', needed: [0, 2], amount: false },
      { key: '{0} pods', needed: [0], amount: true },
    ]);
    assert.throws(() => textsOf('a.ts', code.replace("'pod'", 'noun')), /count\(3, noun\) is not written out/);
  });

  for (const language of languages) {
    describe(language, () => {
      it('has each text of package.json, with what must stay as it is', () => {
        const texts = read(`package.nls.${language}.json`);
        for (const [key, text] of Object.entries(texts)) {
          if (english[key] === undefined) continue;
          assert.deepEqual(kept(text), kept(english[key]), key);
          assert.notEqual(text.trim(), '', key);
        }
      });

      it('has one word for one thing', () => {
        for (const [key, text] of allTexts(language)) {
          for (const [other, word] of otherWords[language]!) assert.doesNotMatch(text, other, `${key}: ${word}`);
        }
      });

      it('says of each rule how grave it is by default', () => {
        const texts = read(`package.nls.${language}.json`);
        for (const { code, severity } of rules) {
          const text = texts[`rule.${code}`];
          if (text !== undefined) assert.match(text, new RegExp(` ?[:：] ?${severity}[.。]$`), code);
        }
      });

      it('has each text of the client, with what must stay as it is', () => {
        const texts = read(`l10n/bundle.l10n.${language}.json`);
        for (const [text, translated] of Object.entries(texts)) assert.deepEqual(kept(translated), kept(text), text);
      });

      for (const part of ['shared', 'page', 'server'] as const) {
        it(`has each text of the ${part}, with what must stay as it is`, () => {
          const translations = JSON.parse(
            readFileSync(join(root, `l10n/${part}.${language}.json`), 'utf8'),
          ) as Translations;
          for (const [key, { needed, amount }] of written[part]) {
            const translated = translations[key];
            if (translated === undefined) continue;
            const forms = typeof translated === 'string' ? [translated] : translated;
            // Russian has three forms of a noun beside a number, the other two languages one.
            assert.equal(forms.length, amount && language === 'ru' ? 3 : 1, key);
            for (const form of forms) {
              assert.notEqual(form.trim(), '', key);
              const parts = partsOf(form);
              assert.deepEqual(
                needed.filter((part) => !parts.includes(part)),
                [],
                `${key}: a part is missing`,
              );
              assert.deepEqual(
                parts.filter((part) => !partsOf(key).includes(part)),
                [],
                `${key}: what is that part?`,
              );
              assert.deepEqual(codeIn(form), codeIn(key), key);
            }
          }
        });
      }
    });
  }
});

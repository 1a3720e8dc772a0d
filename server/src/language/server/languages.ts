import { type Language, languageOf } from '../../util/locale.ts';
import { speak } from '../../util/say.ts';
import { shortKey } from '../../util/short-key.ts';
import type { Translations } from '../../util/translation.ts';

interface Bundle {
  readonly default: Translations;
}

/** The languages besides English, each a file that is loaded only where it is spoken: what the page says too, and the rest. */
const languages: Readonly<Record<Language, () => readonly Promise<Bundle>[]>> = {
  'zh-cn': () => [
    import('../../../../l10n/shared.zh-cn.json', { with: { type: 'json' } }),
    import('../../../../l10n/server.zh-cn.json', { with: { type: 'json' } }),
  ],
  ja: () => [
    import('../../../../l10n/shared.ja.json', { with: { type: 'json' } }),
    import('../../../../l10n/server.ja.json', { with: { type: 'json' } }),
  ],
  ru: () => [
    import('../../../../l10n/shared.ru.json', { with: { type: 'json' } }),
    import('../../../../l10n/server.ru.json', { with: { type: 'json' } }),
  ],
};

/** Has the server's texts said in the language of the editor, where Podium speaks that; else they stay English. */
export async function speakLanguageOf(locale: string | undefined): Promise<void> {
  const language = languageOf(locale);
  if (language === undefined) return;
  const [{ Translation }, ...bundles] = await Promise.all([
    import('../../util/translation.ts'),
    ...languages[language](),
  ]);
  const texts = new Map(bundles.flatMap((bundle) => Object.entries(bundle.default)));
  // In packages the English is cut to keys.
  speak(new Translation(language, { get: (english) => texts.get(english) ?? texts.get(shortKey(english)) }));
}

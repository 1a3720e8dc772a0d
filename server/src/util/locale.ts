/** The languages besides English that Podium speaks. */
const spokenLanguages = ['zh-cn', 'ja', 'ru'] as const;
export type Language = (typeof spokenLanguages)[number];

/** `zh-CN`, `zh-Hans`, `ru_RU`: Chinese in other letters than the simplified ones is another language. */
export function languageOf(locale = ''): Language | undefined {
  const [language = '', ...rest] = locale.toLowerCase().split(/[-_.]/);
  if (language !== 'zh') return spokenLanguages.find((spoken) => spoken === language);
  return rest.some((part) => /^(?:hant|tw|hk|mo)$/.test(part)) ? undefined : 'zh-cn';
}

declare module '*.json' {
  import type { Translations } from './util/translation.ts';

  /** Texts in another language. */
  const texts: Translations;
  export default texts;
}

/** What the page says in another language than English, as it is handed to it: in the page itself, as data. */
import type { Language } from '../util/locale.ts';
import { escapeMarkup } from '../util/markup.ts';
import type { Translations } from '../util/translation.ts';
import { escaped, escapeUnsafe } from '../util/unsafe-characters.ts';

export interface PageTexts {
  readonly language: Language;
  readonly texts: Translations;
}

/** Where the page finds its texts; they are in the language of the page, `<html lang>`. */
export const textsElement = 'podium-texts';

/** As BCP 47 writes it. */
export function languageTag(page: PageTexts | undefined): string {
  return page === undefined ? 'en' : page.language === 'zh-cn' ? 'zh-CN' : page.language;
}

/** A script that is data, which is not run. */
export function textsData(page: PageTexts | undefined): string {
  return page === undefined ? '' : dataScript(textsElement, JSON.stringify(page.texts));
}

/** JSON that cannot be taken for markup, whatever names are in it; nor has it what a terminal would obey. */
function dataScript(id: string, json: string): string {
  const content = escapeUnsafe(json).replace(/[<>]/g, escaped);
  return `<script type="application/json" id="${escapeMarkup(id)}">${content}</script>\n`;
}

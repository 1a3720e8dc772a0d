/** The language of the page, set before the first of its texts is made: the module is the first that is imported. */
import { type Check, either, listOf, recordOf, text } from '../../../server/src/report-model/check.ts';
import { textsElement } from '../../../server/src/report-model/page-texts.ts';
import { speak } from '../../../server/src/util/say.ts';
import { Translation, type Translations } from '../../../server/src/util/translation.ts';

const isTranslations: Check<Translations> = recordOf(either(text, listOf(text)));

const texts: unknown = JSON.parse(document.getElementById(textsElement)?.textContent ?? 'null');
if (isTranslations(texts)) speak(new Translation(document.documentElement.lang, new Map(Object.entries(texts))));

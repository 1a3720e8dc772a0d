/**
 * The report as one file that opens in any browser: the page that VS Code shows, with the report in it. It asks nobody,
 * and its policy lets it load nothing. The same file from the page and from the command line.
 */
import { escapeMarkup } from '../util/markup.ts';
import { unsafeCharacters } from '../util/unsafe-characters.ts';
import { compressed } from './compressed.ts';
import { languageTag, type PageTexts, textsData } from './page-texts.ts';
import type { Report } from './report.ts';
import { decisionsWithin } from './verdict.ts';

/** The built page: its script and its style sheet, and what it says where that is not English. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
  readonly texts?: PageTexts | undefined;
}

/** What is known of decisions may weigh many times the rest: those past this are in the file at a glance. */
const mostOfDecisions = 16_000_000;

/** Where the page finds its report, compressed. */
export const reportElement = 'podium-report';

/** @param parts trusted, as they are Podium's own */
export async function reportFile(report: Report, parts: PageParts): Promise<string> {
  // A script or a style sheet ends at its end tag, wherever that stands.
  const script = parts.script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const { style, texts } = parts;
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${await digest(script)}'`,
    `style-src 'sha256-${await digest(style)}'`,
    // The map as a picture is drawn from one that the page has made itself.
    'img-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${languageTag(texts)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Podium">
<title>${escapeMarkup(report.answer.headline.replace(unsafeCharacters, '\ufffd'))}</title>
<style>${style}</style>
</head>
<body>
<div id="report"></div>
${textsData(texts)}<script type="text/plain" id="${reportElement}">${await compressed(data(report))}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** The report as JSON, as much of its decisions as a file should have. */
function data(report: Report): string {
  return json({ ...report, decisions: decisionsWithin(report.decisions, mostOfDecisions) });
}

/** Manifests by name: whoever is sent the file need not know the folders of this machine. */
function json(value: unknown): string {
  return JSON.stringify(value, (key, each: unknown) =>
    key === 'uri' && typeof each === 'string' ? each.slice(each.lastIndexOf('/') + 1) : each,
  );
}

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}

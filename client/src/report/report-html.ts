import { languageTag, type PageTexts, textsData } from '../../../server/src/report-model/page-texts.ts';
import { escapeMarkup } from '../../../server/src/util/markup.ts';

/** What the shell of the page is made of. */
export interface ReportShell {
  readonly nonce: string;
  /** `webview.cspSource`. */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** Undefined for English. */
  readonly texts?: PageTexts | undefined;
}

/**
 * The empty page: a policy that allows our script, our style sheet and pictures that the page has made itself, of which
 * it makes the export, and nothing else. Everything visible is built by the script as DOM nodes.
 */
export function reportHtml({ nonce, cspSource, scriptUri, styleUri, texts }: ReportShell): string {
  // `base-uri` and `form-action` do not fall back to `default-src`.
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${cspSource}; img-src blob:; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${languageTag(texts)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulation</title>
<link rel="stylesheet" href="${escapeMarkup(styleUri)}">
</head>
<body>
<div id="report"></div>
${textsData(texts)}<script type="module" nonce="${escapeMarkup(nonce)}" src="${escapeMarkup(scriptUri)}"></script>
</body>
</html>
`;
}

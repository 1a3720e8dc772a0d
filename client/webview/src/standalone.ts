/**
 * The page in a file of its own: it has its report with it, and there is neither a panel to ask nor a theme. What needs
 * the engine or the manifests is not offered then.
 */
import { own } from '../../../server/src/util/own.ts';
import { say } from '../../../server/src/util/say.ts';
import type { HostMessage } from '../../src/report/host-messages.ts';
import type { PageMessage } from '../../src/report/messages.ts';
import { decompressed } from '../../../server/src/report-model/compressed.ts';
import { reportElement } from '../../../server/src/report-model/report-file.ts';
import { isDecision, isReport } from '../../../server/src/report-model/report.ts';
import { keptStateSchema } from './model/kept-state.ts';

const element = document.getElementById(reportElement);

export const isAlone = element !== null;

/** In the place of what VS Code gives to the script of a webview: its address keeps the tab and the filter. */
export function aloneApi() {
  addEventListener('hashchange', () => {
    location.reload();
  });
  return { postMessage: answer, getState: addressed, setState: address };
}

/** What `#victims?ns=staging` and `#pods?q=cart` ask for: a tab, and its filter. */
function addressed() {
  const [view = '', query] = location.hash.slice(1).split('?');
  const words = [...new URLSearchParams(query)].map(([key, value]) => (key === 'ns' ? `${value}/` : value));
  const shown = {
    colour: 'outcome',
    resource: null,
    step: null,
    view,
    selection: null,
    trail: [],
    filter: words.join(' '),
    sorts: {},
    openZones: [],
    openSteps: [],
  };
  return { scenario: { kind: 'workspace' }, view: view === '' ? null : shown, scroll: {} };
}

function address(state: unknown): void {
  const { data } = keptStateSchema.safeParse(state);
  if (data?.view == null) return;
  const { view, filter } = data.view;
  const [page = ''] = location.href.split('#');
  const query = filter === '' ? '' : `?${String(new URLSearchParams({ q: filter }))}`;
  const url = view === 'map' && filter === '' ? page : `${page}#${view}${query}`;
  if (url !== location.href) history.replaceState(null, '', url);
}

function answer(message: PageMessage): void {
  switch (message.type) {
    case 'ready':
      void show();
      return;
    case 'explain': {
      const decision = decisions[message.index];
      const failure = say`The whole of this decision is not in the file, which would be too large.`;
      send({ type: 'explained', index: message.index, decision: isDecision(decision) ? decision : null, failure });
      return;
    }
    case 'copy':
      void navigator.clipboard.writeText(message.text);
      return;
    default:
      return;
  }
}

async function show(): Promise<void> {
  const report = await readReport().catch(() => null);
  if (isReport(report)) {
    decisions = report.decisions;
    send({ type: 'report', report });
  }
  const failure = isReport(report) ? '' : say`this file has no report that can be read.`;
  send({ type: 'status', running: false, outdated: false, failure });
}

async function readReport(): Promise<unknown> {
  return JSON.parse(await decompressed(element?.textContent ?? ''));
}

let decisions: readonly unknown[] = [];

function send(message: HostMessage): void {
  dispatchEvent(new MessageEvent('message', { data: message }));
}

/** Follows what the reader's system prefers, with the colours that VS Code has for it; paper is light. */
export function followSystemTheme(): void {
  const light = matchMedia('(prefers-color-scheme: light)');
  const contrast = matchMedia('(prefers-contrast: more)');
  const paper = matchMedia('print');
  const follow = (): void => {
    const theme = `${contrast.matches ? 'contrast-' : ''}${light.matches || paper.matches ? 'light' : 'dark'}`;
    document.documentElement.dataset['theme'] = theme;
    document.body.className = own(classes, theme) ?? '';
  };
  follow();
  for (const each of [light, contrast, paper]) each.addEventListener('change', follow);
}

/** As VS Code names its kinds of theme. */
const classes: Readonly<Record<string, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'contrast-dark': 'vscode-high-contrast',
  'contrast-light': 'vscode-high-contrast-light vscode-high-contrast',
};

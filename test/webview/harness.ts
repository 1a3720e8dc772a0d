/**
 * The report page of the packed extension in a real browser, behind the policy of the panel, with a stand-in for the API
 * that VS Code gives to webviews. Everything the page complains about is collected.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { reportHtml } from '../../client/src/report/report-html.ts';
import type { HostMessage } from '../../client/src/report/host-messages.ts';
import type { PageMessage } from '../../client/src/report/messages.ts';
import { patience } from '../support/patience.ts';
import type { PageTexts } from '../../server/src/report-model/page-texts.ts';
import type { Report } from '../../server/src/report-model/report.ts';
import { findBrowser } from '../../scripts/browser.mjs';
import { shipped } from '../../scripts/lib/shipped.mjs';
import { bodyClasses, type OtherThemeName, otherThemes, type ThemeName, themes } from './themes.ts';

export interface OpenOptions {
  readonly theme?: ThemeName | OtherThemeName;
  readonly width?: number;
  readonly height?: number;
  /** What an earlier life of the page has kept. */
  readonly state?: unknown;
  readonly reducedMotion?: boolean;
  /** What the page says in another language than English. */
  readonly texts?: PageTexts;
}

export interface OpenPage {
  readonly page: Page;
  /** Console messages, page errors and violations of the policy. */
  readonly complaints: readonly string[];
  /** Resolves when the page has dealt with the message. */
  send(message: HostMessage): Promise<void>;
  /** Sends the report as the panel does after `ready`, and waits until it is shown. */
  show(report: Report): Promise<void>;
  /** All that the page has said to the panel until now, also of what it does after drawing. */
  sent(): Promise<readonly PageMessage[]>;
  /** The next message of a type that the page says, or has said. */
  said<Type extends PageMessage['type']>(type: Type): Promise<Extract<PageMessage, { readonly type: Type }>>;
  /** Resolves when what the page does after drawing, as to move the focus, is done. */
  settled(): Promise<void>;
  /** What the page has kept until now, as VS Code would give it back. */
  state(): Promise<unknown>;
  close(): Promise<void>;
}

/** What a reader's system prefers. */
export interface System {
  readonly colorScheme: 'dark' | 'light';
  readonly contrast?: 'more' | 'no-preference';
}

export interface OpenFile extends Pick<OpenPage, 'page' | 'complaints' | 'close'> {
  /** What it has loaded beside itself, or tried to. */
  readonly loaded: readonly string[];
}

export interface Harness {
  open(options?: OpenOptions): Promise<OpenPage>;
  /** A file in the same browser, without anything around it. */
  openFile(path: string, system?: System): Promise<OpenFile>;
  close(): Promise<void>;
}

/** Starts a browser. Fails with one clear line when there is none. */
export async function startHarness(): Promise<Harness> {
  const executablePath = findBrowser();
  if (executablePath === null) {
    throw new Error('No browser: set CHROME_PATH, or install Chrome, Chromium or Edge.');
  }
  const { extension } = await shipped();
  const server = await serve(join(extension, 'dist', 'webview'));
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return {
    open: (options = {}) => openPage(browser, `http://127.0.0.1:${port}/`, options),
    openFile: (path, system = { colorScheme: 'dark' }) => openFile(browser, path, system),
    close: async () => {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const shellParts = {
  nonce: 'test-nonce',
  cspSource: "'self'",
  scriptUri: '/main.js',
  styleUri: '/main.css',
};

/** @param folder of the page's script and style sheet */
function serve(folder: string): Promise<Server> {
  const shell = reportHtml(shellParts);
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (url === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(shell);
    } else if (url === '/main.js' || url === '/main.css') {
      const type = url.endsWith('.js') ? 'text/javascript' : 'text/css';
      void readFile(join(folder, url)).then((content) =>
        response.writeHead(200, { 'content-type': type }).end(content),
      );
    } else {
      response.writeHead(204).end();
    }
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      resolve(server);
    }),
  );
}

async function openFile(browser: Browser, path: string, system: System): Promise<OpenFile> {
  const context = await browser.newContext({ viewport: { width: 1480, height: 860 }, ...system });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const loaded: string[] = [];
  const { href } = pathToFileURL(path);
  page.on('request', (request) => {
    if (request.url() !== href) loaded.push(request.url());
  });
  await page.goto(href);
  return { page, complaints, loaded, close: () => context.close() };
}

/** Console messages, which a policy that is broken makes too, and errors. */
function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  return complaints;
}

async function openPage(browser: Browser, url: string, options: OpenOptions): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1480, height: options.height ?? 860 },
    reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  const theme = options.theme ?? 'dark';
  const sent: PageMessage[] = [];
  let { state } = options;
  let heard = (): void => undefined;
  let listens: () => void;
  const ready = new Promise<void>((resolve) => {
    listens = resolve;
  });
  await page.exposeFunction('podiumPost', (message: PageMessage) => {
    sent.push(message);
    heard();
    if (message.type === 'ready') {
      listens();
    }
  });
  await page.exposeFunction('podiumFlush', () => undefined);
  await page.exposeFunction('podiumKeep', (next: unknown) => {
    state = next;
  });
  await page.addInitScript(
    (setup) => {
      Object.assign(window, { podiumSetup: setup });
    },
    { state: options.state, variables: { ...themes, ...otherThemes }[theme], bodyClass: bodyClasses[theme] },
  );
  await page.addInitScript({ path: fileURLToPath(new URL('vscode-stand-in.mjs', import.meta.url)) });
  if (options.texts !== undefined) {
    const body = reportHtml({ ...shellParts, texts: options.texts });
    await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body }));
  }
  await page.goto(url);
  await ready;
  const send = async (message: HostMessage): Promise<void> => {
    await page.evaluate(
      (data) =>
        new Promise<void>((resolve) => {
          // Behind the listener of the page, which draws before the next task.
          window.addEventListener('message', () => setTimeout(resolve), { once: true });
          window.postMessage(data, '*');
        }),
      message,
    );
  };
  /** What the page does after drawing, as to keep its state and to say what it needs, comes within two frames. */
  const settled = (): Promise<void> =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => {
            requestAnimationFrame(() => {
              setTimeout(resolve);
            });
          });
        }),
    );
  /** What the page says arrives in order, this last. */
  const flush = async (): Promise<void> => {
    await settled();
    await page.evaluate(() => (window as unknown as { podiumFlush(): Promise<void> }).podiumFlush());
  };
  return {
    page,
    complaints,
    send,
    show: async (report) => {
      await send({ type: 'scenario', scenario: { kind: 'workspace' } });
      await send({ type: 'report', report });
      await send({ type: 'status', running: false, outdated: false, failure: '' });
      await page.locator('.headline').waitFor();
    },
    sent: async () => {
      await flush();
      return sent;
    },
    said: (type) => {
      const found = () =>
        sent.find((message): message is Extract<PageMessage, { type: typeof type }> => message.type === type);
      return new Promise((resolve) => {
        heard = () => {
          const message = found();
          if (message !== undefined) resolve(message);
        };
        heard();
      });
    },
    settled,
    state: async () => {
      await flush();
      return state;
    },
    close: () => context.close(),
  };
}

/** The map as the page hands it to the browser, which makes a picture of points of it. */
export async function exportedMap(open: OpenPage): Promise<string> {
  const { page } = open;
  await page.evaluate(() => {
    const createUrl = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      Object.assign(window, { podiumMap: (blob as Blob).text() });
      return createUrl(blob);
    };
  });
  await page.getByLabel('Export').selectOption('png');
  await open.said('exportPicture');
  return page.evaluate(() => (window as unknown as { readonly podiumMap: Promise<string> }).podiumMap);
}

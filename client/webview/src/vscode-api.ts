import { aloneApi, isAlone } from './standalone.ts';
import type { PageMessage } from '../../src/report/messages.ts';

/** What VS Code gives to the script of a webview. */
interface WebviewApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

// May be called only once.
const api: WebviewApi = isAlone ? aloneApi() : acquireVsCodeApi();

export function post(message: PageMessage): void {
  api.postMessage(message);
}

/** What an earlier life of the page has kept; not trusted. */
export function keptState(): unknown {
  return api.getState();
}

export function keepState(state: unknown): void {
  api.setState(state);
}

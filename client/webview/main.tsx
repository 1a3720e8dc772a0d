import './src/language.ts';
import './src/zod-config.ts';
import { render } from 'preact';
import './src/styles/page.css';
import { followSystemTheme, isAlone } from './src/standalone.ts';
import { App } from './src/components/app.tsx';
import { defineElements } from './src/elements.ts';
import { keptStateSchema } from './src/model/kept-state.ts';
import { keptState } from './src/vscode-api.ts';

const root = document.getElementById('report');
if (root !== null) {
  if (isAlone) followSystemTheme();
  const kept = keptStateSchema.safeParse(keptState());
  render(<App kept={kept.success ? kept.data : null} />, root);
  defineElements();
}

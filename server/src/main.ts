/**
 * The language server as a process of its own, as VS Code starts it: over IPC, or over a pipe with `--stdio`. The same
 * server runs in `podium lsp`.
 */
import { messages } from './util/messages.ts';
import { carry } from './util/say.ts';

// Before anything else is loaded: tables of texts are made as messages, too.
carry(messages);
const { serve } = await import('./serve.ts');
serve();

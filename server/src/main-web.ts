/** The language server in a browser's worker: without disk, programs and git. The client reads files for it. */
import { messages } from './util/messages.ts';
import { carry } from './util/say.ts';

// Before anything else is loaded: tables of texts are made as messages, too.
carry(messages);
const { serve } = await import('./serve-web.ts');
serve();

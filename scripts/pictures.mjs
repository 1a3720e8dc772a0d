/** `npm run pictures`: takes the pictures of docs/images anew, with the tests of what is visible. */
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { run, stopOnSignals } from './lib/processes.mjs';

stopOnSignals();
const args = [join(root, 'scripts', 'test.mjs'), 'build', 'editor/visible'];
const { code } = await run(process.execPath, args, { env: { PODIUM_PICTURES: 'docs' } });
process.exit(code);

import { pictureOpenWindows } from '../support/window.ts';

// Of a window that nobody sees, a picture says more than what was waited for.
afterEach(async function () {
  if (this.currentTest?.state !== 'failed') return;
  const paths = await pictureOpenWindows(this.currentTest.fullTitle());
  for (const path of paths) process.stdout.write(`    on the screen: ${path}\n`);
});

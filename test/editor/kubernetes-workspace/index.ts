import { runMocha } from '../support/mocha.ts';

/** Called by VS Code. */
export function run(): Promise<void> {
  return runMocha(async () => {
    // The first one wants to see the extension start.
    await import('./activation.test.ts');
    await import('./hover.test.ts');
    await import('./diagnostics.test.ts');
    await import('./quick-fixes.test.ts');
    await import('./code-lenses.test.ts');
    await import('./commands.test.ts');
    await import('./settings.test.ts');
    await import('./watchers.test.ts');
    await import('./git-versions.test.ts');
    await import('./comparisons.test.ts');
    await import('./assistants.test.ts');
  });
}

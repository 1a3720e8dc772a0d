import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageParts } from '../../report-model/report-file.ts';
import { UsageError } from '../command.ts';
import { packageOf } from '../version.ts';

/** The built page of the report, which comes with every package. Rejects with `UsageError` where it is not there. */
export async function pageParts(): Promise<PageParts> {
  const folder = join(packageOf(process.argv[1] ?? '')?.folder ?? '', 'dist', 'webview');
  try {
    const [script, style] = await Promise.all(
      ['main.js', 'main.css'].map((name) => readFile(join(folder, name), 'utf8')),
    );
    return { script: script ?? '', style: style ?? '' };
  } catch {
    throw new UsageError('--format html needs the page of the report, which this installation is without', true);
  }
}

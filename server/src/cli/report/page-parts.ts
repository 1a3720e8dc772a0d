import { join } from 'node:path';
import type { PageParts } from '../../report-model/report-file.ts';
import { UsageError } from '../command.ts';
import { packageOf, textOf } from '../version.ts';

/** The built page of the report, which comes with every package. Throws `UsageError` where it is not there. */
export function pageParts(): PageParts {
  const folder = join(packageOf(process.argv[1] ?? '')?.folder ?? '', 'dist', 'webview');
  const script = textOf(join(folder, 'main.js'));
  const style = textOf(join(folder, 'main.css'));
  if (script === undefined || style === undefined) {
    throw new UsageError('--format html needs the page of the report, which this installation is without', true);
  }
  return { script, style };
}

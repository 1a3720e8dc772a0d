import type * as vscode from 'vscode';
import type { OverviewClass, OverviewWorkload } from '../../server/src/report-model/overview.ts';

/** A row of the side bar. What it tells of makes it an argument of commands, which take the fields that they know. */
export interface OverviewRow {
  readonly item: vscode.TreeItem;
  /** Undefined for sections, and for the rows at the end of lists. */
  readonly entry?: Pick<OverviewWorkload | OverviewClass, 'name' | 'origin'>;
  readonly children?: () => readonly OverviewRow[];
}

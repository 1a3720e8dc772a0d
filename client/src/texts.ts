import * as vscode from 'vscode';
import { grouped } from '../../server/src/util/words.ts';

const { t } = vscode.l10n;

/** Amounts in words: one form for one, and another for any other number. */
export const count = {
  pods: (amount: number): string => (amount === 1 ? t('1 pod') : t('{0} pods', grouped(amount))),
  workloads: (amount: number): string => (amount === 1 ? t('1 workload') : t('{0} workloads', grouped(amount))),
  nodes: (amount: number): string => (amount === 1 ? t('1 node') : t('{0} nodes', grouped(amount))),
  objects: (amount: number): string => (amount === 1 ? t('1 object') : t('{0} objects', grouped(amount))),
};

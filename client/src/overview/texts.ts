import * as vscode from 'vscode';
import { grouped } from '../../../server/src/kit/words.ts';

const { t } = vscode.l10n;

/** Names are as long in Kubernetes. */
const longest = 253;

/** Names and messages come from anybody: characters that move or hide others are shown as what they are. */
export function asText(text: string, atMost = longest): string {
  const cut = text.length > atMost ? `${text.slice(0, atMost)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

/** Amounts in words. A language has one form for one, and another for any other number. */
export const count = {
  pods: (amount: number): string => (amount === 1 ? t('1 pod') : t('{0} pods', grouped(amount))),
  workloads: (amount: number): string => (amount === 1 ? t('1 workload') : t('{0} workloads', grouped(amount))),
};

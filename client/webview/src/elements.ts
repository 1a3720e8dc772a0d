/** The elements of @vscode-elements that the page uses, known to JSX. */
import type { VscodeButton } from '@vscode-elements/elements/dist/vscode-button/index.js';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { HTMLAttributes } from 'preact';

declare module 'preact' {
  // The only way to tell JSX of other elements.
  // oxlint-disable-next-line typescript/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': HTMLAttributes<VscodeButton> & Partial<Pick<VscodeButton, 'secondary' | 'disabled'>>;
      'vscode-textfield': HTMLAttributes<VscodeTextfield> &
        Partial<Pick<VscodeTextfield, 'placeholder' | 'value' | 'label'>>;
    }
  }
}

/**
 * Makes them work when the page has nothing else to do: their framework is a tenth of the first paint. Until then the
 * style sheet gives them their size and look (`:not(:defined)`).
 */
export function defineElements(): void {
  const define = (): void => {
    void import('@vscode-elements/elements/dist/vscode-button/index.js');
    void import('@vscode-elements/elements/dist/vscode-textfield/index.js');
  };
  // Safari, and with it VS Code in Safari, has no idle callbacks.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(define);
  else setTimeout(define, 300);
}

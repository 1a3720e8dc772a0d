/** The elements of @vscode-elements that the page uses, registered and known to JSX. */
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { VscodeButton } from '@vscode-elements/elements/dist/vscode-button/index.js';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { HTMLAttributes } from 'preact';

declare module 'preact' {
  // The only way to tell JSX of other elements.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': HTMLAttributes<VscodeButton> & Partial<Pick<VscodeButton, 'secondary' | 'disabled'>>;
      'vscode-textfield': HTMLAttributes<VscodeTextfield> &
        Partial<Pick<VscodeTextfield, 'placeholder' | 'value' | 'label'>>;
    }
  }
}

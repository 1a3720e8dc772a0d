import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { Ref } from 'preact';
import { usePage } from '../page-context.ts';

/** Narrows the map, the steps and the tables. */
export function FilterField({ field }: { readonly field: Ref<VscodeTextfield> }) {
  const { view, dispatch } = usePage();
  return (
    <vscode-textfield
      ref={field}
      class="filter"
      label="Filter pods and nodes"
      placeholder="Filter (press /)"
      value={view.filter}
      onInput={(event) => {
        dispatch({ type: 'filter', text: event.currentTarget.value });
      }}
    />
  );
}

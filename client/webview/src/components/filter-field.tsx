import type { Ref } from 'preact';
import { usePage } from '../page-context.ts';

/** Narrows the map, the steps and the tables. */
export function FilterField({ field }: { readonly field: Ref<HTMLInputElement> }) {
  const { view, dispatch } = usePage();
  return (
    <input
      ref={field}
      type="text"
      class="filter"
      aria-label="Filter pods and nodes"
      spellcheck={false}
      placeholder="Filter (press /)"
      value={view.filter}
      onInput={(event) => {
        dispatch({ type: 'filter', text: event.currentTarget.value });
      }}
    />
  );
}

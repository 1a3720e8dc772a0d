import { say } from '../../../../server/src/util/say.ts';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { qualifiedName } from '../../../../server/src/util/words.ts';
import { type Trial, trialsWith } from '../model/operations.ts';
import type { MenuRequest } from '../model/menu-request.ts';
import type { Selection } from '../model/view-state.ts';
import { usePage } from '../page-context.ts';

/** Of a right click, or of Shift+F10 on what has the focus or on the row `active` of it. */
export function menuRequest(selection: Selection, event: MouseEvent, active?: Element | null): MenuRequest {
  const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  if (event.button === 2) return { selection, x: event.clientX, y: event.clientY, opener };
  const { left, bottom } = (active ?? opener ?? document.body).getBoundingClientRect();
  return { selection, x: left + 12, y: bottom, opener };
}

interface WhatIfMenuProps {
  readonly request: MenuRequest;
  readonly onClose: () => void;
}

/** What can be tried with a pod or a node, as a menu. Arrow keys walk it, a letter leads to what begins with it. */
export function WhatIfMenu({ request, onClose }: WhatIfMenuProps) {
  const { report, names, attempt } = usePage();
  const { selection, opener } = request;
  const trials = useMemo(() => trialsWith(report, names, selection), [report, names, selection]);
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    // It stays within the page: what would be cut off moves up and to the left.
    const { offsetWidth, offsetHeight } = element;
    element.style.left = `${Math.max(4, Math.min(request.x, innerWidth - offsetWidth - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(request.y, innerHeight - offsetHeight - 4))}px`;
    itemsOf(element)[0]?.focus({ preventScroll: true });
  }, [request]);
  const close = (): void => {
    onClose();
    opener?.focus({ preventScroll: true });
  };
  useEffect(() => {
    const leave = (event: Event): void => {
      if (!(event.target instanceof Node) || !(menu.current?.contains(event.target) ?? false)) onClose();
    };
    addEventListener('pointerdown', leave);
    addEventListener('scroll', leave, { capture: true });
    addEventListener('blur', onClose);
    return () => {
      removeEventListener('pointerdown', leave);
      removeEventListener('scroll', leave, { capture: true });
      removeEventListener('blur', onClose);
    };
  }, [onClose]);
  const choose = (trial: Trial): void => {
    close();
    attempt(trial);
  };
  return (
    <div
      ref={menu}
      role="menu"
      class="menu"
      aria-label={say`What if: ${subjectOf()}`}
      onKeyDown={(event) => {
        const items = itemsOf(event.currentTarget);
        const at = items.findIndex((item) => item === document.activeElement);
        const to = target(event.key, at, items);
        if (event.key === 'Escape' || event.key === 'Tab') close();
        else if (to !== undefined) to.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div class="menu-title muted" role="presentation">
        {say`What if · ${subjectOf()}`}
      </div>
      {trials.map((trial) => (
        <button
          key={trial.operation}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class="menu-item"
          title={`--what-if '${trial.operation}'`}
          onClick={() => {
            choose(trial);
          }}
        >
          {trial.label}
        </button>
      ))}
    </div>
  );

  function subjectOf(): string {
    if (selection.kind === 'node') return report.nodes[selection.node]?.name ?? '';
    const pod = report.pods[selection.pod];
    return pod === undefined ? '' : qualifiedName(pod);
  }
}

function itemsOf(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
}

function target(key: string, at: number, items: readonly HTMLElement[]): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length];
    case 'ArrowUp':
      return items[(at - 1 + items.length) % items.length];
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      return after.find((item) => item.textContent.toLowerCase().startsWith(key.toLowerCase()));
    }
  }
}

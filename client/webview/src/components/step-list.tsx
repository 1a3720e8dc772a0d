import { say } from '../../../../server/src/util/say.ts';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { momentText } from '../../../../server/src/util/words.ts';
import { stepTitle } from '../../../src/report/step-title.ts';
import { stepRows, type StepRow } from '../model/step-rows.ts';
import { selectPod } from '../model/view-state.ts';
import { offsetsOf, rowWindow } from '../model/window.ts';
import { usePage } from '../page-context.ts';
import { useFontScale } from '../font-scale.ts';
import { showWithin, useViewport } from '../use-viewport.ts';
import { classes } from './classes.ts';
import { LeadOn } from './next-steps.tsx';
import { ShortName } from './short-name.tsx';

/** In pixels at the usual font size. */
const heights = { plain: 27, noted: 45, line: 22 } as const;

/** The decisions in order. Arrow keys walk them and the map follows; Right and Left open and close one. */
export function StepList() {
  const { report, view, frame, filter, dispatch, reveal } = usePage();
  const area = useRef<HTMLDivElement>(null);
  const viewport = useViewport(area);
  const scale = useFontScale();
  const rows = useMemo(
    () =>
      stepRows(
        report,
        view.openSteps,
        (step) => filter === null || filter.hasPod(step.pod) || step.victims.some((pod) => filter.hasPod(pod)),
      ),
    [report, view.openSteps, filter],
  );
  const offsets = useMemo(() => offsetsOf(rows.map((row) => heightOf(row, scale))), [rows, scale]);
  // The clock is as wide as its longest text, because the names need the room.
  const clockLength = useMemo(
    () => Math.max(0, ...new Set(report.steps.map(({ clock }) => momentText(report, clock).length))),
    [report],
  );
  const shown = rowWindow(offsets, viewport.from, viewport.to);
  const active = rows.findIndex((row) => row.kind === 'step' && row.index === frame.step - 1);
  const activeRow = rows[active];
  // Nothing refers to what is out of sight: only what is in it is drawn.
  const isDrawn = active >= shown.first && active < shown.end;

  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const element = area.current;
    const start = offsets[active];
    const end = offsets[active + 1];
    if (element !== null && start !== undefined && end !== undefined) {
      showWithin(element, start, end);
    }
    // Only when another step is shown: opening one must not scroll.
  }, [active]);

  const moveBy = (direction: 1 | -1): void => {
    let next = active + direction;
    while (rows[next]?.kind === 'line') {
      next += direction;
    }
    const row = rows[next];
    if (row !== undefined) {
      dispatch({ type: 'openStep', index: row.index });
    }
  };

  if (report.steps.length === 0) {
    return (
      <p class="empty-text">
        {say`There was nothing to decide.`} <LeadOn />
      </p>
    );
  }
  return (
    <div class="steps-area" ref={area}>
      <div
        role="tree"
        tabIndex={0}
        class="steps"
        aria-label={say`Steps`}
        style={{ height: `${offsets.at(-1) ?? 0}px`, '--clock': clockLength }}
        {...(activeRow === undefined || !isDrawn ? {} : { 'aria-activedescendant': `step-${activeRow.index}` })}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
            return;
          }
          if (!walkSteps(event.key)) {
            return;
          }
          event.preventDefault();
        }}
      >
        {rows.slice(shown.first, shown.end).map((row, offset) => (
          <StepLine
            key={row.kind === 'step' ? `s${row.index}` : `l${shown.first + offset}`}
            row={row}
            top={offsets[shown.first + offset]!}
            height={heightOf(row, scale)}
            active={row === activeRow}
            reached={row.index < frame.step}
          />
        ))}
        {rows.length === 0 && (
          <p class="empty-text">
            {say`No step matches.`} <LeadOn />
          </p>
        )}
      </div>
    </div>
  );

  function walkSteps(key: string): boolean {
    const isOpen = activeRow?.kind === 'step' && activeRow.open;
    switch (key) {
      case 'ArrowDown':
        moveBy(1);
        return true;
      case 'ArrowUp':
        moveBy(-1);
        return true;
      case 'Home':
      case 'End': {
        const row = key === 'Home' ? rows[0] : rows.findLast(({ kind }) => kind === 'step');
        if (row !== undefined) {
          dispatch({ type: 'openStep', index: row.index });
        }
        return true;
      }
      case 'ArrowRight':
      case 'ArrowLeft':
        if (activeRow !== undefined && isOpen === (key === 'ArrowLeft')) {
          dispatch({ type: 'toggleStep', index: activeRow.index });
        }
        return true;
      case ' ':
        if (activeRow !== undefined) {
          dispatch({ type: 'toggleStep', index: activeRow.index });
        }
        return true;
      case 'Enter': {
        const pod = activeRow?.kind === 'step' ? activeRow.step.pod : null;
        if (pod !== null) {
          reveal(selectPod(report, pod));
        }
        return true;
      }
      default:
        return false;
    }
  }
}

interface StepLineProps {
  readonly row: StepRow;
  readonly top: number;
  readonly height: number;
  readonly active: boolean;
  readonly reached: boolean;
}

function StepLine({ row, top, height, active, reached }: StepLineProps) {
  const { report, names, dispatch } = usePage();
  if (row.kind === 'line') {
    const { pod } = row;
    return (
      <div
        role="treeitem"
        aria-level={2}
        class="step-line"
        style={{ top: `${top}px`, height: `${height}px` }}
        title={row.text}
      >
        <span class="muted">{row.label}</span>
        {pod === null ? (
          <span class="ellipsis">{row.text}</span>
        ) : (
          <button
            type="button"
            class="link ellipsis"
            tabIndex={-1}
            onClick={() => {
              dispatch({ type: 'follow', selection: selectPod(report, pod) });
            }}
          >
            {row.text}
          </button>
        )}
      </div>
    );
  }
  const { step, index, subject, predicate, open } = row;
  const whole = stepTitle(step, {
    pod: (pod) => report.pods[pod]?.name ?? '',
    node: (node) => report.nodes[node]?.name ?? '',
  });
  // What is evicted is named as everywhere on the page.
  const shortNote = (note: string): string =>
    step.victims.reduce((text, pod) => text.replace(report.pods[pod]?.name ?? '', () => names.pod(pod)), note);
  return (
    <div
      role="treeitem"
      aria-level={1}
      id={`step-${index}`}
      aria-expanded={open}
      aria-selected={active}
      class={classes(`step kind-${step.kind}`, [active, 'selected'], [!reached, 'ahead'])}
      style={{ top: `${top}px`, height: `${height}px` }}
      title={[`${whole.subject} ${whole.predicate}`, step.note].filter((line) => line !== '').join('\n')}
      onClick={() => {
        dispatch({ type: 'openStep', index });
      }}
      onDblClick={() => {
        dispatch({ type: 'toggleStep', index });
      }}
    >
      <span
        class={open ? 'twistie open' : 'twistie'}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          dispatch({ type: 'toggleStep', index });
        }}
      />
      <span class="spoken">{`${say`Step ${index + 1}, ${momentText(report, step.clock)}`}: ${subject} ${predicate}${step.note === '' ? '' : `. ${step.note}`}`}</span>
      <span class="step-clock figure" aria-hidden="true">
        {momentText(report, step.clock)}
      </span>
      <span class="step-title" aria-hidden="true">
        <span class="step-subject">
          <ShortName text={subject} />
        </span>
        <span class="step-predicate ellipsis">{predicate}</span>
      </span>
      {step.note !== '' && (
        <span class="step-note ellipsis" aria-hidden="true">
          {shortNote(step.note)}
        </span>
      )}
    </div>
  );
}

function heightOf(row: StepRow, scale: number): number {
  const height = row.kind === 'line' ? heights.line : row.step.note === '' ? heights.plain : heights.noted;
  return Math.round(height * scale);
}

import { grouped } from '../../../../server/src/kit/words.ts';
import { formatClock } from '../../../src/report/format.ts';
import { stepTitle } from '../../../src/report/step-title.ts';
import type { Mode } from '../model/frame.ts';
import { usePage } from '../page-context.ts';

const modes: readonly (readonly [Mode, string])[] = [
  ['before', 'Before'],
  ['after', 'After'],
  ['difference', 'Difference'],
];

/** Which picture, and after which step. */
export function Toolbar() {
  return (
    <div class="toolbar">
      <ModeSwitch />
      <StepSlider />
    </div>
  );
}

function ModeSwitch() {
  const { view, dispatch } = usePage();
  const choose = (mode: Mode): void => {
    dispatch({ type: 'mode', mode });
  };
  return (
    <div
      class="switch"
      role="radiogroup"
      aria-label="Picture"
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (step !== undefined) {
          event.preventDefault();
          const at = modes.findIndex(([mode]) => mode === view.mode);
          const next = modes[(at + step + modes.length) % modes.length]!;
          choose(next[0]);
          event.currentTarget.querySelector<HTMLElement>(`[data-mode="${next[0]}"]`)?.focus();
        }
      }}
    >
      {modes.map(([mode, label]) => (
        <button
          key={mode}
          type="button"
          role="radio"
          data-mode={mode}
          aria-checked={view.mode === mode}
          tabIndex={view.mode === mode ? 0 : -1}
          onClick={() => {
            choose(mode);
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** More steps than this would make one grey line of ticks. */
const tickedSteps = 60;

function StepSlider() {
  const { report, frame, dispatch } = usePage();
  const steps = report.steps.length;
  const step = report.steps[frame.step - 1];
  const clock = formatClock(step?.clock ?? 0);
  const title = step === undefined ? 'before the first step' : Object.values(stepTitle(report, step)).join(' ');
  return (
    <div class="stepper">
      <span class="slider" style={{ '--steps': steps > tickedSteps ? 0 : steps }}>
        <input
          type="range"
          aria-label="Step"
          aria-valuetext={`Step ${frame.step} of ${steps}, ${clock}: ${title}`}
          min={0}
          max={steps}
          step={1}
          value={frame.step}
          disabled={steps === 0}
          onInput={(event) => {
            dispatch({ type: 'step', step: Number(event.currentTarget.value) });
          }}
        />
      </span>
      <span class="step-text" aria-hidden="true">
        <span class="figure">{`step ${grouped(frame.step)} of ${grouped(steps)} · clock ${clock}`}</span>
        <span class="muted ellipsis">{title}</span>
      </span>
    </div>
  );
}

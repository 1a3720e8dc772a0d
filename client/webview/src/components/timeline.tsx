import { say } from '../../../../server/src/util/say.ts';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { count, grouped, momentText } from '../../../../server/src/util/words.ts';
import type { Report } from '../../../../server/src/report-model/report.ts';
import { stepTitle } from '../../../src/report/step-title.ts';
import { axisOf, type LaneKind, rowsOf, type Span, type SpanKind, timeline } from '../model/timeline.ts';
import { templateText } from '../model/spoken.ts';
import { classes } from './classes.ts';
import { LeadOn } from './next-steps.tsx';
import { usePage } from '../page-context.ts';
import { useOneStop } from '../use-one-stop.ts';
import { ShortName } from './short-name.tsx';

const shownLanes = 6;
const moreLanes = 24;
/** More rows of a lane are counted. */
export const shownRows = 4;

export const words: Readonly<Record<SpanKind, readonly [sign: string, text: string]>> = {
  evicted: ['−', say`evicted, in its grace period`],
  ended: ['·', say`ends, in its grace period`],
  waits: ['○', say`pending`],
  runs: ['+', say`runs`],
};

/** One lane for each node, or for each workload: `l` changes it from anywhere. */
export function useLaneKind(): readonly [LaneKind, (kind: LaneKind) => void] {
  const [by, setBy] = useState<LaneKind>('node');
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const inField =
        event.target instanceof HTMLElement && /^(vscode-textfield|input|select)$/i.test(event.target.tagName);
      if (event.key !== 'l' || inField || event.ctrlKey || event.metaKey || event.altKey) return;
      setBy((was) => (was === 'node' ? 'workload' : 'node'));
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
    };
  }, []);
  return [by, setBy];
}

/** Whether there is no time in which anything could be shown. */
function happensAtOnce({ steps }: Pick<Report, 'steps'>): boolean {
  return steps.every(({ clock }) => clock === 0);
}

/**
 * The simulated seconds, and the moment that the map shows.
 * @param below whether it stands under the map, where further lanes are in a view of their own
 */
export function Timeline({ below = false }: { readonly below?: boolean }) {
  const { report, frame, names, dispatch } = usePage();
  const [by, setBy] = useLaneKind();
  const [limit, setLimit] = useState(shownLanes);
  const block = useOneStop<HTMLDivElement>();
  const { lanes, end } = useMemo(() => timeline(report, names, by), [report, names, by]);
  const { at, width, ticks } = axisOf(end);
  const now = report.steps[frame.step - 1]?.clock ?? 0;
  if (report.steps.length === 0) {
    return (
      <p class="empty-text">
        {say`There was nothing to decide.`} <LeadOn />
      </p>
    );
  }
  if (happensAtOnce(report)) return below ? null : <p class="empty-text">{say`Everything happens at once.`}</p>;
  return (
    <div class="timeline">
      <LaneLegend
        by={by}
        setBy={setBy}
        spans={lanes.flatMap(({ spans }) => spans)}
        isRolled={report.pods.some(({ template }) => template === 'new')}
      />
      <StepSlider />
      <div class="lanes" ref={block}>
        <Axis at={at} ticks={ticks} />
        {lanes.slice(0, limit).map((lane) => {
          const rows = rowsOf(lane.spans, end, ({ pod }) => pod);
          return (
            <section key={lane.label} class="lane" aria-label={lane.label}>
              <h3 class="lane-name" title={lane.label}>
                {lane.label}
              </h3>
              <div class="lane-rows" style={{ '--now': at(now) }}>
                {rows.slice(0, shownRows).map((row, index) => (
                  <div key={index} class="lane-row">
                    {row.map((span) => (
                      <button
                        key={`${span.pod}-${span.start}`}
                        type="button"
                        class={classes(`span span-${span.kind}`, [
                          report.pods[span.pod]?.template === 'new',
                          'new-template',
                        ])}
                        style={{ left: `min(${at(span.start)}, 100% - 14px)`, width: width(span) }}
                        title={spoken(span)}
                        onClick={() => {
                          dispatch({ type: 'select', selection: { kind: 'pod', pod: span.pod, node: span.node } });
                        }}
                      >
                        <ShortName text={`${words[span.kind][0]} ${names.pod(span.pod)}`} spoken={spoken(span)} />
                      </button>
                    ))}
                  </div>
                ))}
                {rows.length > shownRows && (
                  <span class="muted">{say`and ${count(rows.slice(shownRows).flat().length, 'more pod')}`}</span>
                )}
              </div>
            </section>
          );
        })}
      </div>
      {lanes.length > limit && (
        <button
          type="button"
          class="link"
          onClick={() => {
            if (below) dispatch({ type: 'view', view: 'timeline' });
            else setLimit(limit + moreLanes);
          }}
        >
          {below
            ? say`Timeline: ${count(lanes.length - limit, 'more lane')}`
            : count(lanes.length - limit, 'more lane')}
        </button>
      )}
    </div>
  );

  function spoken(span: Span): string {
    const [sign, text] = words[span.kind];
    const pod = report.pods[span.pod];
    const template = pod === undefined ? '' : templateText(pod);
    const whole = say`${sign} ${names.pod(span.pod)}, ${text}, from ${momentText(report, span.start)} to ${momentText(report, span.end)}`;
    return template === '' ? whole : `${whole}, ${template}`;
  }
}

/** Named moments; what stands in the lanes says its times itself. */
function Axis({ at, ticks }: Pick<ReturnType<typeof axisOf>, 'at' | 'ticks'>) {
  const { report } = usePage();
  return (
    <div class="axis" aria-hidden="true">
      <span />
      <div class="axis-ticks">
        {ticks.map((clock) => (
          <span key={clock} class="muted figure" style={{ left: at(clock) }}>
            {momentText(report, clock)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface LaneLegendProps {
  readonly by: LaneKind;
  readonly setBy: (kind: LaneKind) => void;
  readonly spans: readonly Pick<Span, 'kind'>[];
  /** Whether pods of a new template are among them. */
  readonly isRolled?: boolean;
}

/** What the marks of the lanes say, and what there is a lane for. */
export function LaneLegend({ by, setBy, spans, isRolled = false }: LaneLegendProps) {
  const kinds = new Set(spans.map(({ kind }) => kind));
  return (
    <div class="legend">
      <ul class="marks" aria-label={say`Marks`}>
        {(['evicted', 'ended', 'waits', 'runs'] as const)
          .filter((kind) => kinds.has(kind))
          .map((kind) => (
            <li key={kind}>
              <span class={`swatch span-${kind}`} />
              {words[kind].join(' ')}
            </li>
          ))}
        {isRolled && (
          <li>
            <span class="swatch new-template" />
            {say`new template`}
          </li>
        )}
      </ul>
      <button
        type="button"
        class="link"
        onClick={() => {
          setBy(by === 'node' ? 'workload' : 'node');
        }}
      >
        {by === 'node'
          ? say`one lane per node; per workload instead (l)`
          : say`one lane per workload; per node instead (l)`}
      </button>
    </div>
  );
}

/** Which moment the map and the tables show. */
function StepSlider() {
  const { report, frame, names, dispatch } = usePage();
  const steps = report.steps.length;
  const step = report.steps[frame.step - 1];
  const clock = momentText(report, step?.clock ?? 0);
  const title = step === undefined ? say`before the first step` : Object.values(stepTitle(step, names)).join(' ');
  return (
    <div class="stepper">
      <input
        type="range"
        aria-label={say`Moment`}
        aria-valuetext={say`Step ${frame.step} of ${steps}, ${clock}: ${title}`}
        min={0}
        max={steps}
        step={1}
        value={frame.step}
        onInput={(event) => {
          dispatch({ type: 'step', step: Number(event.currentTarget.value) });
        }}
      />
      <span class="step-text" aria-hidden="true">
        <span class="figure">{say`${clock} · step ${grouped(frame.step)} of ${grouped(steps)}`}</span>
        <span class="muted ellipsis">{title}</span>
      </span>
    </div>
  );
}

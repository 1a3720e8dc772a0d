import type { Plan, PlanLane } from '../../../../server/src/report-model/plan.ts';
import { joined, say } from '../../../../server/src/util/say.ts';
import { count, momentText } from '../../../../server/src/util/words.ts';
import { usePage } from '../page-context.ts';
import { axisOf, rowsOf } from '../model/timeline.ts';
import { templateText } from '../model/spoken.ts';
import { classes } from './classes.ts';
import { LaneLegend, shownRows, useLaneKind, words } from './timeline.tsx';
import { ShortName } from './short-name.tsx';

/** What a change makes nodes or workloads go through otherwise, stage by stage: beside one another, where there is room. */
export function Timelines({ plan: { stages, lanes } }: { readonly plan: Plan }) {
  const [by, setBy] = useLaneKind();
  const shown = lanes.filter((lane) => lane.by === by);
  const end = Math.max(1, ...stages.map(({ settledSeconds }) => settledSeconds));
  if (lanes.length === 0) return <p class="muted maps-rest">{say`At all stages the same happens at the same time.`}</p>;
  const all = shown.flatMap(({ at }) => at.flatMap(({ spans }) => spans));
  return (
    <section class="maps" aria-label={say`Timelines side by side`}>
      <LaneLegend by={by} setBy={setBy} spans={all} isRolled={all.some(({ template }) => template === 'new')} />
      {shown.map((lane) => (
        <div key={lane.name} class="maps-row">
          <h3 title={lane.name}>{lane.label}</h3>
          <div class="maps-stages" style={{ '--stages': stages.length }}>
            {stages.map(({ id, label }, index) => (
              <LaneStage key={id} label={label} lane={lane} at={lane.at[index]} end={end} />
            ))}
          </div>
        </div>
      ))}
    </section>
  );
}

type PlanSpan = PlanLane['at'][number]['spans'][number];

interface LaneStageProps {
  readonly label: string;
  readonly lane: PlanLane;
  readonly at: PlanLane['at'][number] | undefined;
  /** The last second of all stages, so that they are on one scale. */
  readonly end: number;
}

function LaneStage({ label, lane, at, end }: LaneStageProps) {
  const { report } = usePage();
  const { spans, more } = at ?? { spans: [], more: 0 };
  const rows = rowsOf(spans, end, ({ name }) => name);
  const hidden = rows.slice(shownRows).flat().length + more;
  const { at: place, width } = axisOf(end);
  const textOf = (span: PlanSpan): string => {
    const [sign, text] = words[span.kind];
    const whole = say`${sign} ${span.name}, ${text}, from ${momentText(report, span.start)} to ${momentText(report, span.end)}`;
    return span.template === undefined ? whole : `${whole}, ${templateText(span)}`;
  };
  return (
    <div class={spans.length === 0 ? 'maps-stage absent' : 'maps-stage'}>
      <span class="maps-label">{label}</span>
      {spans.length === 0 ? (
        <span class="muted">{say`nothing happens`}</span>
      ) : (
        <div class="lane-rows" role="img" aria-label={joined([label, lane.label, ...spans.map(textOf)], '; ')}>
          {rows.slice(0, shownRows).map((row, index) => (
            <div key={index} class="lane-row">
              {row.map((span) => (
                <span
                  key={`${span.name}-${span.start}`}
                  class={classes(`span span-${span.kind}`, [span.template === 'new', 'new-template'])}
                  style={{ left: `min(${place(span.start)}, 100% - 14px)`, width: width(span) }}
                  title={textOf(span)}
                >
                  <ShortName text={`${words[span.kind][0]} ${span.name}`} />
                </span>
              ))}
            </div>
          ))}
        </div>
      )}
      {hidden > 0 && <span class="muted">{say`and ${count(hidden, 'more pod')}`}</span>}
    </div>
  );
}

import { useState } from 'preact/hooks';
import { effectWord } from '../../../../server/src/report-model/words.ts';
import { say } from '../../../../server/src/util/say.ts';
import { count, grouped, list, qualifiedName } from '../../../../server/src/util/words.ts';
import type { Plan, PlanEffect } from '../../../../server/src/report-model/plan.ts';
import {
  causeText,
  effectSigns,
  firstRows,
  linkClock,
  planRows,
  refusedObjects,
} from '../../../../server/src/report-model/plan-rows.ts';
import type {
  PodChange,
  PodChangeKind,
  Report,
  ReportCause,
  ReportComparison,
} from '../../../../server/src/report-model/report.ts';
import { ManifestLink, PodLink } from './links.tsx';
import { Running, unbroken } from './short-name.tsx';
import { Toggle } from './toggle.tsx';

const words: Readonly<Record<PodChangeKind, { readonly text: string; readonly tone: 'good' | 'bad' | 'plain' }>> = {
  evicted: { text: say`newly evicted`, tone: 'bad' },
  pending: { text: say`newly not running`, tone: 'bad' },
  ended: { text: say`newly ended`, tone: 'plain' },
  removed: { text: say`removed`, tone: 'plain' },
  moved: { text: say`moved`, tone: 'plain' },
  added: { text: say`added`, tone: 'good' },
  placed: { text: say`newly placed`, tone: 'good' },
  spared: { text: say`no longer evicted`, tone: 'good' },
  kept: { text: say`no longer ended`, tone: 'plain' },
};

/** Rows that are drawn; the exports have all. */
const most = 200;

/** Rows of cause and effect that are drawn until somebody asks for more. */
const first = 8;

/** More reasons are counted. */
const namedReasons = 4;

/** Workloads, the worst first, that are drawn until somebody asks for more. */
const firstWorkloads = 14;

/** What was changed, what follows from it, and who fares differently at which stage. What it comes to stands above. */
export function Comparison({ report, comparison }: ComparisonProps) {
  const { causes, pods, plan, moreCauses } = comparison;
  const [all, setAll] = useState(false);
  if (pods.length + plan.chain.length + causes.length === 0) return null;
  const refused = refusedObjects(causes, report.events);
  const rows = planRows(comparison);
  const shown = all ? rows.slice(0, most) : firstRows(rows, first);
  const more = moreCauses + plan.moreLinks + Math.max(0, rows.length - most);
  return (
    <div class="comparison">
      <div class="plan">
        {rows.length > 0 && (
          <section class="plan-chain" aria-label={say`Cause and effect`}>
            <ul>
              {shown.map((row) =>
                row.kind === 'cause' ? (
                  <Cause key={row.cause.id} cause={row.cause} isRefused={refused.has(row.cause.object)} />
                ) : (
                  <li
                    key={row.link.id}
                    class={`plan-link link-${row.link.kind}`}
                    style={{ paddingInlineStart: `${Math.min(row.depth, 8) * 1.6}em` }}
                  >
                    <span class="muted figure">{linkClock(row.link, report)}</span>{' '}
                    <span>
                      <Running text={row.link.text} />
                    </span>
                  </li>
                ),
              )}
            </ul>
            {rows.length > first && (
              <Toggle
                open={all}
                setOpen={setAll}
                words={[say`${grouped(Math.min(most, rows.length) - first)} more`, say`Show fewer`]}
              />
            )}
            {all && more > 0 && <p class="muted">{say`${grouped(more)} more in the exports.`}</p>}
          </section>
        )}
        {plan.stages.length > 2 && <Figures plan={plan} />}
        {plan.effects.length > 0 && <Effects comparison={comparison} />}
      </div>
      {pods.length > 0 && (
        <details class="plan-pods">
          <summary>{say`Pod by pod · ${grouped(pods.length)}`}</summary>
          <ul aria-label={say`Compared with ${comparison.since}`}>
            {pods.slice(0, most).map((change) => (
              <Row key={`${change.kind} ${qualifiedName(change)}`} change={change} />
            ))}
          </ul>
          {pods.length > most && (
            <p class="muted">{say`${grouped(pods.length - most)} more pods are in the exports.`}</p>
          )}
        </details>
      )}
    </div>
  );
}

interface ComparisonProps {
  readonly report: Report;
  readonly comparison: ReportComparison;
}

function Cause({ cause, isRefused }: { readonly cause: ReportCause; readonly isRefused: boolean }) {
  return (
    <li class={isRefused ? 'refused' : ''}>
      <strong>{cause.object.replace('/', ' ')}</strong> <span>{causeText(cause)}</span>{' '}
      {isRefused && <span class="answer-mark">{say`refused`}</span>}
      <ManifestLink origin={cause.origin} />
    </li>
  );
}

const figureNames: readonly (readonly [keyof Plan['stages'][number]['figures'], string])[] = [
  ['evicted', say`evicted`],
  ['budgetsBroken', say`budgets broken`],
  ['pending', say`pending`],
  ['down', say`workloads down`],
  ['gated', say`gated`],
  ['refused', say`refused`],
  ['blocked', say`blocked`],
];

/** The figures of each stage, against the first. Of those that are nothing everywhere, none. */
function Figures({ plan: { stages } }: { readonly plan: Plan }) {
  const rows = figureNames
    .map(([key, name]) => [name, stages.map(({ figures }) => figures[key])] as const)
    .filter(([, values]) => values.some((value) => value > 0));
  return (
    <section class="plan-figures" aria-label={say`In figures`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say`In figures`}</th>
            {stages.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={index} class="figure">
                  {`${grouped(value)}${index === 0 ? '' : difference(value - values[0]!)}`}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function difference(by: number): string {
  return by === 0 ? ' (=)' : ` (${by > 0 ? '+' : '−'}${grouped(Math.abs(by))})`;
}

/** Workloads that fare differently, at each stage. */
function Effects({ comparison: { causes, plan } }: { readonly comparison: ReportComparison }) {
  const { stages, effects } = plan;
  const [all, setAll] = useState(false);
  const reasons = new Map([
    ...causes.map(({ id, object }) => [id, object.slice(object.indexOf('/') + 1)] as const),
    ...plan.chain.map(({ id, text }) => [id, text] as const),
  ]);
  const reason = ({ by, together }: PlanEffect): string => {
    const names = [...new Set(by.flatMap((id) => reasons.get(id) ?? []))];
    // That each counts says more than the first names of many.
    if (together && names.length > namedReasons) return say`${grouped(names.length)} changes together`;
    const sentence = list(names);
    return together ? say`${sentence} together` : sentence;
  };
  return (
    <section class="plan-effects" aria-label={say`Workloads that change`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{count(effects.length, 'workload changes', 'workloads change')}</th>
            {stages.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">{say`because of`}</th>
          </tr>
        </thead>
        <tbody>
          {effects.slice(0, all ? most : firstWorkloads).map((effect) => (
            <tr key={effect.workload} title={effect.workload}>
              <th scope="row">
                <span class={unbroken(effect.name)}>
                  <span class={`change-${effect.change}`} aria-hidden="true">
                    {effectSigns[effect.change]}
                  </span>{' '}
                  {effect.name}
                </span>
                <span class="spoken">{`, ${effectWord(effect.change)}`}</span>
              </th>
              {effect.at.map(({ text }, index) => (
                <td key={index}>{text}</td>
              ))}
              <td class="muted">{reason(effect)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {effects.length > firstWorkloads && (
        <Toggle
          open={all}
          setOpen={setAll}
          words={[say`${grouped(Math.min(most, effects.length) - firstWorkloads)} more`, say`Show fewer`]}
        />
      )}
      {all && effects.length > most && (
        <p class="muted">{say`${grouped(effects.length - most)} more are in the exports.`}</p>
      )}
    </section>
  );
}

function Row({ change }: { readonly change: PodChange }) {
  const { kind, pod, before, after } = change;
  const { text, tone } = words[kind];
  return (
    <li>
      <span class={`kind tone-${tone}`}>{text}</span>
      {pod === null ? <span>{qualifiedName(change)}</span> : <PodLink pod={pod} />}
      <span class="muted">
        {[before === '' ? say`not there` : before, after === '' ? say`not there any more` : after].join(' → ')}
      </span>
    </li>
  );
}

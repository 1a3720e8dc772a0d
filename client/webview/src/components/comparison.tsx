import { effectWord } from '../../../../server/src/contract/words.ts';
import { say } from '../../../../server/src/kit/say.ts';
import { count, grouped, list, qualifiedName } from '../../../../server/src/kit/words.ts';
import type { Plan, PlanEffect } from '../../../../server/src/contract/plan.ts';
import { causeText, linkClock, planRows } from '../../../../server/src/contract/plan-rows.ts';
import type { PodChange, PodChangeKind, ReportComparison } from '../../../../server/src/contract/report.ts';
import { ManifestLink, PodLink } from './links.tsx';

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

/** What a change does: the sentence, and when it is opened how one leads to the other, the figures, and whom it concerns. */
export function Comparison({ comparison }: { readonly comparison: ReportComparison }) {
  const { sentence, causes, pods, plan, moreCauses } = comparison;
  const told = sentence.map(({ text, tone }, index) => (
    <span key={index} class={`tone-${tone}`}>
      {text}
    </span>
  ));
  if (pods.length + plan.chain.length + causes.length === 0) {
    return <p class="comparison">{told}</p>;
  }
  const more = moreCauses + plan.moreLinks;
  return (
    <details class="comparison" open={pods.length <= 8}>
      <summary>
        {told}
        {plan.story !== null && <span class="plan-story">{plan.story.text}</span>}
      </summary>
      <div class="plan">
        <section class="plan-chain" aria-label={say`Cause and effect`}>
          <h3>{say`Cause and effect`}</h3>
          <ul>
            {planRows(comparison)
              .slice(0, most)
              .map((row) =>
                row.kind === 'cause' ? (
                  <li key={row.cause.id}>
                    <strong>{row.cause.object.replace('/', ' ')}</strong> <span>{causeText(row.cause)}</span>{' '}
                    <ManifestLink origin={row.cause.origin} />
                  </li>
                ) : (
                  <li
                    key={row.link.id}
                    class={`plan-link link-${row.link.kind}`}
                    style={{ paddingInlineStart: `${Math.min(row.depth, 8) * 1.6}em` }}
                  >
                    <span class="muted figure">{linkClock(row.link)}</span> <span>{row.link.text}</span>
                  </li>
                ),
              )}
          </ul>
          {more > 0 && <p class="muted">{say`${grouped(more)} more in the exports.`}</p>}
        </section>
        <Figures plan={plan} />
        {plan.effects.length > 0 && <Effects comparison={comparison} />}
      </div>
      <details class="plan-pods">
        <summary>{say`Pod by pod · ${grouped(pods.length)}`}</summary>
        <ul aria-label={say`Compared with ${comparison.since}`}>
          {pods.slice(0, most).map((change) => (
            <Row key={`${change.kind} ${qualifiedName(change)}`} change={change} />
          ))}
        </ul>
        {pods.length > most && <p class="muted">{say`${grouped(pods.length - most)} more pods are in the exports.`}</p>}
      </details>
    </details>
  );
}

const figureNames: readonly (readonly [keyof Plan['stages'][number]['figures'], string])[] = [
  ['evicted', say`evicted`],
  ['budgetsBroken', say`budgets broken`],
  ['down', say`workloads down`],
  ['pending', say`pending`],
  ['gated', say`gated`],
  ['refused', say`refused`],
  ['blocked', say`blocked`],
];

/** The figures of each stage. Of those that are nothing everywhere, none. */
function Figures({ plan: { stages } }: { readonly plan: Plan }) {
  const rows = figureNames
    .map(([key, name]) => [name, stages.map(({ figures }) => figures[key]), ''] as const)
    .filter(([, values]) => values.some((value) => value > 0));
  const all = [
    ...rows,
    [say`settled after`, stages.map(({ settledSeconds }) => Math.round(settledSeconds)), say` s`] as const,
  ];
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
          {all.map(([name, values, unit]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={index} class="figure">
                  {`${grouped(value)}${unit}${index === 0 ? '' : difference(value - values[index - 1]!, unit)}`}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function difference(by: number, unit: string): string {
  return by === 0 ? ' (=)' : ` (${by > 0 ? '+' : '−'}${grouped(Math.abs(by))}${unit})`;
}

const signs: Readonly<Record<PlanEffect['change'], string>> = { worse: '−', better: '+', restarted: '~', moved: '=' };

/** Workloads that fare differently, at each stage. */
function Effects({ comparison: { causes, plan } }: { readonly comparison: ReportComparison }) {
  const { stages, effects } = plan;
  const reasons = new Map([
    ...causes.map(({ id, object }) => [id, object.slice(object.indexOf('/') + 1)] as const),
    ...plan.chain.map(({ id, text }) => [id, text] as const),
  ]);
  const reason = ({ by, together }: PlanEffect): string => {
    const names = [...new Set(by.flatMap((id) => reasons.get(id) ?? []))];
    const told = list(names);
    return together ? say`${told} together` : told;
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
          {effects.slice(0, most).map((effect) => (
            <tr key={effect.workload} title={effect.workload}>
              <th scope="row">
                <span class={`change-${effect.change}`} aria-hidden="true">
                  {signs[effect.change]}
                </span>{' '}
                {effect.name}
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
      {effects.length > most && <p class="muted">{say`${grouped(effects.length - most)} more are in the exports.`}</p>}
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

import { grouped, qualifiedName } from '../../../../server/src/kit/words.ts';
import type { Plan, PlanEffect } from '../../../../server/src/contract/plan.ts';
import { causeText, linkClock, planRows } from '../../../../server/src/contract/plan-rows.ts';
import type { PodChange, PodChangeKind, ReportComparison } from '../../../../server/src/contract/report.ts';
import { ManifestLink, PodLink } from './links.tsx';

const words: Readonly<Record<PodChangeKind, { readonly text: string; readonly tone: 'good' | 'bad' | 'plain' }>> = {
  evicted: { text: 'newly evicted', tone: 'bad' },
  pending: { text: 'newly not running', tone: 'bad' },
  removed: { text: 'removed', tone: 'plain' },
  moved: { text: 'moved', tone: 'plain' },
  added: { text: 'added', tone: 'good' },
  placed: { text: 'newly placed', tone: 'good' },
  spared: { text: 'no longer evicted', tone: 'good' },
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
      <summary>{told}</summary>
      <div class="plan">
        <section class="plan-chain" aria-label="Cause and effect">
          <h3>Cause and effect</h3>
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
          {more > 0 && <p class="muted">{`${grouped(more)} more in the exports.`}</p>}
        </section>
        <Figures plan={plan} />
        {plan.effects.length > 0 && <Effects comparison={comparison} />}
      </div>
      <details class="plan-pods">
        <summary>{`Pod by pod · ${grouped(pods.length)}`}</summary>
        <ul aria-label={`Compared with ${comparison.since}`}>
          {pods.slice(0, most).map((change) => (
            <Row key={`${change.kind} ${qualifiedName(change)}`} change={change} />
          ))}
        </ul>
        {pods.length > most && <p class="muted">{`${grouped(pods.length - most)} more pods are in the exports.`}</p>}
      </details>
    </details>
  );
}

const figureNames: readonly (readonly [keyof Plan['stages'][number]['figures'], string])[] = [
  ['evicted', 'evicted'],
  ['budgetsBroken', 'budgets broken'],
  ['down', 'workloads down'],
  ['pending', 'pending'],
  ['gated', 'gated'],
  ['refused', 'refused'],
  ['blocked', 'blocked'],
];

/** The figures of each stage. Of those that are nothing everywhere, none. */
function Figures({ plan: { stages } }: { readonly plan: Plan }) {
  const rows = figureNames
    .map(([key, name]) => [name, stages.map(({ figures }) => figures[key]), ''] as const)
    .filter(([, values]) => values.some((value) => value > 0));
  const all = [
    ...rows,
    ['settled after', stages.map(({ settledSeconds }) => Math.round(settledSeconds)), ' s'] as const,
  ];
  return (
    <section class="plan-figures" aria-label="In figures">
      <table>
        <thead>
          <tr>
            <th scope="col">In figures</th>
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
  const objects = new Map(causes.map(({ id, object }) => [id, object.slice(object.indexOf('/') + 1)]));
  const reason = ({ by, together }: PlanEffect): string => {
    const names = [...new Set(by.flatMap((id) => objects.get(id) ?? []))];
    const told = `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`;
    return together ? `${told} together` : told;
  };
  return (
    <section class="plan-effects" aria-label="Workloads that change">
      <table>
        <thead>
          <tr>
            <th scope="col">{`${grouped(effects.length)} ${effects.length === 1 ? 'workload changes' : 'workloads change'}`}</th>
            {stages.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">because of</th>
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
                <span class="spoken">{`, ${effect.change}`}</span>
              </th>
              {effect.at.map(({ text }, index) => (
                <td key={index}>{text}</td>
              ))}
              <td class="muted">{reason(effect)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {effects.length > most && <p class="muted">{`${grouped(effects.length - most)} more are in the exports.`}</p>}
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
        {[before === '' ? 'not there' : before, after === '' ? 'not there any more' : after].join(' → ')}
      </span>
    </li>
  );
}

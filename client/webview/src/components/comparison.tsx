import { grouped, qualifiedName } from '../../../../server/src/kit/words.ts';
import type { PodChange, PodChangeKind, ReportComparison } from '../../../../server/src/contract/report.ts';
import { usePage } from '../page-context.ts';
import { ManifestLink, PodLink, WorkloadLink } from './links.tsx';

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

/** What a change of the manifests does: the sentence, and whom it concerns when it is opened. */
export function Comparison({ comparison }: { readonly comparison: ReportComparison }) {
  const { report } = usePage();
  const { sentence, causes, priorities, pods } = comparison;
  const told = (
    <>
      {sentence.map(({ text, tone }, index) => (
        <span key={index} class={`tone-${tone}`}>
          {text}
        </span>
      ))}
    </>
  );
  if (pods.length + priorities.length + causes.length === 0) {
    return <p class="comparison">{told}</p>;
  }
  return (
    <details class="comparison" open={pods.length <= 8}>
      <summary>{told}</summary>
      <ul aria-label={`Compared with ${comparison.since}`}>
        {causes.slice(0, most).map(({ object, field, old, new: now, origin }) => (
          <li key={`cause ${object} ${field}`}>
            <span class="kind">changed</span>
            <span>{object.replace('/', ' ')}</span>
            <span class="muted">
              {field === ''
                ? now === null
                  ? 'removed'
                  : 'new'
                : `${field} ${old === null ? 'nothing' : String(old)} → ${now === null ? 'nothing' : String(now)}`}
            </span>
            <ManifestLink origin={origin} />
          </li>
        ))}
        {priorities.map(({ workload, before, after }) => (
          <li key={`workload-${workload}`}>
            <span class="kind">priority changed</span>
            {report.workloads[workload] !== undefined && <WorkloadLink workload={workload} />}
            <span class="muted">{`${grouped(before)} → ${grouped(after)}`}</span>
          </li>
        ))}
        {pods.slice(0, most).map((change) => (
          <Row key={`${change.kind} ${qualifiedName(change)}`} change={change} />
        ))}
      </ul>
      {pods.length > most && <p class="muted">{`${grouped(pods.length - most)} more pods are in the exports.`}</p>}
    </details>
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

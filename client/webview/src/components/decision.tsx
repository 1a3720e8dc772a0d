import { say } from '../../../../server/src/util/say.ts';
import { useEffect, useMemo } from 'preact/hooks';
import { count, grouped, momentText } from '../../../../server/src/util/words.ts';
import { stepTitle } from '../../../src/report/step-title.ts';
import type {
  RefusalGroup,
  Report,
  ReportDecision,
  ReportVerdict,
} from '../../../../server/src/report-model/report.ts';
import { attemptsOf, decisionOf } from '../model/view-state.ts';
import { usePage } from '../page-context.ts';
import { post } from '../vscode-api.ts';
import { NodeLink } from './links.tsx';
import { candidateTable, type ScoreTable, scoreTable } from '../model/decision-tables.ts';
import { DetailTable } from './detail-table.tsx';
import { nodePodTable } from '../model/tables.ts';

/** Questions 3 and 4 about the selected pod: where it lands and why there, or why it waits. Of a node, its pods. */
export function Decision() {
  const { selection } = usePage().view;
  if (selection === null) {
    return null;
  }
  if (selection.kind === 'node') {
    return <NodePods key={selection.node} node={selection.node} />;
  }
  return <OfPod pod={selection.pod} />;
}

function OfPod({ pod }: { readonly pod: number }) {
  const { report, view } = usePage();
  const index = decisionOf(report, view, pod);
  const verdict = index === null ? undefined : report.decisions[index];
  if (index === null || verdict === undefined) {
    return (
      <section aria-label={say`Decision`}>
        <p class="empty-text">{say`Nothing was decided about this pod: it was running before the first step.`}</p>
      </section>
    );
  }
  return <Explained key={index} pod={pod} index={index} verdict={verdict} />;
}

interface ExplainedProps {
  readonly pod: number;
  readonly index: number;
  readonly verdict: Report['decisions'][number];
}

/** The verdict at once, the rest when it has come: decisions over many nodes are explained when somebody looks. */
function Explained({ pod, index, verdict }: ExplainedProps) {
  const { report, explained } = usePage();
  const known = 'refusals' in verdict ? verdict : explained.get(index);
  const decision = typeof known === 'object' ? known : undefined;
  const isAskedFor = known !== undefined;
  useEffect(() => {
    if (!isAskedFor) post({ type: 'explain', index });
  }, [report, index, isAskedFor]);
  const node = verdict.node === null ? '' : (report.nodes[verdict.node]?.name ?? '');
  return (
    <section aria-label={say`Decision`} class="decision" aria-busy={!isAskedFor}>
      <h2>{titleOf(report.pods[verdict.pod]?.name ?? '', node, verdict, decision?.scores != null)}</h2>
      <Attempts pod={pod} shown={index} />
      {known === undefined && <p class="muted">{say`Explaining…`}</p>}
      {typeof known === 'string' && <p class="muted">{known}</p>}
      {decision !== undefined && decision.why !== '' && <p class="why">{decision.why}</p>}
      {decision !== undefined && decision.candidates.length > 0 && <Candidates decision={decision} />}
      {decision?.scores != null && <Scores decision={decision} scores={decision.scores} />}
      {verdict.wouldHelp.length > 0 && (
        <>
          <h3>{say`What would help`}</h3>
          <ul class="help">
            {verdict.wouldHelp.map((line, at) => (
              <li key={at}>{line}</li>
            ))}
          </ul>
        </>
      )}
      {decision !== undefined && <Refusals title={say`What refuses it now`} groups={decision.refusals} />}
      {decision !== undefined && decision.ineligible !== '' && (
        <p>
          {say`Preemption was not tried:`} <span class="verbatim-inline">{decision.ineligible}</span>
        </p>
      )}
      {decision !== undefined && (
        <Refusals
          title={say`What would still refuse it with every lower-priority pod gone`}
          groups={decision.afterPreemption}
        />
      )}
      {verdict.message !== '' && <Verbatim text={verdict.message} />}
      {verdict.mayVary && (
        <p class="muted">{say`The real scheduler looks at a sample of the nodes here and may answer otherwise.`}</p>
      )}
    </section>
  );
}

function titleOf(pod: string, node: string, verdict: ReportVerdict, isScored: boolean): string {
  switch (verdict.kind) {
    case 'fits':
      return isScored ? say`Why ${node} — scores for ${pod}` : say`Why ${node} — ${pod} fits`;
    case 'preempts':
      return say`Why ${node} — candidates for ${pod}`;
    case 'unschedulable':
      return say`Why ${pod} is pending`;
    case 'gated':
      return say`Why ${pod} is not looked at`;
    case 'rejected':
      return say`Why ${pod} is refused by the API server`;
    case 'not-modelled':
      return say`Why there is no answer for ${pod}`;
    default:
      return verdict.kind satisfies never;
  }
}

/** A pod that was tried more than once has a button for each time. */
function Attempts({ pod, shown }: { readonly pod: number; readonly shown: number }) {
  const { report, names, dispatch } = usePage();
  const attempts = attemptsOf(report, pod);
  if (attempts.length < 2) {
    return null;
  }
  return (
    <div class="attempts" role="group" aria-label={say`Decisions about this pod`}>
      {attempts.slice(0, listedAttempts).map(({ step: number, decision }) => {
        const step = report.steps[number - 1]!;
        return (
          <button
            key={number}
            type="button"
            class="link"
            aria-pressed={decision === shown}
            onClick={() => {
              dispatch({ type: 'decision', decision });
            }}
          >
            {`${momentText(report, step.clock)}: ${stepTitle(step, names).predicate}`}
          </button>
        );
      })}
      {attempts.length > listedAttempts && (
        <span class="muted">{say`and ${grouped(attempts.length - listedAttempts)} more`}</span>
      )}
    </div>
  );
}

const listedAttempts = 8;

function Refusals({ title, groups }: { readonly title: string; readonly groups: readonly RefusalGroup[] }) {
  if (groups.length === 0) {
    return null;
  }
  return (
    <>
      <h3>{title}</h3>
      <table class="refusals">
        <thead>
          <tr>
            <th scope="col">{say`nodes`}</th>
            <th scope="col">{say`reason`}</th>
            <th scope="col">{say`plugin`}</th>
            <th scope="col">{say`which`}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group, index) => (
            <tr key={index}>
              <td class="numeric">{grouped(group.nodes.length)}</td>
              <td>
                {group.reasons.join('; ')}
                {group.code === 'UnschedulableAndUnresolvable' && (
                  <span class="muted"> {say`· evicting pods would not change this`}</span>
                )}
              </td>
              <td>{group.plugin}</td>
              <td>
                {group.nodes.slice(0, listedNodes).map((node) => (
                  <span key={node} class="listed">
                    <NodeLink node={node} />
                  </span>
                ))}
                {group.nodes.length > listedNodes && (
                  <span class="muted">{say`and ${count(group.nodes.length - listedNodes, 'other')}`}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const listedNodes = 12;

/** The scheduler's own words, to be compared with `kubectl describe`. */
function Verbatim({ text }: { readonly text: string }) {
  return (
    <div class="verbatim">
      <h3>{say`The scheduler’s message`}</h3>
      <pre>{text}</pre>
      <button
        type="button"
        class="link"
        onClick={() => {
          post({ type: 'copy', text });
        }}
      >
        {say`Copy`}
      </button>
    </div>
  );
}

/** The candidate nodes side by side, in the order in which the criteria are applied. */
function Candidates({ decision }: { readonly decision: ReportDecision }) {
  const { report } = usePage();
  return <DetailTable table={useMemo(() => candidateTable(report, decision), [report, decision])} />;
}

/** The pods of the selected node. */
function NodePods({ node }: { readonly node: number }) {
  const { report, frame } = usePage();
  return (
    <section aria-label={say`Pods on the node`} class="decision">
      <h2>{say`Pods on ${report.nodes[node]?.name ?? ''}`}</h2>
      <DetailTable table={useMemo(() => nodePodTable(report, frame, node), [report, frame, node])} />
    </section>
  );
}

/** For a pod that simply fits: what each plugin gave each node, and the total. */
function Scores({ decision, scores }: { readonly decision: ReportDecision; readonly scores: ScoreTable }) {
  const { report } = usePage();
  const table = useMemo(() => scoreTable(report, decision, scores), [report, decision, scores]);
  return (
    <>
      <DetailTable table={table} />
      {decision.best.length > 1 && (
        <p>
          {say`A tie: ${grouped(decision.best.length)} nodes share the best total. The real scheduler draws one of them; shown is the first by name.`}
        </p>
      )}
    </>
  );
}

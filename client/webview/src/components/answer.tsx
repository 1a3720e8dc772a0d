import { withWhatIfs } from '../../../../server/src/report-model/command-text.ts';
import { type Remedy, remedyLine } from '../../../../server/src/report-model/remedy.ts';
import { totalOf } from '../../../../server/src/report-model/assumed.ts';
import { markWord } from '../../../../server/src/report-model/words.ts';
import { say } from '../../../../server/src/util/say.ts';
import { useState } from 'preact/hooks';
import {
  type AnswerGroup,
  type AnswerLine,
  answerLineLimit,
  besideChange,
  foldedRemedies,
  restText,
} from '../../../../server/src/report-model/answer.ts';
import { isAlone } from '../standalone.ts';
import { withRemedy } from '../model/operations.ts';
import { selectPod } from '../model/view-state.ts';
import { post } from '../vscode-api.ts';
import { usePage } from '../page-context.ts';
import { useOneStop } from '../use-one-stop.ts';
import { useMedia } from '../use-media.ts';
import { Drawer } from './drawer.tsx';
import { LossTable } from './loss-table.tsx';
import { Qualified, Running } from './short-name.tsx';
import { menuRequest } from './what-if-menu.tsx';
import { Toggle } from './toggle.tsx';

const titles: Readonly<Record<AnswerGroup['kind'], string>> = {
  evicted: say`Evicted`,
  blocked: say`Blocked`,
  failed: say`Failed`,
  races: say`Races`,
  pending: say`Pending`,
  gated: say`Gated`,
  refused: say`Refused`,
  scheduled: say`Scheduled`,
  moved: say`Moved`,
  idle: say`No pods`,
};

/** Lines of a group of what is well, where there is little room and elsewhere. What is hurt or waits is cut last. */
const narrowLimit = 2;
const calmLimit = 3;

/** Who is hurt, what waits and why, who lands where: a line per workload or reason. Each leads to its first pod. */
export function AnswerBlock() {
  const { answer, comparison } = usePage().report;
  const shown = comparison === null ? [] : besideChange(comparison.before, answer.balance);
  return <Groups groups={answer.groups.filter(({ kind }) => !shown.includes(kind))} />;
}

/** What stands beside a change: where a drain hangs, and what would help against the first thing that is wrong. */
export function BesideChange() {
  const { answer, remedies, comparison } = usePage().report;
  const beside = comparison === null ? [] : besideChange(comparison.before, answer.balance);
  const shown = answer.groups.filter(({ kind }) => beside.includes(kind));
  const folded = foldedRemedies(answer, remedies ?? [], comparison, beside);
  const helped = answer.groups.find(({ kind }) => folded.some(({ group }) => group === kind));
  return (
    <>
      {shown.length > 0 && <Groups groups={shown} />}
      {helped !== undefined && (
        <div class="beside">
          <strong>{say`What would help`}</strong>
          <Remedies group={helped} of={folded} />
        </div>
      )}
    </>
  );
}

function Groups({ groups }: { readonly groups: readonly AnswerGroup[] }) {
  const block = useOneStop<HTMLDivElement>();
  return (
    <div class="answer" ref={block}>
      {groups.map((group) => (
        <Group key={group.kind} group={group} />
      ))}
    </div>
  );
}

function Group({ group }: { readonly group: AnswerGroup }) {
  const [all, setAll] = useState(false);
  const narrow = useMedia('(max-width: 699px)');
  const wide = useMedia('(min-width: 1200px)');
  const { report } = usePage();
  const { nodes } = report;
  const isTable = group.kind === 'evicted' && (report.losses !== undefined || group.lines.length > answerLineLimit);
  const limit = isTable ? 0 : !isCalm(group) ? answerLineLimit : narrow ? narrowLimit : calmLimit;
  const lines = all ? group.lines : group.lines.slice(0, limit);
  const rest = restText(group.lines, limit);
  return (
    <section class={`answer-group kind-${group.kind}`}>
      <h2>
        {titles[group.kind]} <span class="figure">{totalOf(group, nodes)}</span>
      </h2>
      {isTable && <Remedies group={group} />}
      {isTable && <LossTable />}
      <ul>
        {lines.map((line, index) => (
          <Line key={index} id={`${group.kind}-${index}`} line={line} hasThen={wide || !isCalm(group)} />
        ))}
        {rest !== '' && (
          <li class="answer-rest">
            <Toggle
              open={all}
              setOpen={setAll}
              words={[isTable ? say`Workload by workload · ${group.lines.length}` : rest, say`Show fewer`]}
            />
          </li>
        )}
      </ul>
      {!isTable && <Remedies group={group} />}
    </section>
  );
}

/** Nobody is hurt by it, so that nothing has to help. */
function isCalm({ kind }: AnswerGroup): boolean {
  return kind === 'scheduled' || kind === 'moved' || kind === 'idle';
}

/** What would help: each a button that tries it, with what the engine says comes of it. */
function Remedies({ group, of }: { readonly group: AnswerGroup; readonly of?: readonly Remedy[] }) {
  const { report, tries, tryOut } = usePage();
  const narrow = useMedia('(max-width: 699px)');
  const all = (of ?? report.remedies ?? []).filter((remedy) => remedy.group === group.kind);
  // Of those that serve the whole group the best one does where there is little room.
  const own = narrow && all.every(({ line }) => line === null) ? all.slice(0, 1) : all;
  if (report.remedies === null && !isCalm(group) && group.kind !== 'races' && !isAlone) {
    return <p class="remedies muted">{say`Looking for what would help…`}</p>;
  }
  if (own.length === 0) return null;
  return (
    <ul class="remedies" aria-label={say`What would help: ${titles[group.kind]}`}>
      {own.map(({ whatIf, label, line, effect }) => (
        <li key={`${line ?? ''} ${whatIf.join(';')}`}>
          {whatIf.length > 0 && isAlone && (
            <span title={withWhatIfs(report.command, whatIf)}>
              <Running text={label} />
            </span>
          )}
          {whatIf.length > 0 && !isAlone && (
            <button
              type="button"
              class="small-button"
              title={withWhatIfs(report.command, whatIf)}
              onClick={() => {
                tryOut(withRemedy(tries.operations, whatIf));
              }}
            >
              {label}
            </button>
          )}
          <span class="muted">
            <Running text={[remedyLine(group.lines, line), effect].filter(Boolean).join(': ')} />
          </span>
          {whatIf.length > 0 && isAlone && (
            <button
              type="button"
              class="link"
              aria-label={say`Copy as command`}
              onClick={() => {
                post({ type: 'copy', text: withWhatIfs(report.command, whatIf) });
              }}
            >
              {say`Copy`}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

interface LineProps {
  readonly id: string;
  readonly line: AnswerLine;
  /** Whether what becomes of it is shown; why a pod was scheduled where it is has the drawer, too. */
  readonly hasThen: boolean;
}

function Line({ id, line, hasThen }: LineProps) {
  const { report, view, dispatch, openMenu } = usePage();
  const open = view.anchor === id;
  const [pod] = line.pods;
  return (
    <li
      class="answer-line"
      onContextMenu={(event) => {
        const inDrawer = event.target instanceof Element && event.target.closest('.drawer') !== null;
        if (pod === undefined || openMenu === undefined || inDrawer) return;
        event.preventDefault();
        openMenu(menuRequest(selectPod(report, pod), event));
      }}
    >
      <button
        type="button"
        class="answer-subject"
        aria-expanded={open}
        onClick={() => {
          if (pod !== undefined) dispatch({ type: 'answer', selection: selectPod(report, pod), anchor: id });
        }}
      >
        <span class="answer-sign" aria-hidden="true">
          {line.sign}
        </span>
        <span class="answer-name">
          <Qualified name={line.name} />
        </span>{' '}
        <span class="answer-count figure">{line.count}</span>
      </button>
      <span class="answer-text">
        {line.marks.map((mark) => (
          <span key={mark} class="answer-mark">
            {markWord(mark)}
          </span>
        ))}
        <Running text={line.details.filter((text) => text !== '').join(' · ')} />
      </span>
      {hasThen && line.then !== '' && (
        <span class="answer-then">
          <Running text={line.then} />
        </span>
      )}
      {open && <Drawer />}
    </li>
  );
}

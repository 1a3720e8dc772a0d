import { grouped } from '../../../../server/src/kit/words.ts';
import { useState } from 'preact/hooks';
import { type AnswerGroup, type AnswerLine, answerLineLimit } from '../../../../server/src/contract/answer.ts';
import { selectPod } from '../model/view-state.ts';
import { usePage } from '../page-context.ts';
import { Drawer } from './drawer.tsx';

const titles: Readonly<Record<AnswerGroup['kind'], string>> = {
  evicted: 'Evicted',
  pending: 'Pending',
  gated: 'Gated',
  refused: 'Refused',
  scheduled: 'Scheduled',
};

/** Who is hurt, what waits and why, who lands where: a line per workload or reason. Each leads to its first pod. */
export function AnswerBlock() {
  const { answer } = usePage().report;
  return (
    <div class="answer">
      {answer.groups.map((group) => (
        <Group key={group.kind} group={group} />
      ))}
    </div>
  );
}

function Group({ group }: { readonly group: AnswerGroup }) {
  const [all, setAll] = useState(false);
  const lines = all ? group.lines : group.lines.slice(0, answerLineLimit);
  return (
    <section class={`answer-group kind-${group.kind}`}>
      <h2>
        {titles[group.kind]} <span class="figure">{grouped(group.pods)}</span>
      </h2>
      <ul>
        {lines.map((line, index) => (
          <Line key={index} id={`${group.kind}-${index}`} line={line} />
        ))}
        {group.rest !== '' && (
          <li class="answer-rest">
            <button
              type="button"
              class="link"
              aria-expanded={all}
              onClick={() => {
                setAll(!all);
              }}
            >
              {all ? 'Show fewer' : group.rest}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

function Line({ id, line }: { readonly id: string; readonly line: AnswerLine }) {
  const { report, view, dispatch } = usePage();
  const open = view.anchor === id;
  const [pod] = line.pods;
  return (
    <li class="answer-line">
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
        <span class="answer-name">{line.name}</span> <span class="answer-count figure">{line.count}</span>
      </button>
      <span class="answer-text">
        {line.marks.map((mark) => (
          <span key={mark} class="answer-mark">
            {mark}
          </span>
        ))}
        {line.details.filter((text) => text !== '').join(' · ')}
        {line.then !== '' && <span class="answer-then">{line.then}</span>}
      </span>
      {open && <Drawer />}
    </li>
  );
}

import { say } from '../../../../server/src/util/say.ts';
import { isAlone } from '../standalone.ts';
import { type NextStep, situations, trialsOf } from '../model/next-steps.ts';
import { usePage } from '../page-context.ts';
import { post } from '../vscode-api.ts';

/** What leads on from a report that has little to say, or that rests on less than it could. */
export function NextSteps() {
  const { report } = usePage();
  if (isAlone) return null;
  return situations(report).map(({ text, steps }) => (
    <div key={steps[0]?.label} class="next-steps">
      {text !== '' && <span>{text}</span>}
      <StepButtons steps={steps} />
    </div>
  ));
}

/** Where a view has no rows: the filter is the reason, or nothing has happened yet. */
export function LeadOn() {
  const { report, filter, dispatch } = usePage();
  if (filter === null) return <StepButtons steps={trialsOf(report)} />;
  return (
    <button
      type="button"
      class="small-button"
      onClick={() => {
        dispatch({ type: 'filter', text: '' });
      }}
    >
      {say`Clear the filter`}
    </button>
  );
}

function StepButtons({ steps }: { readonly steps: readonly NextStep[] }) {
  const { attempt } = usePage();
  if (isAlone) return null;
  return steps.map((step) => (
    <button
      key={step.label}
      type="button"
      class="small-button"
      {...('operation' in step && step.isWhole ? { title: `--what-if '${step.operation}'` } : {})}
      onClick={() => {
        if ('command' in step) post({ type: 'command', command: step.command });
        else attempt(step);
      }}
    >
      {step.label}
    </button>
  ));
}

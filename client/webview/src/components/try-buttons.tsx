import { say } from '../../../../server/src/util/say.ts';
import { useMemo } from 'preact/hooks';
import { isAlone } from '../standalone.ts';
import { trialsWith } from '../model/operations.ts';
import { usePage } from '../page-context.ts';

/** What can be tried with the selection: the same operations as in its menu and in the line above the map. */
export function TryButtons() {
  const { report, names, view, attempt } = usePage();
  const { selection } = view;
  const trials = useMemo(
    () => (selection === null || isAlone ? [] : trialsWith(report, names, selection)),
    [report, names, selection],
  );
  if (trials.length === 0) return null;
  return (
    <section aria-label={say`What if`} class="try-buttons">
      <h3>{say`What if`}</h3>
      {trials.map((trial) => (
        <button
          key={trial.operation}
          type="button"
          class="small-button"
          title={`--what-if '${trial.operation}'`}
          onClick={() => {
            attempt(trial);
          }}
        >
          {trial.label}
        </button>
      ))}
    </section>
  );
}

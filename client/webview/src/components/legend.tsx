import { grouped } from '../../../../server/src/kit/words.ts';
import { usePage } from '../page-context.ts';

/** More rungs than this are counted; their tiles still say their class. */
const shownRungs = 12;

/** The priority ladder and the marks. Choosing a rung emphasises its pods. */
export function Legend() {
  const { report, view, dispatch } = usePage();
  const more = report.ladder.length - shownRungs;
  return (
    <div class="legend">
      <ul class="rungs" aria-label="Priority ladder, highest first">
        {report.ladder.slice(0, shownRungs).map((rung, index) => (
          <li key={index}>
            <button
              type="button"
              class="rung-button"
              aria-pressed={view.rung === index}
              title="Emphasise the pods of this rung"
              onClick={() => {
                dispatch({ type: 'rung', rung: index });
              }}
            >
              <span class={`swatch rung-${index}`} />
              {rung.classes.length > 0 && <span>{rung.classes.join(', ')}</span>}
              <span class="muted figure">{grouped(rung.priority)}</span>
            </button>
          </li>
        ))}
        {more > 0 && <li class="muted">{`and ${more} more`}</li>}
      </ul>
      <ul class="marks" aria-label="Marks">
        <li>
          <span class="swatch look-evicted" />
          evicted
        </li>
        <li>
          <span class="swatch look-arrived" />
          arriving
        </li>
        <li>
          <span class="swatch look-nominated" />
          nominated
        </li>
      </ul>
    </div>
  );
}

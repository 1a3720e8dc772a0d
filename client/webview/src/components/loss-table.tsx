import { useMemo, useState } from 'preact/hooks';
import { type Loss, lossKeys } from '../../../../server/src/report-model/loss.ts';
import {
  lossesBy,
  lossKind,
  lossLabels,
  lossTotal,
  lostText,
  sharedByVictims,
  usualLosses,
} from '../../../../server/src/report-model/losses-by.ts';
import { say } from '../../../../server/src/util/say.ts';
import { count, grouped, list } from '../../../../server/src/util/words.ts';
import { usePage } from '../page-context.ts';
import { Running, unbroken } from './short-name.tsx';
import { Toggle } from './toggle.tsx';

/** Rows that are drawn until somebody asks for all. */
const first = 12;

/** Who loses pods: a row for each team, or for whatever else the reader chooses. */
export function LossTable() {
  const { report } = usePage();
  const [chosen, setChosen] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const losses = useMemo(
    () => (chosen === null ? (report.losses ?? usualLosses(report)) : lossesBy(report, chosen)),
    [report, chosen],
  );
  if (losses === null) return null;
  const { by, rows } = losses;
  const shared = sharedByVictims(report, rows);
  const total = lossTotal(rows);
  const labels = lossLabels(report);
  return (
    <div class="losses">
      <p class="losses-head">
        <label>
          {say`Evicted by`}{' '}
          <select
            class="export"
            value={by}
            onChange={(event) => {
              setChosen(event.currentTarget.value);
            }}
          >
            {lossKeys.map((key) => (
              <option key={key} value={key}>
                {lossKind(key)}
              </option>
            ))}
            {labels.length > 0 && (
              <optgroup label={say`label`}>
                {labels.map((key) => (
                  <option key={key} value={key}>
                    {key}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
        </label>{' '}
        <span class="muted">{shared}</span>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">{lossKind(by)}</th>
            <th scope="col" class="figure less">{say`ran`}</th>
            <th scope="col">{say`share lost`}</th>
            <th scope="col" class="figure">{say`evicted`}</th>
            <th scope="col" class="figure less">{say`again`}</th>
            <th scope="col" class="figure">{say`pending`}</th>
            {total.broken.length > 0 && <th scope="col" class="of-figures">{say`budgets broken`}</th>}
            {total.down.length > 0 && <th scope="col">{say`down`}</th>}
            {total.classes.length > 1 && <th scope="col" class="aside">{say`class`}</th>}
            {total.evictedFor.length > 1 && <th scope="col" class="aside">{say`evicted for`}</th>}
          </tr>
        </thead>
        <tbody>
          {(all ? rows : rows.slice(0, first)).map((row) => (
            <tr key={row.name}>
              <th scope="row">
                <span class={unbroken(row.name)}>{row.name === '' ? say`(none)` : row.name}</span>
              </th>
              <Figures row={row} total={total} />
              {total.down.length > 0 && (
                <td class="names">
                  {row.down.length > 0 && (
                    <>
                      <span class="answer-mark">{say`down`}</span>
                      <Running
                        text={list(
                          by === 'namespace' ? row.down.map((name) => name.slice(name.indexOf('/') + 1)) : row.down,
                        )}
                      />
                    </>
                  )}
                </td>
              )}
              {total.classes.length > 1 && (
                <td class="muted aside">
                  <Running text={list(row.classes, 2)} />
                </td>
              )}
              {total.evictedFor.length > 1 && (
                <td class="muted aside">
                  <Running text={list(row.evictedFor, 2)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{say`all ${grouped(rows.length)}`}</th>
            <Figures row={total} total={total} />
            {total.down.length > 0 && <td>{count(total.down.length, 'workload')}</td>}
            {total.classes.length > 1 && <td class="aside" />}
            {total.evictedFor.length > 1 && <td class="aside" />}
          </tr>
        </tfoot>
      </table>
      {rows.length > first && (
        <Toggle open={all} setOpen={setAll} words={[say`${grouped(rows.length - first)} more`, say`Show fewer`]} />
      )}
    </div>
  );
}

interface FiguresProps {
  readonly row: Omit<Loss, 'name'>;
  readonly total: Omit<Loss, 'name'>;
}

function Figures({ row, total }: FiguresProps) {
  return (
    <>
      <td class="figure less">{grouped(row.ran)}</td>
      <td class="unbroken" data-head={say`share lost`}>
        <span class="loss-bar" aria-hidden="true">
          <span style={{ width: `${row.lost * 100}%` }} />
        </span>{' '}
        {lostText(row)}
      </td>
      <td class="figure tone-bad" data-head={say`evicted`}>
        {grouped(row.evicted)}
      </td>
      <td class="figure less tone-good">{grouped(row.again)}</td>
      <td class="figure tone-warning" data-head={say`pending`}>
        {grouped(row.waiting)}
      </td>
      {total.broken.length > 0 && (
        <td class="figure tone-bad" data-head={say`budgets broken`} title={list(row.broken, 20)}>
          {grouped(row.broken.length)}
        </td>
      )}
    </>
  );
}

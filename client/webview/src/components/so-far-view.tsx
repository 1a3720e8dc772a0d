import { balanceSoFar, decidedOf, decidedText, type SoFar } from '../../../../server/src/report-model/so-far.ts';
import { say } from '../../../../server/src/util/say.ts';
import { count, grouped } from '../../../../server/src/util/words.ts';
import type { RunStatus } from '../model/page.ts';
import { CancelButton } from './cancel-button.tsx';

/** How much of a run is decided. */
export function percentOf(soFar: SoFar): number {
  return Math.floor((100 * decidedOf(soFar)) / Math.max(1, soFar.arriving));
}

/** The part of an answer that is known, marked as a part, while a first run goes on and when it was stopped. */
export function SoFarView({ status, soFar }: { readonly status: RunStatus; readonly soFar: SoFar }) {
  const { running, progress } = status;
  return (
    <section class="so-far" aria-label={say`So far`}>
      <div class="so-far-line">
        <span class="answer-mark">{say`so far`}</span>
        <progress value={decidedOf(soFar)} max={Math.max(1, soFar.arriving)} aria-label={decidedText(soFar)} />
        <span class="muted figure">{running && progress !== '' ? progress : decidedText(soFar)}</span>
        {running && <CancelButton escapes />}
      </div>
      <h1 class="headline">{soFar.headline}</h1>
      <p class="balance figure">
        <span>{balanceSoFar(soFar)}</span>
        <span>{say`${grouped(soFar.undecided)} of ${count(soFar.arriving, 'pod')} not decided yet`}</span>
      </p>
      {soFar.victims.length > 0 && (
        <div class="answer">
          <section class="answer-group kind-evicted">
            <h2>
              {say`Evicted`} <span class="figure">{grouped(soFar.evicted)}</span>
            </h2>
            <ul>
              {soFar.victims.map((victim) => (
                <li key={victim.name} class="answer-line">
                  <span class="answer-subject">
                    <span class="answer-sign" aria-hidden="true">
                      −
                    </span>
                    <span class="answer-name">{victim.name}</span>{' '}
                    <span class="answer-count figure">{victim.count}</span>
                  </span>
                  <span class="answer-text">{victim.for}</span>
                </li>
              ))}
              {soFar.moreVictims > 0 && <li class="answer-rest muted">{count(soFar.moreVictims, 'more workload')}</li>}
            </ul>
          </section>
        </div>
      )}
    </section>
  );
}

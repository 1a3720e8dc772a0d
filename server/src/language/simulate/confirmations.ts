import { say } from '../../util/say.ts';
import type { Confirmation, SimulateParams } from '../../protocol.ts';
import { isLarge, sizeText } from '../../simulation/run/run-size.ts';
import type { Watch } from '../../simulation/cluster/input.ts';
import { sentenceOf } from '../session/named-snapshot.ts';
import { scenarioFileOf } from './other-runs.ts';
import { scenarioRuns } from './scenario-runs.ts';
import type { Session } from '../session/session.ts';

/** The run is not begun before the user has been asked. */
export class ConfirmationRequired extends Error {
  override readonly name = 'DoubtError';
  readonly doubt: Confirmation;

  constructor(doubt: Confirmation) {
    super(doubt.doubt);
    this.doubt = doubt;
  }
}

/** Rejects with `DoubtError` before a run that its user wants to be asked about: now, or when its size is known. */
export async function doubtful({ scenario, asks = [] }: SimulateParams, session: Session): Promise<Watch> {
  const { unusableSnapshot } = session;
  const file = scenarioFileOf(scenario);
  const isConcerned = file === null || !(await scenarioRuns.namesSnapshot(file, session));
  if (asks.includes('snapshot') && unusableSnapshot !== null && isConcerned) {
    const { uri, fault } = unusableSnapshot;
    const place = { line: fault.line, character: 0 };
    const origin = { uri, range: { start: place, end: place } };
    throw new ConfirmationRequired({ about: 'snapshot', doubt: sentenceOf(unusableSnapshot), origin });
  }
  if (!asks.includes('large')) return {};
  return {
    begins: (size) => {
      if (isLarge(size)) {
        throw new ConfirmationRequired({ about: 'large', doubt: say`${sizeText(size)}.`, origin: null });
      }
    },
  };
}

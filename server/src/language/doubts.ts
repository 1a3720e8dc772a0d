import { say } from '../kit/say.ts';
import type { Doubt, SimulateParams } from '../protocol.ts';
import { isLarge, sizeText } from '../simulation/run/run-size.ts';
import type { Watch } from '../simulation/scene/input.ts';
import { sentenceOf } from './named-snapshot.ts';
import type { Session } from './session.ts';

/** The run is not begun before the user has been asked. */
export class DoubtError extends Error {
  override readonly name = 'DoubtError';
  readonly doubt: Doubt;

  constructor(doubt: Doubt) {
    super(doubt.doubt);
    this.doubt = doubt;
  }
}

/** Throws `DoubtError` before a run that its user wants to be asked about: now, or when it is known how large it is. */
export function doubtful({ asks = [] }: Pick<SimulateParams, 'asks'>, { unusableSnapshot }: Session): Watch {
  if (asks.includes('snapshot') && unusableSnapshot !== null) {
    const { uri, line } = unusableSnapshot;
    const place = { line, character: 0 };
    const origin = { uri, range: { start: place, end: place } };
    throw new DoubtError({ about: 'snapshot', doubt: sentenceOf(unusableSnapshot), origin });
  }
  if (!asks.includes('large')) return {};
  return {
    begins: (size) => {
      if (isLarge(size)) throw new DoubtError({ about: 'large', doubt: say`${sizeText(size)}.`, origin: null });
    },
  };
}

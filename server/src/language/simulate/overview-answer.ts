import type { CancellationToken, ResponseError } from 'vscode-languageserver';
import type { Overview } from '../../report-model/overview.ts';
import { overviewOf } from '../../simulation/report/overview.ts';
import type { Session } from '../session/session.ts';
import { AbandonedError } from '../session/simulations.ts';
import { answered } from './simulation-requests.ts';

/**
 * Answers with the overview of the first target. `begun` is called when what is there now is what it will be about; it is
 * refused where that changes meanwhile.
 */
export function overview(
  session: Session,
  token: CancellationToken,
  begun: () => void,
): Promise<Overview | ResponseError> {
  return answered(session, token, async () => {
    begun();
    const version = session.modelVersion;
    for (;;) {
      try {
        return await session.simulationsOf().inCluster(overviewOf, token);
      } catch (error) {
        // Text has changed, and nothing that the answer rests on: nobody would be told to ask again.
        const isSame =
          error instanceof AbandonedError && error.reason === 'outdated' && session.modelVersion === version;
        if (!isSame || token.isCancellationRequested) throw error;
      }
    }
  });
}

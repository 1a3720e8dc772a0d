import { say } from '../../../server/src/util/say.ts';
import type { ReportStep } from '../../../server/src/report-model/report.ts';
import type { ShortNames } from '../../../server/src/report-model/short-names.ts';

/** A step in one line: whom it is about and what happens to it. */
export interface StepTitle {
  readonly subject: string;
  readonly predicate: string;
}

/** More names than this are counted. */
const namedVictims = 2;

export function stepTitle(step: ReportStep, names: Pick<ShortNames, 'node' | 'pod'>): StepTitle {
  const pod = names.pod(step.pod);
  const node = step.node === null ? '' : names.node(step.node);
  switch (step.kind) {
    case 'scheduled':
      return { subject: pod, predicate: say`scheduled on ${node}` };
    case 'nominated':
      return { subject: pod, predicate: say`nominated to ${node}` };
    case 'cleared':
      return { subject: pod, predicate: say`waits no longer for ${node}` };
    case 'deleted':
      return { subject: pod, predicate: say`ends on ${node}` };
    case 'pending':
      return { subject: pod, predicate: say`pending` };
    case 'gated':
      return { subject: pod, predicate: say`held by its scheduling gates` };
    case 'rejected':
      return { subject: pod, predicate: say`refused by the API server` };
    case 'not-modelled':
      return { subject: pod, predicate: say`not modelled` };
    case 'gone': {
      const gone = step.victims.length === 0 ? [step.pod] : step.victims;
      const named = gone.slice(0, namedVictims).map((index) => names.pod(index));
      const more = gone.length - named.length;
      return {
        subject: more > 0 ? say`${named.join(', ')} and ${more} more` : named.join(', '),
        predicate: say`gone`,
      };
    }
    default:
      return step.kind satisfies never;
  }
}

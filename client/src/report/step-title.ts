import { say } from '../../../server/src/kit/say.ts';
import type { Report, ReportStep } from '../../../server/src/contract/report.ts';

/** A step in one line: whom it is about and what happens to it. */
export interface StepTitle {
  readonly subject: string;
  readonly predicate: string;
}

/** More names than this are counted. */
const namedVictims = 2;

export function stepTitle(report: Report, step: ReportStep): StepTitle {
  const pod = report.pods[step.pod]?.name ?? '';
  const node = step.node === null ? '' : (report.nodes[step.node]?.name ?? '');
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
      const names = gone.slice(0, namedVictims).map((index) => report.pods[index]?.name ?? '');
      const more = gone.length - names.length;
      return {
        subject: more > 0 ? say`${names.join(', ')} and ${more} more` : names.join(', '),
        predicate: say`gone`,
      };
    }
    default:
      return step.kind satisfies never;
  }
}

/** What autoscalers add to a run: loaded where there are pools. */
export { defaultSeconds, growerOf } from './grow.ts';

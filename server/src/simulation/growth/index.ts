/** What autoscalers add to a run: loaded where there are pools. */
export { growerOf } from './grow.ts';
export { type Removal, removalOf } from './removal.ts';

import { refuseSelector } from '../cel/index.ts';
import type { DeviceEngine } from '../framework/device-engine.ts';
import { Allocator } from './allocator.ts';
import { explain } from './explain.ts';
import { selectorsOf } from './selectors.ts';
import { offered } from './offered.ts';

/** The part of the engine that knows devices. */
export const engine: DeviceEngine = {
  refuse(expression, { devices, featureGates }) {
    const { newSelectorsKnowLists: isNew } = devices;
    const hasLists = featureGates.has('DRAListTypeAttributes');
    return refuseSelector(expression, {
      includes: hasLists,
      readsLists: hasLists,
      lists: isNew,
      shares: isNew && featureGates.has('DRAConsumableCapacity'),
    });
  },
  judge(expression, offered, release) {
    const selectors = selectorsOf(release);
    const answer = selectors.ask(expression, offered);
    if (typeof answer === 'string') return { kind: 'error', text: answer };
    return answer ? null : { kind: 'selector', text: selectors.whyNot(expression, offered) };
  },
  newAllocator: (source, filterTimeout) => new Allocator(source, filterTimeout),
  explain,
  offered,
};

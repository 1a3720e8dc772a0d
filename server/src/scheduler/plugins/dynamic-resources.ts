import { type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';

/**
 * Resource claims are not modelled: a pod that has some is answered "not modelled" before any plugin runs. For all
 * others upstream's plugin has nothing to say but in PostFilter, where it is part of every message.
 * Source: pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go
 */
export const dynamicResources: Plugin<undefined> = {
  name: 'DynamicResources',
  dependsOnPods: false,

  preFilter(): PreFilterAnswer<undefined> {
    return skip;
  },
};

/** What PostFilter of a pod without claims says. */
export const nothingToDeallocate = 'no new claims to deallocate';
/** What PostFilter says when PreFilter never came to the plugin, so that its state is missing. */
export const stateNotFound = 'not found';

import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import { type Status, unresolvable } from '../framework/status.ts';

const name = 'NodeName';
const refused = unresolvable(name, "node(s) didn't match the requested node name");

/** `spec.nodeName`. Source: pkg/scheduler/framework/plugins/nodename */
export const nodeName: Plugin<undefined> = {
  name,
  dependsOnPods: false,

  // Upstream has no PreFilter here; leaving Filter out changes no answer when every node would pass.
  preFilter({ pod }: Cycle): PreFilterAnswer<undefined> {
    return pod.nodeName === '' ? skip : { state: undefined };
  },

  filter({ pod }: Cycle, _state: undefined, node: NodeInfo): Status | null {
    return pod.nodeName === node.name ? null : refused;
  },
};

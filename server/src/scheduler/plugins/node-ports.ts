import { type HostPort, portsConflict } from '../framework/host-ports.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { type Cycle, type Plugin, type PreFilterAnswer, skip } from '../framework/plugin.ts';
import { type Status, unschedulable } from '../framework/status.ts';

const name = 'NodePorts';
const refused = unschedulable(name, "node(s) didn't have free ports for the requested pod ports");

/** Host ports. Source: pkg/scheduler/framework/plugins/nodeports */
export const nodePorts: Plugin<readonly HostPort[]> = {
  name,
  dependsOnPods: true,

  preFilter({ pod }: Cycle): PreFilterAnswer<readonly HostPort[]> {
    return pod.hostPorts.length === 0 ? skip : { state: pod.hostPorts };
  },

  filter(_cycle: Cycle, wanted: readonly HostPort[], node: NodeInfo): Status | null {
    for (const port of wanted) {
      for (const taken of node.hostPorts) if (portsConflict(port, taken)) return refused;
    }
    return null;
  },
};

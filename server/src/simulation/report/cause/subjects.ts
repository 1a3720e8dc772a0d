import { own } from '../../../kit/own.ts';
import { say } from '../../../kit/say.ts';

/** What a plugin's refusal is about. */
const subjects: Readonly<Record<string, string>> = {
  DynamicResources: say`devices`,
  InterPodAffinity: say`pod affinity`,
  NodeAffinity: say`node labels`,
  NodeDeclaredFeatures: say`node features`,
  NodeName: say`node name`,
  NodePorts: say`host port`,
  NodeUnschedulable: say`cordoned nodes`,
  NodeVolumeLimits: say`volumes`,
  PodTopologySpread: say`spread`,
  TaintToleration: say`taints`,
  VolumeBinding: say`volumes`,
  VolumeRestrictions: say`volumes`,
  VolumeZone: say`volumes`,
};

/** What a refusal of this plugin is about, in a word or two. */
export function subjectOf(plugin: string): string {
  return own(subjects, plugin) ?? plugin;
}

/** The resource that a reason of NodeResourcesFit says is short, as a list of at most one. */
export function shortResource(reason: string): readonly string[] {
  return reason === 'Too many pods' ? ['pods'] : (insufficient.exec(reason)?.slice(1) ?? []);
}

const insufficient = /^Insufficient (.+)$/;

import type { NodeRefusal, UnschedulableDecision } from '../decision.ts';

/** The plugins by which PreFilter narrowed the nodes down, as the text of such a refusal names them. */
const narrowing = /^node\(s\) didn't satisfy plugin(?:\(s\) \[(.*)\]| (\S+))/;

/**
 * The plugins that kept the pod from every node: only events that one of them cares about lead to another attempt.
 * Empty when the attempt failed without any, by an error or for want of nodes.
 * Source: Diagnosis.UnschedulablePlugins in pkg/scheduler/framework/types.go
 */
export function rejectorsOf(decision: UnschedulableDecision): ReadonlySet<string> {
  const plugins = new Set<string>();
  // Nodes share their refusals.
  const seen = new Set<NodeRefusal>(decision.refusals.values());
  for (const { code, plugin, reasons } of decision.preFilter === null ? seen : [decision.preFilter]) {
    if (code === 'Error') return new Set();
    if (plugin !== '') plugins.add(plugin);
    else for (const name of reasons.flatMap(namesIn)) plugins.add(name);
  }
  return plugins;
}

function namesIn(reason: string): readonly string[] {
  const match = narrowing.exec(reason);
  const names = match?.[1] ?? match?.[2] ?? '';
  return names === '' ? [] : names.split(' ');
}

import type { NodeRefusal } from '../decision.ts';

/** The plugins by which PreFilter narrowed the nodes down, as the text of such a refusal names them. */
const narrowing = /^node\(s\) didn't satisfy plugin(?:\(s\) \[(.*)\]| (\S+))/;

const nobody: ReadonlySet<string> = new Set();

/**
 * The plugins behind the refusals of an attempt: of PreFilter, or of the nodes. None when there was an error.
 * Source: Diagnosis.UnschedulablePlugins in pkg/scheduler/framework/types.go
 */
export function rejectorsOf(refusals: Iterable<NodeRefusal | null>): ReadonlySet<string> {
  const plugins = new Set<string>();
  // Nodes share their refusals.
  for (const refusal of new Set(refusals)) {
    if (refusal === null) continue;
    const { code, plugin, reasons } = refusal;
    if (code === 'Error') return nobody;
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

import type { Priorities } from '../../autoscaling/cluster-autoscaler/groups.ts';
import { asList, asMap, asPrinted, readData } from '../../manifests/read-data.ts';

// Source: sigs.k8s.io/yaml, the usual mistake
const notYaml =
  "Can't parse YAML with priorities in the configmap: error converting YAML to JSON: yaml: line 1: did not find expected node content";

/** What the ConfigMap of the priority expander says; undefined where there is none. Source: expander/priority/priority.go */
export function readPriorities(text: string | undefined): Priorities | undefined {
  if (text === undefined || text === '') return undefined;
  const entries = Object.entries(asMap(readData(text).value));
  if (entries.length === 0) return { problem: notYaml };
  const rules = new Map<number, readonly RegExp[]>();
  for (const [priority, expressions] of entries) {
    if (!/^-?[0-9]+$/.test(priority) || !Array.isArray(expressions)) return { problem: notYaml };
    try {
      rules.set(
        Number(priority),
        asList(expressions).flatMap((each) => compiled(asPrinted(each))),
      );
    } catch {
      return { problem: `Can't compile regexp rule for priority ${priority}` };
    }
  }
  return { rules };
}

/**
 * A pattern for names of node groups. JavaScript tries ways without end where Go does not: one with groups, or with more
 * than a few repetitions, matches nothing.
 */
function compiled(text: string): readonly RegExp[] {
  const isSimple = text.length <= 200 && !/[()]/.test(text) && (text.match(/[*+?{]/g) ?? []).length <= 4;
  return isSimple ? [new RegExp(text)] : [];
}

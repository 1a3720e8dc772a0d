import type { NamePattern, Priorities } from '../../autoscaling/cluster-autoscaler/groups.ts';
import { asList, asMap, asPrinted, readData } from '../../manifests/read-data.ts';

// Source: sigs.k8s.io/yaml, the usual mistake
const notYaml =
  "Can't parse YAML with priorities in the configmap: error converting YAML to JSON: yaml: line 1: did not find expected node content";

/**
 * What the ConfigMap of the priority expander says; undefined where there is none. Source: expander/priority/priority.go
 *
 * @param compile for expressions of Go's kind; throws where one is none
 */
export function readPriorities(
  text: string | undefined,
  compile: (expression: string) => NamePattern,
): Priorities | undefined {
  if (text === undefined || text === '') return undefined;
  const entries = Object.entries(asMap(readData(text).value));
  if (entries.length === 0) return { problem: notYaml };
  const rules = new Map<number, readonly NamePattern[]>();
  for (const [priority, expressions] of entries) {
    if (!/^-?[0-9]+$/.test(priority) || !Array.isArray(expressions)) return { problem: notYaml };
    try {
      rules.set(
        Number(priority),
        asList(expressions).map((each) => compile(asPrinted(each))),
      );
    } catch {
      return { problem: `Can't compile regexp rule for priority ${priority}` };
    }
  }
  return { rules };
}

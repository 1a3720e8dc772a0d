import type { ScenarioRequest } from '../../../server/src/protocol.ts';
import type { Report, ReportWorkload } from '../../../server/src/report-model/report.ts';

/** The question about a workload or its file; undefined for what is written nowhere. */
export function requestOf(
  about: 'file' | 'workload',
  workload: ReportWorkload | undefined,
): ScenarioRequest | undefined {
  if (workload === undefined) return undefined;
  const { kind, namespace, name, origin } = workload;
  if (about === 'file') return origin === null ? undefined : { kind: about, uri: origin.uri };
  return { kind: about, workloadKind: kind, namespace, name, ...(origin === null ? {} : { uri: origin.uri }) };
}

/** The files that a report came from. */
export function urisOf(report: Report): ReadonlySet<string> {
  const uris = new Set<string>();
  const causes = report.comparison?.causes ?? [];
  for (const { origin } of [...report.pods, ...report.nodes, ...report.workloads, ...causes]) {
    if (origin !== null) {
      uris.add(origin.uri);
    }
  }
  return uris;
}

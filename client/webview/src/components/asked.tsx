import { useMemo } from 'preact/hooks';
import type { Report } from '../../../../server/src/report-model/report.ts';
import { say } from '../../../../server/src/util/say.ts';
import { grouped } from '../../../../server/src/util/words.ts';
import { scenarioText } from '../../../src/report/format.ts';
import { usePage } from '../page-context.ts';
import { useMedia } from '../use-media.ts';
import { post } from '../vscode-api.ts';

/** More of them are found with a lens, or in the side bar. */
const mostOffered = 200;

/** What the report is about, and what else could be asked: everything, one file, one workload, a drain. */
export function Asked() {
  const { report, names, attempt } = usePage();
  const { scenario, workloads } = report;
  // Alone on a phone's width what is told apart needs the room.
  const tiny = useMedia('(max-width: 499px)');
  // The page is drawn at each key and each moment that is looked at; who there is does not change with them.
  const files = useMemo(() => filesOf(workloads), [workloads]);
  const arriving = workloads.slice(0, mostOffered);
  return (
    <select
      class="export asked"
      aria-label={say`What is asked`}
      value="now"
      onChange={(event) => {
        const [kind, index] = event.currentTarget.value.split(' ');
        // It says what is shown, until something else is.
        event.currentTarget.value = 'now';
        if (kind === 'drain') attempt({ operation: 'drain ', isWhole: false });
        if (kind === 'workspace') post({ type: 'ask', about: kind });
        if (kind === 'file' || kind === 'workload') post({ type: 'ask', about: kind, workload: Number(index) });
      }}
    >
      <option value="now">
        {tiny && scenario.kind === 'workload' ? names.workload(scenario.workload) : scenarioText(scenario)}
      </option>
      {scenario.kind !== 'workspace' && <option value="workspace">{say`Whole workspace`}</option>}
      <option value="drain">{say`Drain a node…`}</option>
      {arriving.length > 0 && (
        <optgroup label={say`Arrival of`}>
          {arriving.map((_workload, index) => (
            <option key={index} value={`workload ${index}`}>
              {names.workload(index)}
            </option>
          ))}
          {workloads.length > mostOffered && (
            <option disabled>{say`${grouped(workloads.length - mostOffered)} more`}</option>
          )}
        </optgroup>
      )}
      {files.length > 1 && (
        <optgroup label={say`One file`}>
          {files.map(({ workload, label }) => (
            <option key={workload} value={`file ${workload}`}>
              {label}
            </option>
          ))}
        </optgroup>
      )}
    </select>
  );
}

/** The files of workloads, each with the first that is written there. */
function filesOf(workloads: Report['workloads']): readonly { readonly workload: number; readonly label: string }[] {
  const found = new Map<string, number>();
  for (const [index, { origin }] of workloads.entries()) {
    if (origin !== null && found.size < mostOffered && !found.has(origin.uri)) found.set(origin.uri, index);
  }
  const uris = [...found.keys()];
  return uris.map((uri) => ({ workload: found.get(uri)!, label: labelOf(uri, uris) }));
}

/** As many of its last steps as tell it from the others. */
function labelOf(uri: string, uris: readonly string[]): string {
  const steps = uri.split('/');
  let count = 1;
  const label = (): string => steps.slice(-count).join('/');
  while (count < steps.length && uris.some((other) => other !== uri && other.endsWith(`/${label()}`))) count += 1;
  return decodeURIComponent(label());
}

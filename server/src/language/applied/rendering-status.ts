import type { AppliedStatus } from '../../protocol.ts';
import type { WhyNot } from '../../sources/files/source.ts';
import type { FoundSources } from '../../sources/targets/workspace-sources.ts';
import type { Tools } from '../../sources/tools/tools.ts';
import { list } from '../../util/words.ts';

/** Names in one line of the log. */
const namesInLog = 10;

/** Whether sources are rendered, and what is missing for it. */
export function renderingStatus(
  { applied: { sources } }: FoundSources,
  { kustomize, helm }: Tools,
  isTrusted: boolean,
): Pick<AppliedStatus, 'rendering' | 'installed' | 'missing' | 'isRemote'> {
  const isRefused = (why: WhyNot): boolean => sources.some(({ refusal }) => refusal?.why === why);
  const lacks = isRefused('no-tool');
  const needsHelm = sources.some(
    ({ source, refusal }) => refusal?.why === 'remote' && source.remotes.some(({ kind }) => kind === 'chart'),
  );
  const rendering = isRefused('not-allowed') ? 'not-allowed' : lacks ? 'no-tool' : 'on';
  return {
    rendering: isTrusted ? rendering : 'not-trusted',
    installed: [kustomize, helm].flatMap((tool) => tool?.program ?? []),
    missing: [
      ...(kustomize === null && lacks ? ['kubectl'] : []),
      ...(helm === null && (lacks || needsHelm) ? ['helm'] : []),
    ],
    isRemote: sources.some(
      ({ source: { remotes, leftOut }, refusal }) => (refusal !== null || leftOut !== undefined) && remotes.length > 0,
    ),
  };
}

/** A line for the log on what came of the sources; empty where there are none. */
export function renderingLog(
  { applied: { sources } }: FoundSources,
  { kustomize, helm }: Tools,
  targets: readonly string[],
): string {
  if (sources.length === 0) return '';
  const notRendered = sources.filter(({ refusal }) => refusal !== null);
  const names = notRendered.map(({ source, refusal }) => `${source.name} (${refusal?.why ?? ''})`);
  return [
    `Sources: ${sources.length - notRendered.length} of ${sources.length} rendered`,
    `targets: ${list(targets, namesInLog)}`,
    ...(notRendered.length === 0 ? [] : [`not rendered: ${list(names, namesInLog)}`]),
    [
      kustomize === null ? 'kubectl is not installed' : kustomize.path,
      helm === null ? 'helm is not installed' : helm.path,
    ].join(', '),
  ].join('; ');
}

import { isList } from '../util/values.ts';

/** Flags of Cluster Autoscaler that decide what it adds. Source: cluster-autoscaler/config/flags/flags.go */
const deciding: ReadonlySet<string> = new Set([
  'balance-similar-node-groups',
  'cores-total',
  'expander',
  'expendable-pods-priority-cutoff',
  'max-nodes-per-scaleup',
  'max-nodes-total',
  'memory-total',
]);

/** A container as it is written; of another type it has no flags. */
interface WrittenContainer {
  readonly image?: unknown;
  readonly command?: unknown;
  readonly args?: unknown;
}

/** Of the containers of a pod that run Cluster Autoscaler, the flags that decide what it adds: `--expander=priority`. */
export function autoscalerFlags(containers: readonly WrittenContainer[]): readonly string[] {
  return containers
    .filter(({ image }) => typeof image === 'string' && /(?:^|\/)cluster-autoscaler(?:[-:@]|$)/.test(image))
    .flatMap(({ command, args }) => [command, args])
    .flatMap((words) => (isList(words) ? words : []))
    .flatMap((word) => (typeof word === 'string' ? word.split(/\s+/) : []))
    .filter((word) => deciding.has(/^--?([a-z-]+)(?:=|$)/.exec(word)?.[1] ?? ''));
}

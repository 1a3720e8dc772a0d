import type { ReportWorkload } from '../../../report-model/report.ts';

/** Something that may help: operations, or as few of something as will do. */
export type Proposal = (
  | {
      readonly kind: 'operations';
      readonly whatIf: readonly string[];
      /** How many pods are not asked for any more, or are given less. */
      readonly lost?: number;
      /** What everybody does in such a case: it is told of, whatever it costs. */
      readonly isUsual?: boolean;
    }
  | { readonly kind: 'fewest'; readonly guess: number; whatIf(amount: number): readonly string[] }
) & {
  /** Of those with the same the first that helps all will do. */
  readonly family?: string;
};

export function operations(...whatIf: readonly string[]): readonly Proposal[] {
  return [{ kind: 'operations', whatIf }];
}

/** `deployment/shop/checkout`, as operations name it. */
export function targetOf({ kind, namespace, name }: ReportWorkload): string {
  return `${kind.toLowerCase()}/${namespace}/${name}`;
}

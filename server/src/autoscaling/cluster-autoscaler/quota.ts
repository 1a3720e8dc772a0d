import type { Node } from '../../kubernetes/objects.ts';
import { readResourceList } from '../../kubernetes/pod-resources.ts';
import { quantityValue } from '../../kubernetes/quantity.ts';
import type { AutoscalerOptions } from './groups.ts';

type Amounts = ReadonlyMap<string, bigint>;

/** What limits of the whole cluster leave. Source: cluster-autoscaler/resourcequotas/tracker.go */
export class ClusterQuota {
  readonly #left = new Map<string, bigint>();
  readonly #byGroup = new Map<string, Amounts>();

  constructor(nodes: readonly Node[], groupOf: (node: Node) => string | undefined, options: AutoscalerOptions) {
    if (options.mostCores !== undefined) this.#left.set('cpu', options.mostCores);
    if (options.mostMemoryBytes !== undefined) this.#left.set('memory', options.mostMemoryBytes);
    for (const node of nodes) {
      for (const [name, amount] of this.#resourcesOf(node, groupOf(node))) this.#take(name, amount);
    }
  }

  /** How many of the nodes are allowed, and which limits stand against the others. */
  check(
    template: Node,
    group: string,
    count: number,
  ): { readonly allowed: number; readonly exceeded: readonly string[] } {
    let allowed = count;
    const exceeded: string[] = [];
    for (const [name, amount] of this.#resourcesOf(template, group)) {
      const left = this.#left.get(name);
      if (left === undefined || amount <= 0n || left >= amount * BigInt(count)) continue;
      allowed = Math.min(allowed, Number(left / amount));
      exceeded.push(name);
    }
    return { allowed, exceeded };
  }

  consume(template: Node, group: string, count: number): void {
    for (const [name, amount] of this.#resourcesOf(template, group)) this.#take(name, amount * BigInt(count));
  }

  #take(name: string, amount: bigint): void {
    const left = this.#left.get(name);
    if (left !== undefined) this.#left.set(name, left > amount ? left - amount : 0n);
  }

  /** Of a group what its first node had is taken for all. */
  #resourcesOf(node: Node, group: string | undefined): Amounts {
    const known = group === undefined ? undefined : this.#byGroup.get(group);
    if (known !== undefined) return known;
    const capacity = readResourceList(node.status?.capacity);
    const amounts = new Map(
      ['cpu', 'memory'].map((name) => [name, capacity.has(name) ? quantityValue(capacity.get(name)!) : 0n]),
    );
    if (group !== undefined) this.#byGroup.set(group, amounts);
    return amounts;
  }
}

export function exceededText(exceeded: readonly string[]): string {
  return `exceeded quota: "cluster-wide", resources: ${exceeded.join(', ')}`;
}

import type { ReportWorkload, WholeReport } from '../../report-model/report.ts';
import { shortNames } from '../../report-model/short-names.ts';
import { namespaceOf } from '../../kubernetes/names.ts';
import type { KubeObject, Node, Pod } from '../../kubernetes/objects.ts';
import { isWorkloadKind, podTemplateOf, type WorkloadTemplate } from '../../kubernetes/pod-template.ts';
import type { SimulationInput } from '../cluster/input.ts';
import { Inventory } from '../cluster/inventory.ts';
import { growerIn } from '../growth/grower.ts';

/** A report and the objects that it is about. */
export class ReportedCluster {
  readonly report: WholeReport;
  readonly inventory: Inventory;
  /** Whether nodes come of pools, and are not added by hand. */
  readonly grows: boolean;
  readonly #input: SimulationInput;
  readonly #shortNames: ReadonlyMap<string, string>;

  constructor(report: WholeReport, input: SimulationInput) {
    this.report = report;
    this.inventory = new Inventory(input);
    this.grows = growerIn(input)?.grows(input) === true;
    this.#input = input;
    const names = shortNames(report);
    this.#shortNames = new Map(report.nodes.map(({ name }, index) => [name, names.node(index)]));
  }

  /** All of them, those of the snapshot too. */
  get nodes(): readonly Node[] {
    return this.inventory.objects('Node');
  }

  get objects(): readonly KubeObject[] {
    return [...this.#input.workspace, ...this.#input.snapshot].map(({ object }) => object);
  }

  /** A node's name as the report shows it. */
  shortName(node: string): string {
    return this.#shortNames.get(node) ?? node;
  }

  workloadOf(pod: number | undefined): ReportWorkload | undefined {
    return this.report.workloads[this.report.pods[pod ?? -1]?.workload ?? -1];
  }

  /** What the API server or the scheduler says of a pod; empty where nothing is said. */
  messageOf(pod: number): string {
    return this.report.decisions[this.report.pods[pod]?.decision ?? -1]?.message ?? '';
  }

  /** The template of a workload's pods; undefined where its manifest is not there. */
  templateOf(workload: Pick<ReportWorkload, 'kind' | 'namespace' | 'name'> | undefined): WorkloadTemplate | undefined {
    if (workload === undefined || !isWorkloadKind(workload.kind)) return undefined;
    const { kind, namespace, name } = workload;
    const found = this.inventory
      .objects(kind)
      .find((object) => object.metadata?.name === name && namespaceOf(object) === namespace);
    return found === undefined ? undefined : podTemplateOf(found);
  }

  /** Whether a pod is in the cluster, so that its manifest alone may not change it. */
  isStored(namespace: string | undefined, name: string | undefined): boolean {
    return this.#input.snapshot.some(
      ({ object }) => object.kind === 'Pod' && namespaceOf(object) === namespace && object.metadata?.name === name,
    );
  }

  /** Undefined for a pod that is there already: the API server takes no other requests and no other class for it. */
  changeable(workload: ReportWorkload | undefined): ReportWorkload | undefined {
    const isPod = workload?.kind === 'Pod' && this.isStored(workload.namespace, workload.name);
    return isPod ? undefined : workload;
  }

  /** Undefined where its manifest is not there, so that none of it can be changed. */
  declared(workload: ReportWorkload | undefined): ReportWorkload | undefined {
    return this.templateOf(workload) === undefined ? undefined : workload;
  }

  /** Whether the labels and taints of some pool suit a pod. */
  suits(pod: Pod): boolean {
    return growerIn(this.#input)?.suits(this.#input, pod) === true;
  }
}

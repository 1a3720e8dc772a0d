import type { ComparedReport, ReportCause } from '../../report-model/report.ts';
import { objectName } from './object-names.ts';

/** More changes are counted, not listed. */
const most = 100;

type Change = Omit<ReportCause, 'id'>;
type Value = ReportCause['old'];

/**
 * What differs in what two reports rest on, where the manifests of one of them are not known: the values of classes,
 * workloads, nodes, and the minor of Kubernetes. Budgets, affinity and the like are not in a report.
 */
export function causesOfReports(
  before: ComparedReport,
  after: ComparedReport,
): { readonly causes: ReportCause[]; readonly more: number; readonly objects: number } {
  const changes = [
    ...fieldChanges('Kubernetes', null, [['version', before.kubernetes, after.kubernetes]]),
    ...classChanges(before, after),
    ...changesOf(rowsOf(before, workloadRow), rowsOf(after, workloadRow)),
    ...changesOf(nodeRows(before), nodeRows(after)),
  ];
  return {
    causes: changes.slice(0, most).map((change, index) => ({ ...change, id: `c${index + 1}` })),
    more: Math.max(0, changes.length - most),
    objects: changes.length > most ? new Set(changes.map(({ object }) => object)).size : 0,
  };
}

interface Row {
  readonly origin: Change['origin'];
  readonly fields: readonly (readonly [field: string, value: Value])[];
}

function classChanges(before: ComparedReport, after: ComparedReport): readonly Change[] {
  const earlier = classValues(before);
  return [...classValues(after)].flatMap(([name, value]) =>
    earlier.has(name) ? fieldChanges(`PriorityClass/${name}`, null, [['value', earlier.get(name)!, value]]) : [],
  );
}

/** Of what is made from now on: running pods keep the value that their class had. */
function classValues({ workloads }: ComparedReport): ReadonlyMap<string, number> {
  return new Map(
    workloads.flatMap(({ className, priority }) => (className === null ? [] : [[className, priority] as const])),
  );
}

/** Workloads, and pods without one, by what they are called. */
function rowsOf(report: ComparedReport, rowOf: typeof workloadRow): ReadonlyMap<string, Row> {
  const requests = new Map<number, ComparedReport['pods'][number]['requests']>();
  const rows = new Map<string, Row>();
  for (const { workload, namespace, name, className, requests: asked, origin, preemptionPolicy } of report.pods) {
    if (workload !== null) {
      if (!requests.has(workload)) requests.set(workload, asked);
      continue;
    }
    rows.set(objectName({ kind: 'Pod', namespace, name }), {
      origin,
      fields: [
        ['priorityClassName', className],
        ['preemptionPolicy', preemptionPolicy],
        ...amountFields('requests', asked),
      ],
    });
  }
  for (const [index, workload] of report.workloads.entries()) {
    rows.set(objectName(workload), rowOf(workload, requests.get(index) ?? {}));
  }
  return rows;
}

function workloadRow(
  { className, preemptionPolicy, replicas, origin }: ComparedReport['workloads'][number],
  requests: Readonly<Record<string, number>>,
): Row {
  return {
    origin,
    fields: [
      ['priorityClassName', className],
      ['preemptionPolicy', preemptionPolicy],
      ['replicas', replicas],
      ...amountFields('requests', requests),
    ],
  };
}

function nodeRows({ nodes }: ComparedReport): ReadonlyMap<string, Row> {
  return new Map(
    nodes.map(({ name, unschedulable, taints, allocatable, origin }) => [
      `Node/${name}`,
      {
        origin,
        fields: [
          ['unschedulable', unschedulable],
          ['taints', taints.join(', ')],
          ...amountFields('allocatable', allocatable),
        ],
      },
    ]),
  );
}

function amountFields(name: string, amounts: Readonly<Record<string, number>>): Row['fields'] {
  return Object.entries(amounts).map(([resource, amount]) => [`${name}.${resource}`, amount]);
}

function changesOf(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): readonly Change[] {
  const changes = [...after].flatMap(([object, { origin, fields }]): readonly Change[] => {
    const was = before.get(object);
    if (was === undefined) return [{ object, field: '', old: null, new: 'added', origin }];
    const earlier = new Map(was.fields);
    const now = new Map(fields);
    const names = [...new Set([...now.keys(), ...earlier.keys()])];
    return fieldChanges(
      object,
      origin,
      names.map((name) => [name, earlier.get(name) ?? null, now.get(name) ?? null]),
    );
  });
  const gone = [...before].filter(([object]) => !after.has(object));
  return [...changes, ...gone.map(([object]) => ({ object, field: '', old: 'removed', new: null, origin: null }))];
}

function fieldChanges(
  object: string,
  origin: Change['origin'],
  fields: readonly (readonly [field: string, old: Value, now: Value])[],
): readonly Change[] {
  return fields.flatMap(([field, old, now]) => (old === now ? [] : [{ object, field, old, new: now, origin }]));
}

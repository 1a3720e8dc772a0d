import { say } from '../../../../server/src/util/say.ts';
import { count } from '../../../../server/src/util/words.ts';
import type { Report } from '../../../../server/src/report-model/report.ts';
import type { ShortNames } from '../../../../server/src/report-model/short-names.ts';
import { isScalable, targetText } from './operations.ts';

/** More than this nobody reads in a list: what is typed narrows it. */
const most = 40;

/** Something to go on with, and the whole line when it is chosen. */
export interface Choice {
  readonly text: string;
  readonly label: string;
  readonly hint: string;
  /** The line can be tried as it is then, and nothing is left to choose. */
  readonly isLast: boolean;
}

/** What can stand where somebody writes: first what is done, then with what, then how much of it or how. */
export interface Completion {
  readonly step: 1 | 2 | 3;
  readonly choices: readonly Choice[];
  /** How many there are beside the choices. */
  readonly more: number;
  /** How the rest is written. */
  readonly form: string;
  /** What is written can be tried. */
  readonly isWhole: boolean;
}

/** An object that something can be done with. */
interface Subject {
  /** As the line names it. */
  readonly text: string;
  readonly label: string;
  readonly hint: string;
  /** Its place among its kind in the report. */
  readonly index: number;
}

interface Amount {
  readonly text: string;
  readonly hint: string;
}

interface Kind {
  readonly says: string;
  readonly form: string;
  readonly subjects: (of: Subjects) => readonly Subject[];
  readonly amounts?: (of: Subjects, subject: Subject) => readonly Amount[];
  /** An amount that can be tried; without one the operation needs none. */
  readonly isAmount?: RegExp;
  /** Several amounts may follow each other, and none need to. */
  readonly hasFlags?: boolean;
}

const add = 'add';
const counts = [1, 2, 3, 5, 10];
const drainFlags = ['--ignore-daemonsets', '--delete-emptydir-data', '--force', '--disable-eviction'] as const;

/** In the order of what is tried most. */
const kinds: Readonly<Record<string, Kind>> = {
  drain: {
    says: say`empties a node as kubectl drain does`,
    form: 'drain node/NAME [--ignore-daemonsets] [--delete-emptydir-data] [--force] [--grace-period=SECONDS]',
    subjects: ({ nodes }) => nodes,
    hasFlags: true,
    amounts: () => [
      { text: drainFlags[0], hint: say`pods of DaemonSets stay` },
      { text: drainFlags[1], hint: say`also pods with data in an emptyDir` },
      { text: drainFlags[2], hint: say`also pods without a controller` },
      { text: drainFlags[3], hint: say`deletes them, and asks no budget` },
    ],
  },
  [add]: {
    says: say`more nodes like one that is there`,
    form: 'add COUNT nodes like NODE, add COUNT nodes CPU:MEMORY[:PODS]',
    subjects: ({ nodeNames }) => nodeNames,
  },
  scale: {
    says: say`another number of replicas`,
    form: 'scale KIND/NAMESPACE/NAME REPLICAS',
    subjects: ({ scalable }) => scalable,
    isAmount: /^\d+$/,
    amounts: ({ report }, { index }) => {
      const { replicas } = report.workloads[index]!;
      const others = [replicas - 1, replicas + 1, replicas * 2, 0].filter((each) => each >= 0 && each !== replicas);
      return [...new Set(others)].map((each) => ({ text: String(each), hint: say`${replicas} now` }));
    },
  },
  cordon: {
    says: say`a node takes no more pods`,
    form: 'cordon node/NAME',
    subjects: ({ open }) => open,
  },
  uncordon: {
    says: say`a node takes pods again`,
    form: 'uncordon node/NAME',
    subjects: ({ cordoned }) => cordoned,
  },
  remove: {
    says: say`a node with its pods, or a budget`,
    form: 'remove node/NAME, remove pdb/NAMESPACE/NAME',
    subjects: ({ nodes, budgets }) => [...nodes, ...budgets],
  },
  delete: {
    says: say`an object, with the pods it controls`,
    form: 'delete KIND/NAMESPACE/NAME',
    subjects: ({ workloads }) => workloads,
  },
  ungate: {
    says: say`deploys gated pods`,
    form: 'ungate KIND/NAMESPACE/NAME',
    subjects: ({ gated }) => gated,
  },
  priority: {
    says: say`another priority class for a workload`,
    form: 'priority KIND/NAMESPACE/NAME CLASS',
    subjects: ({ workloads }) => workloads,
    isAmount: /^\S+$/,
    amounts: ({ report: { ladder, workloads } }, { index }) =>
      ladder.flatMap(({ classes, priority }) =>
        classes
          .filter((name) => name !== workloads[index]!.className)
          .map((name) => ({ text: name, hint: String(priority) })),
      ),
  },
  class: {
    says: say`another value or policy for a priority class`,
    form: 'class NAME value=NUMBER | preemptionPolicy=Never',
    subjects: ({ classes }) => classes,
    isAmount: /^(value=-?\d+|preemptionPolicy=(Never|PreemptLowerPriority))$/,
    amounts: ({ report: { ladder } }, { label }) => [
      ...ladder
        .filter(({ classes }) => classes.length > 0 && !classes.includes(label))
        .map(({ priority, classes }) => ({ text: `value=${priority + 1}`, hint: say`above ${classes[0]!}` })),
      { text: 'preemptionPolicy=Never', hint: say`evicts no pod` },
      { text: 'preemptionPolicy=PreemptLowerPriority', hint: say`evicts those of lower priority` },
    ],
  },
  request: {
    says: say`other requests for the pods of a workload`,
    form: 'request KIND/NAMESPACE/NAME cpu=200m [memory=1Gi]',
    subjects: ({ workloads }) => workloads,
    isAmount: /^[^\s=]+=\S/,
    amounts: ({ report: { pods } }, { index }) => {
      const { cpu = 0 } = pods.find(({ workload }) => workload === index)?.requests ?? {};
      return cpu === 0
        ? []
        : [cpu / 2, cpu * 2].map((each) => ({ text: `cpu=${Math.ceil(each)}m`, hint: say`${`${cpu}m`} now` }));
    },
  },
  budget: {
    says: say`another bound for a disruption budget`,
    form: 'budget pdb/NAMESPACE/NAME minAvailable=1 | maxUnavailable=1 | unhealthyPodEvictionPolicy=AlwaysAllow',
    subjects: ({ budgets }) => budgets,
    isAmount: /^(?:(?:min|max)\w+=\d+%?|unhealthyPodEvictionPolicy=AlwaysAllow)$/,
    amounts: () => [
      { text: 'maxUnavailable=1', hint: say`one at a time` },
      { text: 'minAvailable=1', hint: say`one stays` },
      { text: 'minAvailable=0', hint: say`all may go` },
      { text: 'unhealthyPodEvictionPolicy=AlwaysAllow', hint: say`pods that are not ready may go` },
    ],
  },
  tolerate: {
    says: say`a taint that the pods of a workload tolerate`,
    form: 'tolerate KIND/NAMESPACE/NAME KEY[=VALUE][:EFFECT]',
    subjects: ({ workloads }) => workloads,
    isAmount: /^\S+$/,
    amounts: ({ taints }) => taints,
  },
  taint: {
    says: say`a taint on a node, or one less`,
    form: 'taint node/NAME KEY[=VALUE]:EFFECT | KEY[:EFFECT]-',
    subjects: ({ nodes }) => nodes,
    isAmount: /^[^\s:]+:\w+$|-$/,
    amounts: ({ report }, { index }) =>
      report.nodes[index]!.taints.map((text) => ({ text: `${text}-`, hint: say`takes it away` })),
  },
  label: {
    says: say`a label on a node, or one less`,
    form: 'label node/NAME KEY=VALUE | KEY-',
    subjects: ({ nodes }) => nodes,
    isAmount: /^[^\s=]+(=\S*|-)$/,
  },
};

/** The objects of a report, each kind of them listed when it is first asked for. */
export class Subjects {
  readonly report: Report;
  readonly #names: ShortNames;
  readonly #known = new Map<string, readonly unknown[]>();

  constructor(report: Report, names: ShortNames) {
    this.report = report;
    this.#names = names;
  }

  get nodes(): readonly Subject[] {
    return this.#once('nodes', () =>
      this.report.nodes.map(({ name, zone }, index) => ({
        text: `node/${name}`,
        label: this.#names.node(index),
        hint: zone,
        index,
      })),
    );
  }

  get nodeNames(): readonly Subject[] {
    return this.#once('nodeNames', () =>
      this.nodes.map((node) => ({ ...node, text: this.report.nodes[node.index]!.name })),
    );
  }

  get open(): readonly Subject[] {
    return this.#once('open', () => this.nodes.filter(({ index }) => !this.report.nodes[index]!.unschedulable));
  }

  get cordoned(): readonly Subject[] {
    return this.#once('cordoned', () => this.nodes.filter(({ index }) => this.report.nodes[index]!.unschedulable));
  }

  get workloads(): readonly Subject[] {
    return this.#once('workloads', () =>
      this.report.workloads.map((workload, index) => ({
        text: targetText(workload),
        label: workload.name,
        hint: `${workload.kind} · ${workload.namespace}`,
        index,
      })),
    );
  }

  get scalable(): readonly Subject[] {
    return this.#once('scalable', () =>
      this.workloads.filter(({ index }) => isScalable(this.report.workloads[index]!)),
    );
  }

  get gated(): readonly Subject[] {
    return this.#once('gated', () => {
      const found = new Set(this.report.pods.map(({ after, workload }) => (after.state === 'gated' ? workload : null)));
      return this.workloads.filter(({ index }) => found.has(index));
    });
  }

  get budgets(): readonly Subject[] {
    return this.#once('budgets', () =>
      [...new Set(this.report.pods.flatMap(({ budgets }) => budgets))].map((name, index) => ({
        text: `pdb/${name}`,
        label: name.slice(name.indexOf('/') + 1),
        hint: `PodDisruptionBudget · ${name.slice(0, name.indexOf('/'))}`,
        index,
      })),
    );
  }

  get classes(): readonly Subject[] {
    return this.#once('classes', () =>
      this.report.ladder.flatMap(({ classes, priority }, index) =>
        classes.map((name) => ({ text: name, label: name, hint: String(priority), index })),
      ),
    );
  }

  get taints(): readonly Amount[] {
    return this.#once('taints', () =>
      [...new Set(this.report.nodes.flatMap(({ taints }) => taints))].map((text) => ({ text, hint: '' })),
    );
  }

  #once<Item>(what: string, list: () => readonly Item[]): readonly Item[] {
    const known = this.#known.get(what) as readonly Item[] | undefined;
    if (known !== undefined) return known;
    const made = list();
    this.#known.set(what, made);
    return made;
  }
}

/** What can be chosen where a line ends. */
export function complete(subjects: Subjects, line: string): Completion {
  const text = line.trimStart();
  const [, verb = '', gap = '', rest = ''] = /^(\S*)(\s*)(.*)$/s.exec(text)!;
  const kind = Object.hasOwn(kinds, verb) ? kinds[verb] : undefined;
  if (kind === undefined || gap === '') return operations(subjects, text, verb, gap);
  return verb === add ? additions(subjects, kind, rest) : objects(subjects, verb, kind, rest);
}

/** The first step: what begins with what is written; where nothing does, all that can be done with what is called so. */
function operations(subjects: Subjects, text: string, verb: string, gap: string): Completion {
  const wanted = verb.toLowerCase();
  const possible = Object.entries(kinds).filter(([, { subjects: those }]) => those(subjects).length > 0);
  const begun = gap === '' ? possible.filter(([name]) => name.startsWith(wanted)) : [];
  const found =
    begun.length > 0
      ? begun.map(([name, { says }]) => ({ text: `${name} `, label: name, hint: says, isLast: false }))
      : possible.flatMap(([name, kind]) =>
          narrowed(kind.subjects(subjects), text.trimEnd()).map((subject) => ({
            ...objectChoice(name, kind, subject),
            label: `${name} ${subject.label}`,
          })),
        );
  return { step: 1, ...bounded(found), form: '', isWhole: false };
}

function objects(subjects: Subjects, verb: string, kind: Kind, rest: string): Completion {
  const [, name = '', gap = '', amount = ''] = /^(\S*)(\s*)(.*)$/s.exec(rest)!;
  const all = kind.subjects(subjects);
  const chosen = all.find((each) => each.text === name);
  const needsAmount = kind.isAmount !== undefined;
  if (gap === '') {
    const found = narrowed(all, name).map((each) => objectChoice(verb, kind, each));
    return { step: 2, ...bounded(found), form: kind.form, isWhole: chosen !== undefined && !needsAmount };
  }
  const written = amount.trimEnd().split(/\s+/).filter(Boolean);
  const last = amount.endsWith(' ') ? '' : (written.at(-1) ?? '');
  const before = last === '' ? written : written.slice(0, -1);
  const found =
    chosen === undefined || (before.length > 0 && kind.hasFlags !== true)
      ? []
      : (kind.amounts?.(subjects, chosen) ?? [])
          .filter((each) => each.text.toLowerCase().startsWith(last.toLowerCase()) && !before.includes(each.text))
          .map((each) => ({
            text: [verb, name, ...before, each.text].join(' ') + (kind.hasFlags === true ? ' ' : ''),
            label: each.text,
            hint: each.hint,
            isLast: kind.hasFlags !== true,
          }));
  const isKnown = kind.hasFlags !== true || last === '' || last.startsWith('--grace') || isFlag(last);
  const isWhole = chosen !== undefined && isKnown && (kind.isAmount?.test(amount.trim().split(/\s+/)[0]!) ?? true);
  return { step: 3, ...bounded(found), form: kind.form, isWhole: isWhole && isClassOrAny(subjects, verb, amount) };
}

function isFlag(text: string): boolean {
  return drainFlags.some((each) => each === text);
}

/** A class that begins like another is not yet that one. */
function isClassOrAny({ classes }: Subjects, verb: string, amount: string): boolean {
  return verb !== 'priority' || classes.some(({ text }) => text === amount.trim());
}

/** `add COUNT nodes like NODE`, of which the node comes first and the number after it. */
function additions(subjects: Subjects, { subjects: those, form }: Kind, rest: string): Completion {
  const [, number = '', wanted = ''] = /^(\d+\s+)?(?:nodes?\s+)?(?:like\s+)?(.*)$/s.exec(rest)!;
  const name = wanted.trimEnd();
  const all = those(subjects);
  if (number !== '' && (name.includes(':') || all.some(({ text }) => text === name))) {
    const like = name.includes(':') ? name : `like ${name}`;
    const found = counts.map((each) => ({
      text: addition(each, like),
      label: `+${each}`,
      hint: count(each, 'node'),
      isLast: true,
    }));
    return { step: 3, ...bounded(found), form, isWhole: true };
  }
  const amount = Number(number) || 1;
  const found = narrowed(all, name).map((each) => ({
    text: addition(amount, `like ${each.text}`),
    label: each.label,
    hint: each.hint,
    isLast: false,
  }));
  return { step: 2, ...bounded(found), form, isWhole: false };
}

function addition(amount: number, like: string): string {
  return `add ${amount} ${amount === 1 ? 'node' : 'nodes'} ${like}`;
}

function objectChoice(verb: string, kind: Kind, { text, label, hint }: Subject): Choice {
  if (verb === add) return { text: addition(1, `like ${text}`), label, hint, isLast: false };
  const goesOn = kind.isAmount !== undefined || kind.hasFlags === true;
  return { text: `${verb} ${text}${goesOn ? ' ' : ''}`, label, hint, isLast: !goesOn };
}

/** Those whose name begins with what is written, then those that have it anywhere. */
function narrowed(subjects: readonly Subject[], written: string): readonly Subject[] {
  const wanted = written.toLowerCase();
  if (wanted === '') return subjects;
  const begin: Subject[] = [];
  const others: Subject[] = [];
  for (const subject of subjects) {
    if (subject.label.toLowerCase().startsWith(wanted)) begin.push(subject);
    else if (subject.text.toLowerCase().includes(wanted)) others.push(subject);
  }
  return [...begin, ...others];
}

function bounded(found: readonly Choice[]): Pick<Completion, 'choices' | 'more'> {
  return { choices: found.slice(0, most), more: Math.max(0, found.length - most) };
}

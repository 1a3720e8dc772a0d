import { isNamed, marked } from '../../../report-model/assumed.ts';
import { joined, say, sayInside, sayUnstopped } from '../../../util/say.ts';
import type { Answer, AnswerLine, Balance } from '../../../report-model/answer.ts';
import type { ReportDrain } from '../../../report-model/report.ts';
import { namedAmount } from '../../../util/amounts.ts';
import { count, grouped, list, titleOf, upperFirst } from '../../../util/words.ts';
import { mayRunElsewhere } from '../../causes/cause-text.ts';
import { isEnoughElsewhere, isOpenTo } from '../../causes/nearness.ts';
import { isOffered } from '../../causes/shortages-of.ts';
import type { NodesToCome } from '../../growth/grown.ts';
import type { RolledOut } from '../../run/roll-outs.ts';
import { isByHand, isGone, rollOutClause, whyAmongOthers, withoutDump } from './roll-out-lines.ts';
import { unseenClause } from '../unseen.ts';
import { pendingLines, waitingPods } from './pending-lines.ts';
import { reasonOf } from './reasons.ts';
import { gatedLines, idleLines, refusedLines } from './simple-lines.ts';
import {
  byWorkload,
  hasFailed,
  haveNoBudget,
  namesInSentence,
  rankText,
  type AnswerContext,
  type Unattached,
  workloadName,
} from './answer-context.ts';

/** Who wins, who loses, and what waits; and what the answer could not see, which may change it. */
export function headlineOf(
  context: AnswerContext,
  balance: Balance,
  preempted: readonly AnswerLine[],
  evicted: readonly AnswerLine[],
): string {
  const { nodePlaces, unseen } = context.parts;
  const clause = unseenClause(unseen);
  const places = nodePlaces === 0 ? [] : [say`the nodes come from ${grouped(nodePlaces)} places`];
  const changes = changeClauses(context);
  return sentence([
    ...changes,
    ...leavingClauses(context, changes.length === 0),
    ...(context.parts.victims.length === 0 ? downClauses(evicted) : []),
    ...clausesOf(context, balance, preempted),
    ...unattachedClauses(context),
    ...context.parts.overQuota
      .slice(0, namesInSentence)
      .map(({ quota, kind, refused, counted }) =>
        marked(
          '?',
          say`${refused} of ${counted} objects of kind ${kind} ${refused === 1 ? 'is' : 'are'} refused (ResourceQuota ${quota})`,
        ),
      ),
    ...(comesBack(context) ? [] : growthClauses(context)),
    ...places,
    ...(clause === '' ? [] : [clause]),
  ]);
}

/** What becomes of the changes, those that are refused first. */
export function changeClauses(context: AnswerContext): readonly string[] {
  const { rollOuts = [] } = context.parts;
  const rolled = rollOuts.map((each) => rollOutText(context, each, false));
  const areAlike = rollOuts.length > 1 && rollOuts.every(costsNothing);
  const changes = areAlike || rolled.length > namesInSentence ? rollOutsInNumbers(context) : rolled;
  return [...refusedClauses(context), ...changes].map((each, index) => (index === 0 ? each : sayInside(each)));
}

/**
 * Who leaves nodes that are drained, short of memory or tainted.
 * @param isFirst whether a sentence begins with them
 */
export function leavingClauses(context: AnswerContext, isFirst: boolean): readonly string[] {
  const drains = context.parts.drains.map((drain, index) => drainClause(context, drain, isFirst && index === 0));
  const drained = drains.length > namesInSentence ? [say`${grouped(drains.length)} nodes are drained`] : drains;
  const pressed = context.parts.pressures
    .filter(({ evicted }) => evicted.length > 0)
    .map(({ node, evicted }, index) => {
      const kubelet = isFirst && index + drained.length === 0 ? say`The kubelet of` : say`the kubelet of`;
      const pods = evicted.map(({ pod }) => pod);
      const named = byWorkload(context, pods).size === 1 ? podsOf(context, pods) : who(context, pods);
      return say`${kubelet} ${context.names.node(node)} evicts ${named} for memory`;
    });
  const kubelets =
    pressed.length > namesInSentence
      ? [say`memory runs short on ${count(pressed.length, 'node')}, whose kubelets evict pods`]
      : pressed;
  return [...drained, ...kubelets, ...taintClauses(context, isFirst && drained.length + kubelets.length === 0)];
}

/** What becomes of each change of a workload that runs, to be said behind the change. */
export function rollOutsOf(context: AnswerContext): NonNullable<Answer['rollOuts']> {
  return (context.parts.rollOuts ?? []).map((each) => ({
    object: each.key.replace('//', '/'),
    text: rollOutText(context, each, true),
    evicted: each.evicted.length,
    updated: each.updated,
    wanted: each.wanted,
    isStuck: each.verdict === 'stuck',
    remedy: '',
    ...(each.waiting.some(({ awaitsVolume }) => awaitsVolume)
      ? { unattached: each.waiting.filter(({ awaitsVolume }) => awaitsVolume).length }
      : {}),
  }));
}

function rollOutText(context: AnswerContext, rolled: RolledOut, isBehindChange: boolean): string {
  const named = (workload: number): string => context.names.workload(workload);
  return rollOutClause(rolled, { named, scarce: scarceFor(context, rolled.workload), isBehindChange });
}

/** `no node has more than 1.5 cpu free`, where new pods of a roll-out wait for that alone; else empty. */
export function scarceFor(context: AnswerContext, workload: number | null): string {
  const waiting = context.parts.pending.find(({ pod }) => context.pod(pod).workload === workload);
  const reason = waiting === undefined ? undefined : reasonOf(context, waiting.pod);
  const shortage = reason?.shortage ?? null;
  if (reason?.cause == null || shortage === null || shortage.resource === 'pods' || !isOffered(shortage)) return '';
  const { resource, hopeless, capacity, free } = shortage;
  if (isEnoughElsewhere(reason.cause, resource, hopeless)) return '';
  const isOfAll = reason.cause.others.every(({ parts }) => isOpenTo(parts));
  const most = namedAmount(resource, hopeless ? capacity : free);
  if (hopeless) {
    return isOfAll ? say`no node has more than ${most}` : say`no node that it may use has more than ${most}`;
  }
  if (free === 0) {
    return isOfAll ? say`no node has ${resource} free` : say`no node that it may use has ${resource} free`;
  }
  return isOfAll ? say`no node has more than ${most} free` : say`no node that it may use has more than ${most} free`;
}

/** Whether all of it is rolled out, and nobody notices. */
function costsNothing({ verdict, evicted, left, fewestReady, readyBefore }: RolledOut): boolean {
  return verdict === 'done' && evicted.length === 0 && left === 0 && fewestReady >= readyBefore;
}

/** `12 workloads are changed; 2 roll-outs stop`; where nothing stands in their way, what that costs meanwhile. */
function rollOutsInNumbers({ parts: { rollOuts: rolled = [], victims } }: AnswerContext): readonly string[] {
  const of = (verdict: RolledOut['verdict']): number => rolled.filter((each) => each.verdict === verdict).length;
  const workloads = (amount: number): string => count(amount, 'workload');
  const byHand = rolled.filter((each) => each.verdict === 'stuck' && isByHand(each)).length;
  const [stuck, failed, refused] = [of('stuck') - byHand, of('failed'), of('refused')];
  const done = rolled.filter(({ verdict }) => verdict === 'done');
  const evicted = rolled.reduce((sum, each) => sum + each.evicted.length, 0);
  const down = done.filter(({ fewestReady, readyBefore }) => fewestReady === 0 && readyBefore > 0).length;
  const gone = rolled.filter((each) => each.verdict === 'stuck' && isGone(each)).length;
  const areFewer = done.some(({ fewestReady, readyBefore }) => fewestReady < readyBefore);
  const stops = say`${count(stuck, 'roll-out')} ${stuck === 1 ? 'stops' : 'stop'}`;
  const reasons = new Set(
    rolled.flatMap((each) => (each.verdict === 'stuck' && !isByHand(each) ? [whyAmongOthers(each)] : [])),
  );
  const [reason = ''] = reasons;
  const stopping = stuck === 0 ? [] : [reasons.size === 1 && reason !== '' ? say`${stops}: ${reason}` : stops];
  const isScaled = rolled.every(({ verdict, updated, wanted }) => verdict === 'scaled' && updated >= wanted);
  const come = rolled.reduce((sum, { wanted, readyBefore }) => sum + Math.max(0, wanted - readyBefore), 0);
  const end = rolled.reduce((sum, { wanted, readyBefore }) => sum + Math.max(0, readyBefore - wanted), 0);
  if (isScaled && come + end > 0 && evicted === 0) {
    return [
      ...(come === 0 ? [] : [say`${count(come, 'more pod')} ${come === 1 ? 'runs' : 'run'}`]),
      ...(end === 0 ? [] : [say`${count(end, 'pod')} ${end === 1 ? 'ends' : 'end'}`]),
    ];
  }
  return [
    ...(done.length === rolled.length
      ? [rolled.length === 2 ? say`Both workloads roll out` : say`All ${workloads(rolled.length)} roll out`]
      : stuck + byHand === rolled.length
        ? []
        : [say`${workloads(rolled.length)} ${rolled.length === 1 ? 'is' : 'are'} changed`]),
    // All victims together are told of behind it where there are others.
    ...(evicted === 0 || victims.length > evicted ? [] : [say`their new pods evict ${count(evicted, 'pod')}`]),
    ...(down === 0 ? [] : [say`${workloads(down)} ${down === 1 ? 'is' : 'are'} down meanwhile`]),
    ...(gone === 0 ? [] : [say`${workloads(gone)} ${gone === 1 ? 'goes' : 'go'} down`]),
    ...(done.length < rolled.length || evicted > 0 || areFewer ? [] : [say`no pod fewer serves meanwhile`]),
    ...stopping,
    ...(byHand === 0 ? [] : [say`${workloads(byHand)} ${byHand === 1 ? 'changes' : 'change'} no pod now`]),
    ...(failed === 0 ? [] : [say`${count(failed, 'Job')} ${failed === 1 ? 'fails' : 'fail'}`]),
    ...(refused === 0 ? [] : [say`${count(refused, 'change')} ${refused === 1 ? 'is' : 'are'} refused`]),
  ];
}

/** `The API server refuses the change of PriorityClass gold: …` */
function refusedClauses({ parts: { refused = [] } }: AnswerContext): readonly string[] {
  if (refused.length > namesInSentence) {
    return [say`The API server refuses ${count(refused.length, 'change')}`];
  }
  return refused.map(({ key, refusal }) => {
    const [kind = '', namespace = '', name = ''] = key.split('/');
    return say`The API server refuses the change of ${titleOf({ kind, namespace, name })}: ${ofRefusal(refusal)}`;
  });
}

/** `Draining general-c evicts 4 pods and hangs on storefront`. */
function drainClause(
  context: AnswerContext,
  { node, evicted, blocked, failed, refusals }: ReportDrain,
  isFirst: boolean,
): string {
  const name = context.names.node(node);
  if (refusals.length > 0) return say`kubectl refuses to drain ${name}`;
  const stuck = byWorkload(
    context,
    [...blocked, ...failed].map(({ pod }) => pod),
  );
  const evicts = evicted.length === 0 ? say`no pod` : count(evicted.length, 'pod');
  const clause = isFirst ? say`Draining ${name} evicts ${evicts}` : say`draining ${name} evicts ${evicts}`;
  if (stuck.size === 0) return clause;
  const names = list(
    [...stuck.values()].map((own) => workloadName(context, own[0]!)),
    namesInSentence,
  );
  return blocked.length > 0 ? say`${clause} and hangs on ${names}` : say`${clause} and fails for ${names}`;
}

/** `the taint of general-c evicts 4 pods` */
function taintClauses(context: AnswerContext, isFirst: boolean): readonly string[] {
  const tainted = (context.parts.taints ?? []).filter(({ evicted }) => evicted.length > 0);
  if (tainted.length > namesInSentence) {
    const nodes = count(tainted.length, 'node');
    const pods = count(
      tainted.reduce((sum, { evicted }) => sum + evicted.length, 0),
      'pod',
    );
    return [isFirst ? say`The taints of ${nodes} evict ${pods}` : say`the taints of ${nodes} evict ${pods}`];
  }
  // Nodes that are told alike are told together.
  const alike = new Map<string, { readonly names: string[]; pods: number }>();
  const kindOf = ({ node, evicted, byDevices }: (typeof tainted)[number]): 'device' | 'failure' | 'taint' => {
    if (byDevices === true) return 'device';
    const wasTainted = context.parts.nodes[node]?.taints.some((taint) => taint.endsWith(':NoExecute')) === true;
    // No kubelet answers there, or none did before the node was removed.
    const isSilent = !wasTainted && evicted.every(({ pod }) => context.pod(pod).after.state === 'terminating');
    return hasFailed(context, node) || isSilent ? 'failure' : 'taint';
  };
  for (const each of tainted) {
    const kind = kindOf(each);
    const known = alike.get(kind) ?? { names: [], pods: 0 };
    known.names.push(context.names.node(each.node));
    known.pods += each.evicted.length;
    alike.set(kind, known);
  }
  return [...alike].map(([kind, { names, pods }], index) => {
    const [named, amount] = [list(names), count(pods, 'pod')];
    const isOne = names.length === 1;
    const text =
      kind === 'device'
        ? isOne
          ? say`the taint of a device on ${named} evicts ${amount}`
          : say`the taints of devices on ${named} evict ${amount}`
        : kind === 'failure'
          ? isOne
            ? say`when ${named} fails, ${amount} ${pods === 1 ? 'is' : 'are'} evicted`
            : say`when ${named} fail, ${amount} ${pods === 1 ? 'is' : 'are'} evicted`
          : isOne
            ? say`the taint of ${named} evicts ${amount}`
            : say`the taints of ${named} evict ${amount}`;
    return isFirst && index === 0 ? upperFirst(text) : text;
  });
}

function clausesOf(context: AnswerContext, balance: Balance, preempted: readonly AnswerLine[]): string[] {
  const waits = balance.pending + balance.stillPending;
  const pending = [...(waits === 0 ? [] : [pendingClause(context, waits)]), ...refusedPods(context)];
  const { parts } = context;
  const { victims, drains, pressures, taints = [], rollOuts = [] } = parts;
  // What a roll-out does is said of it, and what the server refuses makes nobody come.
  const ofRollOuts = rollOuts.reduce((sum, { evicted }) => sum + evicted.length, 0);
  const rolling = new Set(rollOuts.map(({ workload }) => workload));
  const others = context.arriving.filter((pod) => !rolling.has(context.pod(pod).workload ?? -1));
  const isSaid = rollOuts.length > 0 || (parts.refused ?? []).length > 0;
  // Next to those who come back on the nodes, not behind others that stay pending.
  const back = comesBack(context) ? growthClauses(context) : [];
  if (isSaid && victims.length <= ofRollOuts) {
    return [...(others.length === 0 ? [] : arrivalClauses(context, others)), ...back];
  }
  if (victims.length > 0) {
    const broken =
      balance.budgetsBroken === 0 ? undefined : marked(context.mark, count(balance.budgetsBroken, 'budget'));
    const preemptors = [...new Set(victims.map(({ preemptor }) => preemptor))];
    if (preempted.length <= namesInSentence) {
      const names = preempted.map((line) => (line.marks.includes('down') ? say`${line.name} (down)` : line.name));
      return [evictsClause(context, preemptors, list(names), broken), ...back, ...pending];
    }
    const [clause = '', ...next] = manyEvicted(context, broken);
    const down = outage(preempted);
    return [down === '' ? clause : say`${down}: ${clause}`, ...next, ...back, ...pending];
  }
  const isLeft = drains.length + pressures.length + taints.length > 0;
  if (balance.arriving === 0) return [...(isLeft ? [] : [nobodyArrives(context)]), ...pending];
  if (balance.scheduled === 0) return [nothingPlaced(context, balance)];
  const placed = context.arriving.filter((pod) => context.waiting.stateOf(pod) === 'scheduled');
  const nodes = new Set(placed.flatMap((pod) => context.pod(pod).after.node ?? []));
  const where = [...nodes].some((node) => !isNamed(context.parts.nodes[node]!))
    ? say`assumed nodes`
    : nodes.size > namesInSentence
      ? marked(context.mark, count(nodes.size, 'node'))
      : list([...nodes].map((node) => context.names.node(node)));
  return [
    say`${who(context, placed)} ${byWorkload(context, placed).size === 1 ? 'is' : 'are'} placed on ${where}`,
    balance.evicted > 0 ? say`no other pod is evicted` : say`no pod is evicted`,
    ...pending,
  ];
}

/** `cart and search go down`; nothing where all run again. */
function downClauses(evicted: readonly AnswerLine[]): readonly string[] {
  const text = outage(evicted.filter(({ marks }) => marks.includes('down')));
  return text === '' ? [] : [text];
}

/** `cart and search go down`, or how many do; where none does, how many have no pod for a while. */
export function outage(preempted: readonly AnswerLine[]): string {
  const marked = (mark: 'down' | 'gap') => preempted.filter(({ marks }) => marks.includes(mark));
  const [downs, gaps] = [marked('down'), marked('gap')];
  const names = list(downs.map(({ name }) => name));
  if (downs.length > namesInSentence) return say`${grouped(downs.length)} workloads go down`;
  if (downs.length > 0) return downs.length === 1 ? say`${names} goes down` : say`${names} go down`;
  if (gaps.length === 0) return '';
  return gaps.length === 1
    ? say`${gaps[0]!.name} has no pod for a while`
    : say`${grouped(gaps.length)} workloads have no pod for a while`;
}

function evictsClause(
  context: AnswerContext,
  preemptors: readonly number[],
  victims: string,
  broken: string | undefined,
): string {
  const one = byWorkload(context, preemptors).size === 1 || classOfMany(context, preemptors) !== undefined;
  const breaks = broken === undefined ? '' : say` and ${one ? 'breaks' : 'break'} ${broken}`;
  const preempting = who(context, preemptors);
  return one ? say`${preempting} evicts ${victims}${breaks}` : say`${preempting} evict ${victims}${breaks}`;
}

/**
 * `urgent (30 pods of 15 workloads) evicts 202 pods of 42 workloads, all batch-low 100, none has a budget; 9 of their
 * replacements evict 9 pods`.
 */
function manyEvicted(context: AnswerContext, broken: string | undefined): readonly string[] {
  const { victims } = context.parts;
  const isNext = ({ preemptor }: (typeof victims)[number]): boolean => context.replacements.has(preemptor);
  const next = victims.filter(isNext);
  const first = next.length === victims.length ? victims : victims.filter((each) => !isNext(each));
  const preemptorsOf = (some: typeof victims): readonly number[] => [
    ...new Set(some.map(({ preemptor }) => preemptor)),
  ];
  const pods = first.map(({ pod }) => pod);
  const ranks = new Set(victims.map(({ pod }) => rankText(context.pod(pod))));
  const [rank] = ranks;
  const shared = [
    ...(ranks.size === 1 ? [say`, all ${rank!}`] : []),
    ...(haveNoBudget(victims) ? [say`, none has a budget`] : []),
    ...(ranks.size === 1 && broken !== undefined ? [','] : []),
  ];
  const cascade = preemptorsOf(next).length;
  return [
    evictsClause(context, preemptorsOf(first), `${podsOf(context, pods)}${shared.join('')}`, broken),
    ...(next.length === 0 || next.length === victims.length
      ? []
      : [
          say`${grouped(cascade)} of their replacements ${cascade === 1 ? 'evicts' : 'evict'} ${marked(context.mark, count(next.length, 'pod'))}`,
        ]),
  ];
}

/** `2 pods do not start: another node has their volume`; of a roll-out it is said with that. */
function unattachedClauses({ arriving, mark, parts: { unattached } }: AnswerContext): string[] {
  const of = (why: Unattached['why']): number => arriving.filter((pod) => unattached.get(pod)?.why === why).length;
  const [elsewhere, unbound] = [of('elsewhere'), of('unbound')];
  return [
    ...(elsewhere === 0
      ? []
      : elsewhere === 1
        ? [say`${marked(mark, count(1, 'pod'))} does not start, as another node has its volume`]
        : [say`${marked(mark, count(elsewhere, 'pod'))} do not start, as another node has their volume`]),
    ...(unbound === 0
      ? []
      : unbound === 1
        ? [say`1 pod does not start, as nothing makes its volume`]
        : [say`${grouped(unbound)} pods do not start, as nothing makes their volumes`]),
  ];
}

/** Who arrives beside what is rolled out. */
function arrivalClauses(context: AnswerContext, pods: readonly number[]): string[] {
  const placed = pods.filter((pod) => context.waiting.stateOf(pod) === 'scheduled');
  const refused = pods.filter((pod) => context.waiting.stateOf(pod) === 'refused');
  const waiting = pods.filter((pod) => !placed.includes(pod) && !refused.includes(pod));
  const are = (some: readonly number[]): string => (byWorkload(context, some).size === 1 ? say`is` : say`are`);
  return [
    ...(placed.length === 0 ? [] : [say`${who(context, placed)} ${are(placed)} placed`]),
    ...(waiting.length === 0
      ? []
      : placed.length === 0
        ? [say`${who(context, waiting)} ${byWorkload(context, waiting).size === 1 ? 'stays' : 'stay'} pending`]
        : [say`${who(context, waiting)} ${are(waiting)} not`]),
    ...(refused.length === 0
      ? []
      : [say`${who(context, refused)} ${byWorkload(context, refused).size === 1 ? 'is' : 'are'} refused`]),
  ];
}

/** Where one workload is asked about, what comes for it and for what it evicts. */
function comesFor(context: AnswerContext): readonly Pick<NodesToCome, 'title' | 'nodes' | 'workloads'>[] {
  const { parts, arriving, replacements } = context;
  if (parts.scenario.kind !== 'workload') return parts.comes;
  const asked = new Set([...arriving, ...replacements].map((index) => context.pod(index).workload));
  return parts.comes.flatMap(({ title, byNode }) => {
    const own = byNode.filter((workloads) => workloads.some((each) => asked.has(each)));
    return own.length === 0 ? [] : [{ title, nodes: own.length, workloads: own.flat() }];
  });
}

/** Whether all nodes that come are for those that were evicted. */
function comesBack(context: AnswerContext): boolean {
  const evicted = new Set(context.parts.victims.flatMap(({ workload }) => workload ?? []));
  return evicted.size > 0 && comesFor(context).every(({ workloads }) => workloads.every((each) => evicted.has(each)));
}

/** `they come back on 1 new node of NodePool general` */
function growthClauses(context: AnswerContext): string[] {
  const comes = comesFor(context);
  if (comes.length === 0) return [];
  const nodes = list(
    comes.map(({ title, nodes: amount }) => say`${count(amount, 'new node')} of ${title}`),
    namesInSentence,
  );
  if (comesBack(context)) return [say`they come back on ${nodes}`];
  const amount = comes.reduce((sum, each) => sum + each.nodes, 0);
  return [amount === 1 ? say`${nodes} comes` : say`${nodes} come`];
}

/** `5 pods stay pending, and 1 did before`: together as many as are listed. */
function pendingClause(context: AnswerContext, waits: number): string {
  const clause = staysPending(context, waits);
  const before = waitingBefore(context);
  return before === 0 ? clause : say`${clause}, and ${grouped(before)} did before`;
}

/** How many pods waited before anything arrived, and still do. */
function waitingBefore({ parts, waiting }: AnswerContext): number {
  return [...parts.waitedBefore].filter((pod) => waiting.stateOf(pod) === 'pending').length;
}

export function staysPending(context: AnswerContext, waits: number): string {
  const isUnsure = waitingPods(context).some((pod) => mayRunElsewhere(reasonOf(context, pod).cause));
  return say`${marked(isUnsure ? '?' : context.mark, count(waits, 'pod'))} ${waits === 1 ? 'stays' : 'stay'} pending`;
}

function sentence(clauses: readonly string[]): string {
  return say`${joined(clauses, '; ')}.`;
}

/** `checkout and cart`; of many, `40 pods of 12 workloads`, or `urgent (40 pods of 12 workloads)`. */
export function who(context: AnswerContext, pods: readonly number[]): string {
  const workloads = [...byWorkload(context, pods).values()];
  if (workloads.length <= namesInSentence) return list(workloads.map((own) => workloadName(context, own[0]!)));
  const shared = classOfMany(context, pods);
  return shared === undefined ? podsOf(context, pods) : `${shared} (${podsOf(context, pods)})`;
}

/** The class that all have, where they are of more workloads than are named. */
function classOfMany(context: AnswerContext, pods: readonly number[]): string | undefined {
  const classes = new Set(pods.map((pod) => context.pod(pod).className ?? undefined));
  return classes.size === 1 && byWorkload(context, pods).size > namesInSentence ? [...classes][0] : undefined;
}

/** `40 pods of 12 workloads`, `40 pods of web`; of pods that nobody controls, `40 pods`. */
export function podsOf(context: AnswerContext, pods: readonly number[]): string {
  const areBare = pods.every((pod) => context.parts.workloads[context.pod(pod).workload ?? -1]?.kind === 'Pod');
  const amount = marked(context.mark, count(pods.length, 'pod'));
  const workloads = byWorkload(context, pods).size;
  if (areBare) return amount;
  return workloads === 1
    ? say`${amount} of ${workloadName(context, pods[0]!)}`
    : say`${amount} of ${grouped(workloads)} workloads`;
}

function nobodyArrives(context: AnswerContext): string {
  const { pods, scenario } = context.parts;
  if (scenario.kind === 'workload') {
    const own = pods.filter(({ workload, after }) => workload === scenario.workload && after.state === 'running');
    const on = [...new Set(own.flatMap(({ after }) => after.node ?? []))];
    const name = context.names.workload(scenario.workload);
    return own.length === 0
      ? say`${name} makes no pods`
      : say`${name} runs already, on ${list(on.map((node) => context.names.node(node)))}`;
  }
  const running = pods.filter(({ after }) => after.state === 'running').length;
  if (running === 0) {
    const idle = idleLines(context);
    const names = list(
      idle.map(({ name }) => name),
      namesInSentence,
    );
    if (idle.length === 0) return say`No pods run, and none are new`;
    return idle.length === 1
      ? say`${names} makes no pods: ${joined(idle[0]!.details, ', ')}`
      : say`${names} make no pods`;
  }
  const waiting = waitingBefore(context);
  if (waiting > 0) {
    const run = running === 1 ? 'runs' : 'run';
    return say`${count(running, 'pod')} ${run} and ${staysPending(context, waiting)}; none are new`;
  }
  return running === 1 ? say`The only pod runs; no pods are new` : say`All ${grouped(running)} pods run; none are new`;
}

function nothingPlaced(context: AnswerContext, { pending, gated, refused }: Balance): string {
  const [line, ...others] = pendingLines(context);
  if (pending > 0 && gated + refused === 0 && line?.workloads.length === 1 && others.length === 0) {
    return say`${workloadName(context, line.pods[0]!)} stays pending: ${reasonOf(context, line.pods[0]!).own}`;
  }
  const left = [
    ...(pending === 0 ? [] : [pendingClause(context, pending)]),
    ...gatedPods(context),
    ...refusedPods(context),
  ];
  return gated + refused === 0 ? list([...left, say`no pod is evicted`]) : joined(left, '; ');
}

/** Of one workload, what holds it back. */
function gatedPods(context: AnswerContext): readonly string[] {
  return ofOneOrMany(
    gatedLines(context),
    ({ name, details }) => say`${name} is held back: ${details[0] ?? ''}`,
    (pods) => say`${count(pods, 'pod')} are gated`,
  );
}

/** Of one workload, why. */
function refusedPods(context: AnswerContext): readonly string[] {
  return ofOneOrMany(
    refusedLines(context),
    ({ name, count: amount, pods, workloads, details }) => {
      const isBare = context.parts.workloads[workloads[0] ?? -1]?.kind === 'Pod';
      const which = isBare ? name : say`${amount} of ${name}`;
      return say`${which} ${pods.length === 1 ? 'is' : 'are'} refused: ${ofRefusal(details[0] ?? '')}`;
    },
    (pods, mark) => say`${marked(mark, count(pods, 'pod'))} are refused`,
  );
}

function ofOneOrMany(
  [line, ...others]: readonly AnswerLine[],
  one: (line: AnswerLine) => string,
  many: (pods: number, mark: string) => string,
): readonly string[] {
  if (line === undefined) return [];
  if (others.length === 0) return [one(line)];
  const lines = [line, ...others];
  const mark = lines.some((each) => each.count.startsWith('?')) ? '?' : '';
  return [
    many(
      lines.reduce((sum, { pods }) => sum + pods.length, 0),
      mark,
    ),
  ];
}

/** Of an answer of the API server what comes after the name of the pod. */
function ofRefusal(text: string): string {
  const [found] = [' is forbidden: ', ' is invalid: ']
    .map((each) => [text.indexOf(each), each.length] as const)
    .filter(([at]) => at >= 0)
    .sort(([one], [other]) => one - other);
  return sayUnstopped(withoutDump(found === undefined ? text : text.slice(found[0] + found[1])));
}

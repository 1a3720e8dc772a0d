import { addTo } from '../../../util/maps.ts';
import { joined, say, sayUnstopped } from '../../../util/say.ts';
import { clockText, count, list, upperFirst } from '../../../util/words.ts';
import type { DaemonSet, StatefulSet } from '../../../kubernetes/objects.ts';
import type { SimulatedPod } from '../../cluster/simulated-pod.ts';
import { isUnready, type RolledOut, type WaitingPod } from '../../run/roll-outs.ts';

/** How a roll-out is told. */
export interface RollOutWords {
  /** How a workload is called, by its index. */
  readonly named: (workload: number) => string;
  /** What no node has, where that is why new pods wait: `no node has more than 1.5 cpu free`; else empty. */
  readonly scarce: string;
  /** Whether the change has been named before. */
  readonly isBehindChange: boolean;
}

/** What a change of a workload that runs comes to, in one clause. */
export function rollOutClause(rolled: RolledOut, words: RollOutWords): string {
  const { named, isBehindChange } = words;
  const name = named(rolled.workload);
  const it = isBehindChange ? say`it` : name;
  const rollOut = isBehindChange ? say`its roll-out` : say`The roll-out of ${name}`;
  const { verdict, refusal, updated, wanted, steps, fewestReady, readyBefore, left } = rolled;
  switch (verdict) {
    case 'refused':
      return say`The API server refuses the change of ${name}: ${sayUnstopped(withoutDump(refusal))}`;
    case 'failed':
      return say`${it} fails for good`;
    case 'stuck': {
      const ofOld = rolled.waiting.length === 0 ? wanted : rolled.oldReady;
      if (rolled.isPaused && ofOld !== readyBefore) {
        return say`${it} gets ${count(ofOld, 'pod')} of the old template: ${whyStuck(rolled)}`;
      }
      if (isByHand(rolled)) return say`${it} changes no pod now: ${whyStuck(rolled)}`;
      const why = becauseStuck(rolled, words.scarce);
      if (isGone(rolled)) return say`${it} goes down, and its roll-out stops at ${updated} of ${wanted}${why}`;
      if (isDraw(rolled)) return say`${rollOut} stops before the last of its ${count(wanted, 'node')}${why}`;
      return rolled.evicted.length > 0
        ? say`${rollOut} evicts ${whomByName(rolled, named)}, and stops at ${updated} of ${wanted}${why}`
        : say`${rollOut} stops at ${updated} of ${wanted}${why}`;
    }
    case 'scaled': {
      const waiting = wanted - updated;
      if (rolled.isMadeAnew && waiting <= 0 && rolled.evicted.length === 0) return say`${it} is deleted and recreated`;
      const refused = rolled.failedCreate.split(' is forbidden: ')[1] ?? '';
      const runs =
        waiting <= 0
          ? isBehindChange
            ? scaledText(rolled, '')
            : upperFirst(scaledText(rolled, name))
          : refused !== ''
            ? say`${updated} of ${count(wanted, 'pod')} of ${name} run, the API server refuses more: ${sayUnstopped(refused)}`
            : say`${updated} of ${count(wanted, 'pod')} of ${name} run, ${missingText(rolled, waiting)}`;
      return rolled.evicted.length === 0 ? runs : say`${runs}; it evicts ${whomByName(rolled, named)}`;
    }
    case 'done': {
      if (rolled.evicted.length > 0) {
        const each = eachEvicts(rolled, named);
        if (each === '') return say`${rollOut} evicts ${whomByName(rolled, named)}`;
        return isBehindChange
          ? say`each of its ${wanted} new pods evicts ${each}`
          : say`Each of the ${wanted} new pods of ${name} evicts ${each}`;
      }
      if (left > 0) {
        return say`${it} rolls out to ${wanted - left} of ${count(wanted, 'pod')}; ${partitionText(rolled)}`;
      }
      if (rolled.isMadeAnew) return say`${it} is deleted and recreated, and is down meanwhile`;
      if (fewestReady === 0 && readyBefore > 0) return say`${it} rolls out, and is down meanwhile`;
      const fewer = readyBefore - fewestReady;
      if (steps === 0 && fewer <= 0) return say`${it} rolls out at once; no pod fewer serves meanwhile`;
      return fewer <= 0
        ? say`${it} rolls out in ${count(steps, 'step')}; no pod fewer serves meanwhile`
        : say`${it} rolls out in ${count(steps, 'step')}; meanwhile ${count(fewer, 'pod')} fewer ${fewer === 1 ? 'serves' : 'serve'}`;
    }
  }
}

/** `1 pending, 2 not made yet`: of a StatefulSet in order and of a Job after a failure, others come later. */
function missingText({ waiting }: RolledOut, missing: number): string {
  const unattached = waiting.filter(({ awaitsVolume }) => awaitsVolume).length;
  const unready = waiting.filter(({ hasNode, awaitsVolume }) => hasNode && !awaitsVolume).length;
  const pending = waiting.length - unattached - unready;
  const later = missing - waiting.length;
  return joined(
    [
      ...(unattached > 0 ? [unattachedText(unattached)] : []),
      ...(unready > 0 ? [say`${unready} not ready`] : []),
      ...(pending > 0 ? [say`${pending} pending`] : []),
      ...(later > 0 ? [say`${later} not made yet`] : []),
    ],
    ', ',
  );
}

function unattachedText(amount: number): string {
  return amount === 1
    ? say`1 does not start, as another node has its volume`
    : say`${amount} do not start, as another node has their volume`;
}

/** `all 7 pods run`, `2 of its 4 pods end`; with the name of what has not been named. */
function scaledText({ wanted, readyBefore, fewestReady }: RolledOut, name: string): string {
  const ended = readyBefore - wanted;
  const back = wanted - fewestReady;
  if (back > 0 && wanted <= readyBefore) {
    const pods = count(readyBefore, 'pod');
    return name === ''
      ? say`its ${pods} fall to ${fewestReady}, and ${back} ${back === 1 ? 'comes' : 'come'} again`
      : say`the ${pods} of ${name} fall to ${fewestReady}, and ${back} ${back === 1 ? 'comes' : 'come'} again`;
  }
  // Of a Job that has ended, or is suspended.
  if (wanted === 0 && ended === 0) return name === '' ? say`it has no pods` : say`${name} has no pods`;
  if (ended <= 0) {
    if (wanted === 1) return name === '' ? say`its only pod runs` : say`the only pod of ${name} runs`;
    if (wanted === 2) return name === '' ? say`both pods run` : say`both pods of ${name} run`;
    return name === '' ? say`all ${count(wanted, 'pod')} run` : say`all ${count(wanted, 'pod')} of ${name} run`;
  }
  if (readyBefore === 1) return name === '' ? say`its only pod ends` : say`the only pod of ${name} ends`;
  const pods = count(readyBefore, 'pod');
  if (wanted === 0) return name === '' ? say`all its ${pods} end` : say`all ${pods} of ${name} end`;
  if (name !== '') return ended === 1 ? say`1 of ${pods} of ${name} ends` : say`${ended} of ${pods} of ${name} end`;
  return ended === 1 ? say`1 of its ${pods} ends` : say`${ended} of its ${pods} end`;
}

/** `an old pod of its own or batch`, where each new pod evicts one; else empty. */
function eachEvicts({ evicted, evicting, wanted }: RolledOut, named: (workload: number) => string): string {
  if (wanted < 2 || evicting !== wanted || evicted.length !== wanted) return '';
  const isOwn = evicted.some((each) => each.isOwn);
  const others = [...new Set(evicted.flatMap((each) => (each.isOwn ? [] : [named(each.victim.workload)])))];
  if (others.length === 0) return say`an old pod of its own`;
  return isOwn
    ? say`an old pod of its own or ${joined(others, say` or `)}`
    : say`a pod of ${joined(others, say` or `)}`;
}

/** `, because no node has more than 1.5 cpu free beside the old pods; the old ones go on running` */
function becauseStuck(rolled: RolledOut, scarce: string): string {
  const { waiting, fewestReady, oldReady, strategy } = rolled;
  const isBeside = strategy === 'RollingUpdate' || (strategy === 'nodes' && surges(rolled));
  if (!waiting.some(isNowhere) || scarce === '') return say`: ${shortly(rolled)}`;
  if (!isBeside) return say`, because ${scarce}`;
  if (oldReady === 0) return say`, because ${scarce}; no old pod is left`;
  return fewestReady === 0
    ? say`, because ${scarce} beside the old pods`
    : say`, because ${scarce} beside the old pods; the old ones go on running`;
}

/** Whether no pod of it is left that serves, and none comes. */
export function isGone({ readyBefore, oldReady, updated, fewestReady, evicted }: RolledOut): boolean {
  return readyBefore > 0 && oldReady + updated + fewestReady === 0 && evicted.length === 0;
}

/** Whether a change waits for somebody, and for nothing else. */
export function isByHand({ strategy, waiting, failedCreate, isPaused }: RolledOut): boolean {
  return isPaused || (strategy === 'OnDelete' && waiting.length === 0 && failedCreate === '');
}

/**
 * Whether nobody can say how many pods are new: the controller walks nodes in an order that is drawn.
 * Source: rollingUpdate in pkg/controller/daemon/update.go
 */
function isDraw({ strategy, evicted, wanted, updated, failedCreate }: RolledOut): boolean {
  // What the API server refuses of the first it refuses of each.
  const isRefused = failedCreate !== '' && updated === 0;
  return strategy === 'nodes' && evicted.length === 0 && wanted > 1 && !isRefused;
}

/** Whether a DaemonSet makes new pods beside the old ones. */
function surges({ next }: RolledOut): boolean {
  const { maxSurge = 0 } = (next as DaemonSet).spec?.updateStrategy?.rollingUpdate ?? {};
  return Number.parseInt(String(maxSurge), 10) > 0;
}

function partitionText({ left }: RolledOut): string {
  return left === 1 ? say`its partition leaves 1 pod as it is` : say`its partition leaves ${left} pods as they are`;
}

/** Characters of a value that a refusal may repeat. */
const longestValue = 200;

/** The API server writes out the whole pod template; of several refusals each has its own. */
export function withoutDump(refusal: string): string {
  const named = 'Invalid value: ';
  let left = '';
  let at = 0;
  for (;;) {
    const start = refusal.indexOf(`${named}{`, at);
    if (start === -1) return left + refusal.slice(at);
    const value = start + named.length;
    const end = endOfObject(refusal, value);
    const written = end - value < longestValue ? refusal.slice(value, end) : '{…}';
    left += refusal.slice(at, value) + written;
    at = end;
  }
}

/** Where the brace that opens at a place is closed; braces in quotes are text. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (isQuoted && letter === '\\') at += 1;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (letter === '{') depth += 1;
    else if (letter === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** The same above the workload itself: `rolls out in 4 steps, 1 pod fewer meanwhile`. */
export function rollOutBrief(rolled: RolledOut): string {
  const { verdict, refusal, updated, wanted, steps, fewestReady, readyBefore, evicted, left } = rolled;
  const evicts = evicted.length === 0 ? '' : say`, evicts ${whom(rolled)}`;
  switch (verdict) {
    case 'refused':
      return say`change refused: ${sayUnstopped(withoutDump(refusal))}`;
    case 'failed':
      return say`fails for good`;
    case 'stuck':
      if (isByHand(rolled)) return whyStuck(rolled);
      return isDraw(rolled)
        ? say`roll-out stops before the last of its ${count(wanted, 'node')}: ${shortly(rolled)}`
        : say`roll-out stops at ${updated} of ${wanted}${evicts}: ${shortly(rolled)}`;
    case 'scaled':
      if (rolled.isMadeAnew && updated >= wanted) return say`deleted and recreated${evicts}`;
      return updated < wanted
        ? say`${updated} of ${count(wanted, 'pod')} run, ${missingText(rolled, wanted - updated)}${evicts}`
        : say`${scaledText(rolled, '')}${evicts}`;
    case 'done': {
      const fewer = readyBefore - fewestReady;
      if (evicted.length > 0) return say`roll-out evicts ${whom(rolled)}`;
      if (left > 0) return say`rolls out to ${wanted - left} of ${count(wanted, 'pod')}`;
      if (rolled.isMadeAnew) return say`deleted and recreated, down meanwhile`;
      if (fewestReady === 0 && readyBefore > 0) return say`rolls out, down meanwhile`;
      if (steps === 0 && fewer <= 0) return say`rolls out at once`;
      return fewer <= 0
        ? say`rolls out in ${count(steps, 'step')}`
        : say`rolls out in ${count(steps, 'step')}, ${count(fewer, 'pod')} fewer meanwhile`;
    }
  }
}

/**
 * What there is to say besides.
 * @param readyAfter how long new pods run before they are ready, in seconds, where that was said
 */
export function rollOutLines(rolled: RolledOut, readyAfter?: number): readonly string[] {
  const { verdict, strategy, updated, wanted, oldReady, fewestReady, readyBefore, deadline, evicted, evicting } =
    rolled;
  if (verdict === 'refused') return [withoutDump(rolled.refusal)];
  const lines: string[] = [];
  if (rolled.isMadeAnew) {
    lines.push(
      say`It is deleted and created again, as its annotations ask for: the API server would refuse the change`,
    );
  }
  if (evicted.length > 0) {
    lines.push(say`${count(evicting, 'new pod')} ${evicting === 1 ? 'evicts' : 'evict'} ${whom(rolled)}`);
  }
  if (verdict === 'stuck') {
    lines.push(
      isDraw(rolled)
        ? say`It stops before the last of its ${count(wanted, 'node')}: ${whyStuck(rolled)}`
        : isByHand(rolled)
          ? say`${updated} of ${count(wanted, 'pod')} ${updated === 1 ? 'has' : 'have'} the new template: ${whyStuck(rolled)}`
          : say`It stops at ${updated} of ${wanted}: ${whyStuck(rolled)}`,
    );
    if (strategy === 'RollingUpdate' && oldReady > 0) {
      lines.push(say`The old pods go on running: at least ${count(fewestReady, 'pod')} ready of ${readyBefore}`);
    } else if (strategy !== 'OnDelete' && readyBefore > 0) {
      lines.push(say`At least ${count(fewestReady, 'pod')} ready of ${readyBefore} meanwhile`);
    }
    if (isUnready(rolled)) {
      lines.push(say`More room does not help: revert the change, or fix what keeps the new pods from becoming ready`);
    }
    // Source: stateful_set_control.go (updateStatefulSet): a pod that is not ready ends the sync before the update.
    const isParallel = (rolled.next as StatefulSet).spec?.podManagementPolicy === 'Parallel';
    if (strategy === 'ordered' && rolled.waiting.length > 0 && !isParallel) {
      lines.push(
        say`Taking the change back is not enough: with OrderedReady the pod that does not start must be deleted by hand`,
      );
    }
    if (deadline !== null) {
      lines.push(say`After ${clockText(deadline)} the Deployment says ProgressDeadlineExceeded; nothing is taken back`);
    }
  } else if (verdict === 'scaled' && updated < wanted) {
    lines.push(say`It stops at ${updated} of ${wanted}: ${whyStuck(rolled)}`);
  } else if (verdict === 'scaled' && wanted < readyBefore) {
    return [scaledText(rolled, ''), ...lines];
  } else if (strategy !== 'job' && readyBefore > 0) {
    lines.push(say`At least ${count(fewestReady, 'pod')} ready of ${readyBefore} meanwhile`);
  }
  if (verdict === 'done' && deadline !== null) {
    lines.push(
      say`Meanwhile it says ProgressDeadlineExceeded, as a step takes longer than ${clockText(deadline)}: kubectl rollout status fails, and the roll-out goes on`,
    );
  }
  lines.push(
    readyAfter === undefined
      ? say`Readiness is assumed: after the initial delay of a probe, else at once`
      : say`Readiness is assumed: ${readyAfter} s after the start`,
  );
  return lines;
}

/** `2 pods of batch`, `1 pod of its own and 1 pod of batch` */
function whomByName({ evicted }: RolledOut, named: (workload: number) => string): string {
  const own = evicted.filter(({ isOwn }) => isOwn).length;
  const others = new Map<number, SimulatedPod[]>();
  for (const { victim, isOwn } of evicted) {
    if (!isOwn) addTo(others, victim.workload, victim);
  }
  return list(
    [
      ...(own === 0 ? [] : [say`${count(own, 'pod')} of its own`]),
      ...[...others].map(([workload, pods]) => {
        const name = named(workload);
        // A pod that no controller made is its own workload.
        const isPod = pods[0]!.pod.metadata?.name === name.split('/').at(-1);
        return isPod ? name : say`${count(pods.length, 'pod')} of ${name}`;
      }),
    ],
    4,
  );
}

/** `4 pods, of them 3 of its own` */
function whom({ evicted }: RolledOut): string {
  const own = evicted.filter(({ isOwn }) => isOwn).length;
  const amount = count(evicted.length, 'pod');
  if (own === 0) return say`${amount} of others`;
  return own === evicted.length ? say`${amount} of its own` : say`${amount}, of them ${own} of its own`;
}

/** Whether it is tried, and finds no node. */
function isNowhere({ pod, message, awaitsVolume, gates }: WaitingPod): boolean {
  return message !== '' && !awaitsVolume && gates.length === 0 && pod.info.nodeName === '';
}

/** Why in a few words: what is scarce stands below. */
function shortly(rolled: RolledOut): string {
  const { waiting, fewestReady, oldReady } = rolled;
  const nowhere = waiting.filter(isNowhere).length;
  if (nowhere === 0) return whyStuck(rolled);
  const pods = count(nowhere, 'new pod');
  if (oldReady === 0 || fewestReady === 0) {
    return nowhere === 1
      ? say`${pods} finds no node, and no old pod is left`
      : say`${pods} find no node, and no old pod is left`;
  }
  return nowhere === 1
    ? say`${pods} finds no node beside the old ones, which go on running`
    : say`${pods} find no node beside the old ones, which go on running`;
}

/** Why a roll-out stops, in words that others may share: without names and numbers of pods. */
export function whyAmongOthers(rolled: RolledOut): string {
  const { waiting, fewestReady, oldReady, failedCreate } = rolled;
  if (!waiting.some(isNowhere)) {
    const why = whyStuck(rolled);
    return why === failedCreate ? (why.split(' is forbidden: ')[1] ?? why) : why;
  }
  return fewestReady > 0 && oldReady > 0
    ? say`the new pods find no node beside the old ones, which go on running`
    : say`the new pods find no node`;
}

function whyStuck({ failedCreate, waiting, strategy, isPaused, held }: RolledOut): string {
  if (held !== '') {
    return say`${held} is not ready, and with OrderedReady none is replaced before it is: delete it by hand`;
  }
  if (isPaused) return say`it is paused; kubectl rollout resume lets it go on`;
  if (waiting.some(({ awaitsVolume }) => awaitsVolume)) {
    return say`a new pod is on another node than the old one that has its ReadWriteOnce volume, and does not start (Multi-Attach)`;
  }
  const gates = new Set(waiting.flatMap((pod) => pod.gates));
  if (gates.size > 0) {
    const names = list([...gates], 3);
    return gates.size === 1
      ? say`the scheduling gate ${names} holds the new pods back`
      : say`the scheduling gates ${names} hold the new pods back`;
  }
  const messages = [...new Set(waiting.map(({ message }) => message).filter((message) => message !== ''))];
  // A roll-out goes on without the pods that are refused beside the old ones, and not without those that wait.
  if (messages.length > 0) return sayUnstopped(list(messages, 2));
  if (failedCreate !== '') return failedCreate;
  if (waiting.some(({ pod, hasNode }) => !hasNode && pod.info.nodeName === '')) {
    return say`no scheduler looks at the new pods`;
  }
  if (strategy === 'OnDelete') return say`a pod gets the new template when the old one is deleted`;
  return say`the new pods do not become ready`;
}

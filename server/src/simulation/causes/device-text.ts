import type { Cause, CausePart } from '../../report-model/cause.ts';
import { joined, say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';

type Devices = CausePart & { readonly kind: 'devices' };
export type RequestPart = Devices['requests'][number];
type Obstacle = RequestPart['obstacles'][number];

/** Requests that are told of, and reasons of each. */
const requestsTold = 2;
const obstaclesTold = 3;
const namesTold = 3;

/** `request gpu of big needs 1 device of class gpu, and n1 has none: gpu-0: memory 40Gi < 80Gi; gpu-1: …`. */
export function devicesText(part: Devices, { nodes }: Pick<Cause, 'nodes'>, on: string): string {
  const { requests, together, match, timesOut } = part;
  const where = nodes.length > 1 ? say`${on} (and others like it)` : on;
  const gaveUp = timesOut
    ? [say`the scheduler gives up its search on ${on} when its time is over (filterTimeout, 10 seconds by default)`]
    : [];
  const short = requests.filter((request) => !isServed(request));
  if (short.length === 0) {
    if (together > 0) return joined([...gaveUp, competingText(part, where)], '; ');
    const apart =
      match.length === 0
        ? say`${where} has devices for each request of its claims, but not for all of them together`
        : say`${where} has devices for each request of its claims, but none that have the same ${list(match)}`;
    return joined([...gaveUp, apart], '; ');
  }
  const alike = [...new Set(short.map(answerOf))].map((answer) => short.filter((each) => answerOf(each) === answer));
  const lines = alike.slice(0, requestsTold).map((each) => requestText(each, where));
  const more = alike.slice(requestsTold).flat().length;
  return joined([...gaveUp, ...lines, ...(more === 0 ? [] : [say`${count(more, 'more request')} likewise`])], '; ');
}

/** Whether a node has enough for a request alone. */
function isServed({ need, fit, devices, obstacles }: RequestPart): boolean {
  if (need > 0) return fit >= need;
  // All of them are those that match, whether they are free or not.
  return devices > 0 && fit > 0 && !obstacles.some(({ kind }) => kind === 'taken' || kind === 'taint');
}

export function needOf(requests: readonly RequestPart[]): number {
  return requests.reduce((sum, { need }) => sum + need, 0);
}

function competingText({ requests, together }: Devices, where: string): string {
  const [{ className, obstacles }] = requests as readonly [RequestPart];
  const names = requests.map((request) => requestName(request));
  const wants = say`${list(names, namesTold)} need ${count(needOf(requests), 'device')} of class ${className} together, and ${together} on ${where} would do`;
  const isSaidOfAll = requests.every((each) => JSON.stringify(each.obstacles) === JSON.stringify(obstacles));
  const why = isSaidOfAll ? obstacles.slice(0, obstaclesTold).map(obstacleText) : [];
  return why.length === 0 ? wants : say`${wants}: ${joined(why, '; ')}`;
}

/** What is asked for and answered, whatever the request is called. */
function answerOf({ request: _request, ...answer }: RequestPart): string {
  return JSON.stringify(answer);
}

/** Requests that are answered alike. */
function requestText(requests: readonly RequestPart[], where: string): string {
  const [{ need, fit, devices, obstacles, className }] = requests as readonly [RequestPart];
  const asked = need === 0 ? say`all devices` : count(need, 'device');
  const names = list(requests.map(requestName), namesTold);
  const wants =
    requests.length === 1
      ? say`${names} needs ${asked} of class ${className}`
      : say`${names} each need ${asked} of class ${className}`;
  if (devices === 0 && obstacles.length === 0) return say`${wants}, and no ResourceSlice offers devices on ${where}`;
  const has = fit === 0 ? say`${where} has none that fits` : say`${fit} on ${where} would do`;
  const why = obstacles.slice(0, obstaclesTold).map(obstacleText);
  return why.length === 0 ? say`${wants}, and ${has}` : say`${wants}, and ${has}: ${joined(why, '; ')}`;
}

/** `request gpu of big`; of an extended resource that. */
export function requestName({ claim, request }: Pick<RequestPart, 'claim' | 'request'>): string {
  return request === '' ? claim : say`request ${request} of ${claim}`;
}

function obstacleText({ kind, names, count: amount, texts }: Obstacle): string {
  const shown = names.slice(0, amount > namesTold ? namesTold - 1 : namesTold);
  const who = list([...shown, ...Array.from({ length: amount - shown.length }, () => '')], namesTold);
  switch (kind) {
    case 'taken':
      return texts.length === 1
        ? say`${who}: allocated to claim ${list(texts, namesTold)}`
        : say`${who}: allocated to claims ${list(texts, namesTold)}`;
    case 'selector':
      return say`${who}: ${joined([...texts], ', ')}`;
    case 'class':
      return say`${who}: not of the class, ${joined([...texts], ', ')}`;
    case 'taint':
      return say`${who}: taint ${joined([...texts], ', ')}`;
    case 'capacity':
      return texts.length === 0
        ? say`${who}: gives no such amount of its capacity`
        : say`${who}: ${joined([...texts], ', ')} is left`;
    case 'counters':
      return say`${who}: the counters of its pool are used up`;
    case 'node':
      return say`${who}: for another node`;
    case 'gate':
      return say`${who}: needs a feature that this version of Kubernetes does not have`;
    case 'pool':
      return say`pool ${who}: ${joined([...texts], ', ')}`;
    case 'error':
      return say`${who}: ${joined([...texts], ', ')}`;
  }
}

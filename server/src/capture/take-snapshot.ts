import { say } from '../util/say.ts';
import type { JsonObject } from '../kubernetes/json.ts';
import { type MissingKind, type SnapshotHeader, writtenHeader } from '../kubernetes/snapshot-header.ts';
import { autoscalerFlags } from '../kubernetes/autoscaler-flags.ts';
import { isList, isObject, valueAt } from '../util/values.ts';
import { type AskedKind, askedKinds, pathOf } from './asked-kinds.ts';
import { type Kubectl, KubectlError } from './kubectl.ts';
import { captured } from '../kubernetes/scheduling-fields.ts';

/** Takes the text of a snapshot piece by piece, and waits while a promise is not settled. */
export type Write = (text: string) => Promise<void>;

export interface TakenSnapshot extends SnapshotHeader {
  /** How many objects of each kind there are, in the order in which they were asked for. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Asks a cluster for what scheduling depends on, page by page, and writes a List as `kubectl get -o json` does, one
 * object to a line, behind it what the snapshot says of itself. Rejects with `KubectlError` where no answer could rest
 * on what there is.
 *
 * @param now in milliseconds since 1970
 */
export async function takeSnapshot(
  kubectl: Pick<Kubectl, 'get'>,
  context: string,
  write: Write,
  now: number,
  onProgress: (resource: string, count: number) => void = () => undefined,
): Promise<TakenSnapshot> {
  const serverVersion = textOf(objectOf(await kubectl.get(context, '/version')).gitVersion);
  await write('{"apiVersion":"v1","kind":"List","metadata":{},"items":[\n');
  const counts = new Map<string, number>();
  const missing: MissingKind[] = [];
  const installed = await installedGroups(kubectl, context);
  const flags = new Set<string>();
  for (const known of askedKinds) {
    const asked = known.isInstalled === true ? served(known, installed) : known;
    if (asked === undefined) continue;
    try {
      const count = await writeKind(kubectl, context, asked, write, onProgress, flags);
      counts.set(asked.kind, (counts.get(asked.kind) ?? 0) + count);
    } catch (error) {
      if (!(error instanceof KubectlError)) throw error;
      const { withoutIt, resource, isInstalled = false } = asked;
      if (isInstalled && isAbsent(error.message)) continue;
      if (withoutIt === null || !isRefusal(error.message)) {
        throw new KubectlError(
          say`${resource} cannot be read, and the others are of no use without it: ${error.message}`,
        );
      }
      missing.push({ resource, why: error.message, effect: withoutIt });
    }
  }
  const takenAt = new Date(now).toISOString();
  const header = { context, serverVersion, takenAt, missing, autoscalerFlags: [...flags] };
  await write(`${JSON.stringify(writtenHeader(header))}\n]}\n`);
  return { ...header, counts };
}

/** A cluster may refuse a kind, or not have it. Anything else may as well have cut off others. */
function isRefusal(message: string): boolean {
  return /\((?:Forbidden|NotFound|MethodNotAllowed)\)/.test(message);
}

/** A group may be there without each of its kinds. */
function isAbsent(message: string): boolean {
  return message.includes('(NotFound)');
}

/** The versions of each API group of a cluster, the preferred one first; none where it does not say. */
async function installedGroups(
  kubectl: Pick<Kubectl, 'get'>,
  context: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  try {
    const { groups } = objectOf(await kubectl.get(context, '/apis'));
    const list = isList(groups) ? groups.filter(isObject) : [];
    return new Map(
      list.map((group) => {
        const versions = isList(group['versions']) ? group['versions'] : [];
        const all = [group['preferredVersion'], ...versions].map((each) => textOf(valueAt(each, ['groupVersion'])));
        return [textOf(group['name']), all.filter((each) => each !== '')];
      }),
    );
  } catch (error) {
    if (error instanceof KubectlError) return new Map();
    throw error;
  }
}

/** In the version that is known here, or else the one that the cluster prefers. */
function served(asked: AskedKind, installed: ReadonlyMap<string, readonly string[]>): AskedKind | undefined {
  const group = asked.apiVersion.slice(0, asked.apiVersion.indexOf('/'));
  const versions = installed.get(group);
  // Of a group of Kubernetes itself the preferred version has other kinds.
  const other = group.endsWith('.k8s.io') && !group.endsWith('.x-k8s.io') ? undefined : versions?.[0];
  const apiVersion = versions?.find((each) => each === asked.apiVersion) ?? other;
  return apiVersion === undefined ? undefined : { ...asked, apiVersion };
}

async function writeKind(
  kubectl: Pick<Kubectl, 'get'>,
  context: string,
  asked: AskedKind,
  write: Write,
  onProgress: (resource: string, count: number) => void,
  flags: Set<string>,
): Promise<number> {
  let count = 0;
  let rest = '';
  do {
    const from = rest === '' ? '' : `&continue=${encodeURIComponent(rest)}`;
    const list = objectOf(await kubectl.get(context, `${pathOf(asked)}?limit=${asked.page}${from}`));
    // Go writes a list of nothing as null.
    const items = list.items ?? [];
    if (!isList(items)) throw new KubectlError(say`${asked.resource}: the answer is no list`);
    if (asked.kind === 'Pod' || asked.kind === 'Deployment') items.flatMap(flagsOf).forEach((flag) => flags.add(flag));
    const lines = items.map((item) => `${JSON.stringify(captured(item, asked.apiVersion, asked.kind))},\n`);
    count += lines.length;
    if (lines.length > 0) await write(lines.join(''));
    onProgress(asked.resource, count);
    rest = textOf(list.metadata?.continue);
  } while (rest !== '');
  return count;
}

/** Of a pod or a Deployment that runs Cluster Autoscaler. */
function flagsOf(item: JsonObject): readonly string[] {
  const containers = valueAt(item, ['spec', 'template', 'spec', 'containers']) ?? valueAt(item, ['spec', 'containers']);
  return isList(containers) ? autoscalerFlags(containers.filter(isObject)) : [];
}

/** What is looked at of an answer, which is the API server's. */
interface Answer {
  readonly gitVersion?: unknown;
  readonly groups?: unknown;
  readonly items?: readonly JsonObject[] | null;
  readonly metadata?: { readonly continue?: unknown };
}

function objectOf(text: string): Answer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new KubectlError(say`the answer is no JSON`);
  }
  if (!isObject(value)) throw new KubectlError(say`the answer is no object`);
  return value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

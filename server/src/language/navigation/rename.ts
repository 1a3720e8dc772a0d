import { addTo } from '../../util/maps.ts';
import { joined, say } from '../../util/say.ts';
import { LSPErrorCodes, type Position, type Range, ResponseError, type WorkspaceEdit } from 'vscode-languageserver';
import {
  type NameCheck,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  portNameProblems,
  qualifiedNameProblems,
} from '../../admission/format/names.ts';
import { systemPriorityClassPrefix } from '../../admission/priority/priority-class.ts';
import type { ManifestFile } from '../../manifests/manifest.ts';
import { placedRange } from '../../manifests/text-positions.ts';
import type { Facts } from '../index/facts.ts';
import { renameKey, replaceScalar } from '../rules/support/edits.ts';
import { type Mention, mentionAt, mentionsOf } from '../index/mentions.ts';
import { unquotedRange } from './unquoted-range.ts';

/** What a new name must be like. */
function checkOf({ kind }: Mention): NameCheck {
  if (kind === 'Namespace' || kind === 'claim of pods') return dnsLabelProblems;
  if (kind === 'port of pods') return portNameProblems;
  if (kind === 'label value of pods') return labelValueProblems;
  return isKey(kind) ? qualifiedNameProblems : dnsSubdomainProblems;
}

function isKey(kind: Mention['kind']): boolean {
  return kind === 'label of nodes' || kind === 'label of pods' || kind === 'taint';
}

const nothingNamed = say`Podium cannot rename this. It renames classes, namespaces, nodes, labels, taints, ports, claims and whatever else other manifests name.`;

/** The name that would be changed, and where it stands. */
export function prepareRename(
  file: ManifestFile,
  position: Position,
  facts: Facts,
): { readonly range: Range; readonly placeholder: string } | ResponseError {
  const mention = mentionAt(file, position, facts);
  if (mention === undefined) return refused(nothingNamed);
  const reason = whyNot(mention);
  const range = facts.originOf(mention.fact, mention.path, mention.part)?.range;
  if (reason !== undefined || range === undefined) return refused(reason ?? say`The text is changing.`);
  const anchor = whereElse(range, position);
  if (anchor !== undefined) return refused(anchor);
  return { range: unquotedRange(file, range), placeholder: mention.name };
}

/** Another name, wherever something is named in the workspace. */
export function rename(
  file: ManifestFile,
  position: Position,
  name: string,
  facts: Facts,
): WorkspaceEdit | ResponseError {
  const mention = mentionAt(file, position, facts);
  if (mention === undefined) return refused(nothingNamed);
  const range = facts.originOf(mention.fact, mention.path, mention.part)?.range;
  const reason = whyNot(mention) ?? whereElse(range, position) ?? whyNotTo(mention, name, facts);
  if (reason !== undefined) return refused(reason);
  const mentions = mentionsOf(mention, facts).filter(({ fact }) => fact.source === 'workspace');
  const made = mentions.find(({ fact, path }) => fact.manifest.rendering?.isWrittenHere(path) === false);
  if (made !== undefined) {
    const { kind, name: maker, rendering } = { ...made.fact, rendering: made.fact.manifest.rendering };
    return refused(
      say`${kind} ${maker}, which ${rendering?.source ?? say`a source`} makes, names it too, and not where an edit would change it.`,
    );
  }
  const edits = new Map<string, { readonly range: Range; readonly newText: string }[]>();
  const seen = new Set<string>();
  for (const { fact, path, part } of mentions) {
    const placed = facts.file(fact.uri)?.documents[fact.index];
    if (placed === undefined) continue;
    const { uri, range, text } = part === 'key' ? renameKey(fact, path, name) : replaceScalar(fact, path, name);
    const edit = { range: placedRange(placed, range), newText: text };
    // What several paths share through an anchor is written once.
    const key = JSON.stringify([uri, edit.range]);
    if (seen.has(key)) continue;
    seen.add(key);
    addTo(edits, uri, edit);
  }
  const documentChanges = [...edits].map(([uri, changes]) => ({
    textDocument: { uri, version: facts.file(uri)?.version ?? null },
    edits: changes,
  }));
  return { documentChanges };
}

/** What an alias stands for has its name where its anchor is, and may be something else there. */
function whereElse(range: Range | undefined, { line }: Position): string | undefined {
  if (range === undefined || (range.start.line <= line && line <= range.end.line)) return undefined;
  return say`This is an alias; the name is written in line ${range.start.line + 1}.`;
}

/** Why something keeps its name. */
function whyNot({ kind, name }: Mention): string | undefined {
  if (kind === 'PriorityClass' && name.startsWith(systemPriorityClassPrefix)) {
    return say`${name} is a class of Kubernetes itself.`;
  }
  if (kind === 'scheduler' && name === 'default-scheduler') {
    return say`default-scheduler is what pods name that name none.`;
  }
  if (kind === 'Namespace' && (name === 'default' || name.startsWith('kube-'))) {
    return say`Namespace ${name} is one of Kubernetes itself.`;
  }
  const prefix = name.split('/').slice(0, -1).join('/');
  if ((kind === 'label of nodes' || kind === 'taint') && /(?:^|\.)(?:kubernetes|k8s)\.io$/.test(prefix)) {
    return say`${name} is set and read by Kubernetes itself.`;
  }
  return undefined;
}

/** Why something cannot have a name. */
function whyNotTo(mention: Mention, name: string, facts: Facts): string | undefined {
  const problems = checkOf(mention)(name);
  if (problems.length > 0) return say`${name === '' ? say`An empty name` : name}: ${joined(problems, '; ')}.`;
  if (mention.kind === 'PriorityClass' && name.startsWith(systemPriorityClassPrefix)) {
    return say`Names that begin with ${systemPriorityClassPrefix} are reserved for Kubernetes itself.`;
  }
  if (name === mention.name || isKey(mention.kind) || mention.kind === 'label value of pods') return undefined;
  const taken = mentionsOf({ ...mention, name }, facts).find(({ declares }) => declares);
  if (taken === undefined) return undefined;
  return mention.kind === 'port of pods'
    ? say`${taken.fact.kind} ${taken.fact.name} has a port ${name} already.`
    : say`There is a ${mention.kind} ${name} already.`;
}

function refused(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}

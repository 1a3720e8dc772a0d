import { isNumber } from '../../util/exact-integer.ts';
import { own, put } from '../../util/own.ts';
import { isObject } from '../../util/values.ts';
import type { Release } from '../../kubernetes/release.ts';
import { groupOf, isServed, isServedGroup } from '../../kubernetes/api/served.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { goQuote, withGoEscapes } from '../format/go-quote.ts';
import { type Answer } from './answer.ts';

/**
 * What kubectl says of a document before it asks the server: of what kind is it, and where does it live?
 * Sources: kubectl/pkg/validation/schema.go, cli-runtime/pkg/resource/mapper.go
 */
export function kindRefusal(value: JsonObject, release: Release): Answer | undefined {
  const problems = (['apiVersion', 'kind'] as const).flatMap((field) => {
    const written = value[field];
    if (written === undefined || written === null) return [`${field} not set`];
    return typeof written === 'string' ? [] : [`${field} isn't string type`];
  });
  if (problems.length > 0) {
    const text = problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`;
    return client(
      `error validating "STDIN": error validating data: ${text}; if you choose to ignore these errors, turn validation off with --validate=false`,
    );
  }
  const [apiVersion, kind] = [value['apiVersion'] as string, value['kind'] as string];
  if (kind === '' || apiVersion.split('/').length > 2) {
    return client(`unable to decode "STDIN": Object 'Kind' is missing in '${goJson(value)}'`);
  }
  if (isServed(release.served, apiVersion, kind)) return undefined;
  const kubectl = notServedText(value, apiVersion, kind);
  if (apiVersion === '') return client(kubectl);
  const meant = kindOfPath(apiVersion, kind, release);
  if (meant !== undefined) {
    // The path is that of the kind that is meant, and the server does not know the one that is sent there.
    // Source: transformDecodeError in apiserver/pkg/endpoints/handlers/rest.go
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    const message = `${kind} in version ${goQuote(version)} cannot be handled as a ${meant}: no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`;
    return { accepted: false, code: 400, reason: 'BadRequest', message, client: true, kubectl };
  }
  const answer = isKnownPath(apiVersion, release)
    ? { reason: 'NotFound', message: 'the server could not find the requested resource' }
    : { reason: '', message: '404 page not found\n' };
  return { accepted: false, code: 404, ...answer, client: true, kubectl };
}

function client(message: string): Answer {
  return { accepted: false, client: true, message };
}

/** The text for a kind, or a version of it, that the server does not have. */
function notServedText(value: JsonObject, apiVersion: string, kind: string): string {
  const metadata = value['metadata'];
  const textAt = (field: string): string => {
    const written = isObject(metadata) ? own(metadata, field) : undefined;
    return typeof written === 'string' ? written : isNumber(written) ? String(written) : '';
  };
  return `resource mapping not found for name: ${goQuote(textAt('name'))} namespace: ${goQuote(textAt('namespace'))} from "STDIN": ${noMatchText(apiVersion, kind)}\nensure CRDs are installed first`;
}

/** The part of it that says why. */
export function noMatchText(apiVersion: string, kind: string): string {
  return `no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`;
}

/** Whether something at the server answers to the path, if only that there is no such resource. */
function isKnownPath(apiVersion: string, { served }: Release): boolean {
  // Without a slash it is a version of the core group where it looks like one, else a group.
  if (!apiVersion.includes('/')) return apiVersion.startsWith('v') || isServedGroup(served, apiVersion);
  return isServedGroup(served, groupOf(apiVersion));
}

/** The kind whose path a kind is sent to that is written otherwise, as `cronjob`: paths are in small letters. */
function kindOfPath(apiVersion: string, kind: string, { served }: Release): string | undefined {
  const path = `${kind.toLowerCase()}s`;
  return served.get(apiVersion)?.find((each) => pluralOf(each.toLowerCase()) === path);
}

function pluralOf(kind: string): string {
  if (kind === 'endpoints') return kind;
  if (kind.endsWith('s')) return `${kind}es`;
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** JSON as Go's encoder writes it: keys in order, and `<`, `>` and `&` escaped. */
function goJson(value: Json): string {
  return withGoEscapes(JSON.stringify(sortedKeys(value)));
}

/** The same value with the keys of all maps in order, as kubectl sends them. */
export function sortedKeys(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortedKeys);
  if (typeof value !== 'object' || value === null || isNumber(value)) return value;
  const copy = Object.create(null) as Record<string, Json>;
  for (const key of Object.keys(value).sort()) put(copy, key, sortedKeys(own(value as JsonObject, key) ?? null));
  return copy;
}

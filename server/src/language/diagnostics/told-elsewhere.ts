import { valueAt } from '../../util/values.ts';
import { structOf, typeAt } from '../../kubernetes/api/index.ts';
import type { OffsetRange } from '../../manifests/manifest.ts';
import type { CheckedFinding } from '../checks/rule-runner.ts';
import { fieldAt } from '../field-docs/field-types.ts';
import { kubernetesFor } from '../index/kubernetes-version.ts';
import { ruleSetting } from '../settings/settings.ts';
import type { Session } from '../session/session.ts';
import { firstContent, schemaOf } from '../session/yaml-schemas.ts';

/**
 * Whether a language server for YAML beside this one tells of an open file what was found, so that it need not be told
 * twice: what is no YAML, and what a schema says. Where the client says what is told, that decides; else whether the
 * file has a schema of Kubernetes, and that would say it. What the user gave a severity is told all the same.
 */
export function toldElsewhere(session: Session): (uri: string, found: CheckedFinding) => boolean {
  return (uri, found) => {
    const { finding, rule } = found;
    if (finding.isCommon === true) return leavesSyntax(uri, session);
    if (finding.schemaSays === undefined || ruleSetting(session.settings, uri, rule.code) !== undefined) return false;
    const bySchema = session.otherYaml.findingsIn(uri);
    if (bySchema === undefined) {
      if (!leavesSyntax(uri, session)) return false;
      const named = schemaOf(found.placed.document, uri, session.otherYaml.schemas);
      return isSaidBySchema(found, named === undefined ? undefined : kindOfSchema(named), session);
    }
    const places = placesOf(found);
    const name = finding.schemaSays === 'kind' ? (finding.value ?? '') : String(finding.path?.at(-1));
    const isNamed = finding.schemaSays === 'kind' || finding.schemaSays === 'missing';
    return bySchema.some(
      ({ line, text, message }) =>
        (!isNamed || message.includes(`"${name}"`)) &&
        places.some((place) => place.line === line && (finding.schemaSays === 'missing' || place.text === text)),
    );
  };
}

/** Where another program may tell of what was found: the lines, and what is underlined of each. */
function placesOf({
  finding,
  placed: { document },
}: CheckedFinding): { readonly line: string; readonly text: string }[] {
  const { fact, path = [], range, schemaSays } = finding;
  const at = schemaSays === 'missing' ? path.slice(0, -1) : path;
  const ranges: (OffsetRange | undefined)[] = [range];
  if (schemaSays !== 'kind') ranges.push(fact?.manifest.locate(at, 'key'), fact?.manifest.locate(at, 'value'));
  if (schemaSays === 'missing' && at.length === 0) {
    const start = firstContent(document);
    ranges.push({ start, end: start + 1 });
  }
  return ranges.flatMap((each) => {
    if (each === undefined) return [];
    const { text } = document;
    const start = Math.max(text.lastIndexOf('\n', each.start - 1), text.lastIndexOf('\r', each.start - 1)) + 1;
    const [line = ''] = text.slice(start).split(/[\r\n]/, 1);
    const [underlined = ''] = text.slice(each.start, each.end).split(/[\r\n]/, 1);
    return [{ line: line.trim(), text: underlined.trim() }];
  });
}

/** Whether the other server tells of a file what every reader of YAML says: of those that are open. */
function leavesSyntax(uri: string, session: Session): boolean {
  return session.openFiles.has(uri) && session.otherYaml.tellsSyntax(uri);
}

/** What checks a document: a schema of Kubernetes that knows no other fields (`strict`), or one that lets them pass. */
type Schema = 'strict' | 'loose' | undefined;

/** The name that the server for YAML has for it, and the collections that are published. */
function kindOfSchema(name: string): Schema {
  if (name.trim().toLowerCase() === 'kubernetes') return 'strict';
  if (!/kubernetes-?json-?schema/i.test(name)) return undefined;
  return /strict/i.test(name) ? 'strict' : 'loose';
}

/** Whether a schema of Kubernetes says it: as the types of the API have fields, required ones and constants. */
function isSaidBySchema({ finding, placed }: CheckedFinding, schema: Schema, session: Session): boolean {
  const { fact, path, range, schemaSays } = finding;
  if (schema === undefined || fact === undefined || path === undefined) return false;
  const { manifest } = fact;
  const { types } = kubernetesFor(session.facts, session.settings).release;
  const value = valueAt(manifest.value, path);
  switch (schemaSays) {
    case 'field':
      return schema === 'strict';
    case 'type':
      // A whole number of a wrong type may only be too large, and YAML 1.2 may read as text what kubectl does not.
      return (
        (typeof value !== 'boolean' && typeof value !== 'number') ||
        (placed.document.text.slice(range.start, range.end) === String(value) &&
          !(Number.isInteger(value) && fieldAt(types, manifest, path)?.type.kind.startsWith('int') === true))
      );
    case 'value':
      return typeof value === 'string' && fieldAt(types, manifest, path)?.values.includes(value) === false;
    case 'missing': {
      const struct = structOf(types, manifest.apiVersion, manifest.kind);
      const parent = struct === undefined ? undefined : typeAt(struct, path.slice(0, -1));
      const isRequired = parent?.kind === 'struct' && parent.fields.get(String(path.at(-1)))?.required === true;
      return isRequired && value === undefined;
    }
    default:
      return false;
  }
}

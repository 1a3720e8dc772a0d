/** What the real tools make of trees of files, as `expected.json` in each of them has recorded it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, it } from 'mocha';
import type { JsonObject } from '../../../server/src/kubernetes/json.ts';
import { asList, asMap, asText } from '../../../server/src/manifests/read-data.ts';
import { isNamespaced } from '../../../server/src/kubernetes/decode/index.ts';
import { isWorkloadKind, podTemplatePath } from '../../../server/src/kubernetes/pod-template.ts';
import { valueAtPath } from '../../../server/src/sources/files/json-paths.ts';
import type { MadeObject } from '../../../server/src/sources/rendering/made-object.ts';
import type { FoundSources } from '../../../server/src/sources/targets/workspace-sources.ts';
import { describeWithTools, toolReleases } from '../../support/kubernetes-tools.ts';
import { findIn, fixtures, placeOf } from './find-fixture.ts';

interface Expected {
  readonly sources: readonly {
    readonly source: {
      readonly type: string;
      readonly path: string;
      readonly name?: string;
      readonly set?: readonly string[];
    };
    readonly ok: boolean;
    readonly error?: string;
    readonly objects?: readonly (JsonObject & { readonly provenance: JsonObject })[];
  }[];
}

const folders = [
  '1-kustomize',
  '2-remote',
  '3-helm',
  '4-flux',
  '5-argo',
  '6-mixed',
  '7-generate-name',
  '8-vendored-nodes',
];

for (const release of toolReleases) {
  describeWithTools(`what is applied, with the tools of ${release}`, () => {
    for (const folder of folders) {
      const root = join(fixtures, folder);
      const expected = JSON.parse(readFileSync(join(root, 'expected.json'), 'utf8')) as Expected;
      let found: FoundSources;

      before(async function () {
        found = await findIn(root, release);
      });

      for (const { source, ok, objects = [], error = '' } of expected.sources) {
        // A plain file is no source, and nobody sets single values of a chart that nobody installs.
        if (source.type === 'plain' || (source.set ?? []).length > 0) continue;
        it(`${folder}: ${source.type} ${source.path} ${source.name ?? ''} ${ok ? 'makes what the tool makes' : 'is refused'}`, () => {
          const applied = found.applied.sources.find((each) => isSource(each.source.name, source, root));
          if (applied === undefined) {
            // What another kustomization takes in is no root of its own, and a library makes no objects.
            assert.ok(['generator', 'library', 'local-only'].includes(source.path), `${source.path} is not found`);
            return;
          }
          if (!ok) {
            assert.ok(applied.refusal !== null || applied.source.leftOut !== undefined, error);
            return;
          }
          assert.equal(applied.refusal, null);
          const isOwnChart = source.type === 'helm';
          assert.deepEqual(
            rowsOf(applied.made, root),
            objects
              // Tests are not installed.
              .filter(({ hook }) => hook !== 'test')
              .map(({ provenance, ...row }) => ({
                ...row,
                // A chart that nobody installs goes to the default namespace.
                namespace: isOwnChart && row['namespace'] !== null ? 'default' : row['namespace'],
                place: { path: provenance['file'], line: provenance['line'] },
              }))
              .map((row) => JSON.parse(JSON.stringify(row)) as JsonObject)
              .sort(byId),
          );
        });
      }
    }
  });
}

function isSource(
  name: string,
  { type, path, name: label = '' }: Expected['sources'][number]['source'],
  root: string,
): boolean {
  switch (type) {
    case 'kustomize':
      return name === (path === '.' ? basename(root) : path);
    case 'helm':
      return name === (label === 'prod' ? `${path} -f values-prod.yaml` : path);
    case 'fluxKustomization':
      return name === `Kustomization ${label}`;
    case 'helmRelease':
      return name === `HelmRelease ${label}`;
    default:
      return name === `Application ${label}`;
  }
}

function rowsOf(made: readonly MadeObject[], root: string): JsonObject[] {
  const rows = made.flatMap((each) => rowOf(each, root)).sort(byId);
  // What was read from a file has no prototype.
  return JSON.parse(JSON.stringify(rows)) as JsonObject[];
}

/** The fields that scheduling looks at, as `expected.json` writes them. */
function rowOf({ object, file, index }: MadeObject, root: string): JsonObject[] {
  const { apiVersion, kind, value } = object;
  const template = podTemplatePath(kind);
  const spec = template === undefined ? {} : asMap(valueAtPath(value, [...template, 'spec']));
  const containers = asList(spec['containers']).map(asMap);
  if (containers.length === 0 && !['PriorityClass', 'Node'].includes(kind)) return [];
  const own = asMap(value['spec']);
  const metadata = asMap(value['metadata']);
  const hook = asMap(metadata['annotations'])['helm.sh/hook'];
  const isLocal = isNamespaced(apiVersion, kind);
  const place = placeOf(root, file, file.documents[index]!, object);
  return [
    {
      apiVersion,
      kind,
      namespace: isLocal ? object.namespace || null : null,
      name: object.name || null,
      ...(own['replicas'] === undefined ? {} : { replicas: own['replicas'] }),
      ...(own['parallelism'] === undefined ? {} : { parallelism: own['parallelism'] }),
      ...(kind === 'PriorityClass' ? { value: value['value']! } : {}),
      ...(isWorkloadKind(kind)
        ? {
            priorityClassName: spec['priorityClassName'] ?? null,
            ...(spec['nodeSelector'] === undefined ? {} : { nodeSelector: spec['nodeSelector'] }),
            requests: Object.fromEntries(
              containers.map(({ name, resources }) => [asText(name), asMap(asMap(resources)['requests'])]),
            ),
          }
        : {}),
      ...(hook === undefined ? {} : { hook }),
      place: { path: place.path, line: place.line },
    },
  ];
}

function byId(a: JsonObject, b: JsonObject): number {
  const id = ({ kind, namespace, name }: JsonObject): string => JSON.stringify([kind, namespace, name]);
  return id(a) < id(b) ? -1 : 1;
}

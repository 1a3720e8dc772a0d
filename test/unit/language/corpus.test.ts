import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placedDiagnosticsInSteps } from '../../../server/src/language/checks/file-diagnostics.ts';
import { runToEnd } from '../../../server/src/util/steps.ts';
import { codeLenses } from '../../../server/src/language/lenses/lens-places.ts';
import { hover } from '../../../server/src/language/hovers/hover.ts';
import { placedPosition } from '../../../server/src/manifests/text-positions.ts';
import { TestWorkspace } from './test-workspace.ts';

/** Real manifests of public repositories, where they are at hand; they are no part of the project. */
const corpus = fileURLToPath(new URL('../../../../shared/corpus', import.meta.url));
const samples = fileURLToPath(new URL('../../../samples', import.meta.url));

/** Errors that the API server raises too: path, code, and a part of the message.. */
const rightly: readonly (readonly [path: string, code: string, message: string])[] = [
  ['aws-ebs-web.yaml', 'invalid-pod', 'Unsupported value: "tcp"'],
  ['cinder-web.yaml', 'invalid-pod', 'Unsupported value: "tcp"'],
  ['fc.yaml', 'wrong-type', 'fc.lun of type int32'],
  ['cockroachdb-statefulset.yaml', 'kind-not-served', 'no matches for kind "PodDisruptionBudget" in version'],
  ['ds.yaml', 'kind-not-served', 'no matches for kind "DaemonSet" in version "extensions/v1beta1"'],
  [
    'newrelic-infra-daemonset.yaml',
    'kind-not-served',
    'no matches for kind "DaemonSet" in version "extensions/v1beta1"',
  ],
  [
    'persistent-volume-label-initializer-config.yaml',
    'kind-not-served',
    'no matches for kind "InitializerConfiguration"',
  ],
  ['podsecuritypolicy.yaml', 'kind-not-served', 'no matches for kind "PodSecurityPolicy" in version "policy/v1beta1"'],
  ['policies.yaml', 'kind-not-served', 'no matches for kind "PodSecurityPolicy" in version "policy/v1beta1"'],
  ['dd.yaml', 'kind-not-served', 'no matches for kind "StorageClass" in version "storage.k8s.io/v1beta1"'],
  ['sd.yaml', 'kind-not-served', 'no matches for kind "StorageClass" in version "storage.k8s.io/v1beta1"'],
  ['rbd.yaml', 'unknown-field', 'unknown field "spec.volumes[0].rbd.image'],
  ['scaleio/pod.yaml', 'unknown-field', 'unknown field "spec.volumes[0].scaleIO.protectionDoamin"'],
  ['storageos-pod.yaml', 'unknown-field', 'unknown field "spec.volumes[0].storageos.pool"'],
  ['storageos-pv.yaml', 'unknown-field', 'unknown field "spec.storageos.secretName"'],
  ['longhorn-okd.yaml', 'invalid-pod', 'spec.template.spec.containers[0].image: Required value'],
];

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function suite(name: string, folder: string): void {
  if (!existsSync(folder)) return;
  describe(`every file of ${name}`, function () {
    let workspace: TestWorkspace;
    const paths = filesIn(folder).map((path) => relative(folder, path));

    before(async () => {
      workspace = await TestWorkspace.of(
        Object.fromEntries(
          paths.map((path) => [path, readFileSync(join(folder, path), 'utf8').replaceAll(/[‹›]/g, ' ')]),
        ),
      );
    });

    it('raises no error that the API server would not raise', () => {
      const errors = paths.flatMap((path) =>
        runToEnd(
          placedDiagnosticsInSteps(workspace.file(path), workspace.checker, workspace.facts, workspace.settings, ''),
        )
          .map(({ diagnostic }) => diagnostic)
          .filter(({ severity }) => severity === 1)
          .filter(
            ({ code, message }) =>
              !rightly.some(
                ([where, rule, part]) =>
                  path.endsWith(where) &&
                  rule === code &&
                  JSON.stringify(message).includes(JSON.stringify(part).slice(1, -1)),
              ),
          )
          .map(
            ({ code, message, range }) => `${path}:${range.start.line + 1} ${String(code)}: ${JSON.stringify(message)}`,
          ),
      );
      assert.deepEqual(errors, []);
    });

    it('says nothing at all about templates', () => {
      const said = paths.flatMap((path) =>
        workspace
          .findings(path)
          .filter(({ placed }) => placed.document.content === 'template')
          .map(({ finding }) => `${path}: ${finding.message}`),
      );
      assert.deepEqual(said, []);
    });

    it('answers lenses and hovers everywhere', () => {
      let [lenses, hovers] = [0, 0];
      for (const path of paths) {
        const file = workspace.file(path);
        lenses += codeLenses(file, [{ name: '', facts: workspace.facts }]).length;
        for (const placed of file.documents) {
          for (const object of placed.document.objects) {
            const { start } = object.locateNearest(['kind'], 'value');
            if (hover(file, placedPosition(placed, start), workspace.facts) !== null) hovers++;
          }
        }
      }
      assert.ok(lenses > 5 && hovers >= lenses, `${lenses} lenses, ${hovers} hovers`);
    });
  });
}

suite('the corpus', corpus);
suite('the samples', samples);

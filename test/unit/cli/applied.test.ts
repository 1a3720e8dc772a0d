import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, it } from 'mocha';
import type { Report } from '../../../server/src/report-model/report.ts';
import { describeWithTools, toolFolder, toolReleases } from '../../support/kubernetes-tools.ts';
import { podium, type Outcome } from './run-podium.ts';

for (const release of toolReleases) {
  describeWithTools(`commands over what is applied, with the tools of ${release}`, () => {
    let folder: string;
    const env = (): Readonly<Record<string, string>> => ({
      PATH: `${toolFolder(release)}:${process.env['PATH'] ?? ''}`,
    });
    const run = (...args: string[]): Promise<Outcome> => podium(args, { cwd: folder, env: env() });
    const reportOf = async (...args: string[]): Promise<Report> =>
      JSON.parse((await run('simulate', ...args, '--format', 'json')).stdout) as Report;
    const workloadsOf = ({ workloads }: Report): string[] =>
      workloads.map(
        ({ kind, namespace, name, replicas, className }) =>
          `${kind} ${namespace}/${name} ${replicas} ${className ?? '-'}`,
      );

    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'podium-applied-'));
      cpSync('test/fixtures/sources', folder, { recursive: true });
    });

    after(() => {
      rmSync(folder, { recursive: true });
    });

    it('simulates one target, with the names, counts and classes that are applied', async () => {
      assert.deepEqual(workloadsOf(await reportOf('1-kustomize')).sort(), [
        'Deployment shop/prod-canary 1 prod-background',
        'Deployment shop/prod-web 6 prod-critical',
        'StatefulSet shop/prod-worker 5 prod-background',
      ]);
      assert.deepEqual(workloadsOf(await reportOf('1-kustomize', '--target', 'dev')).sort(), [
        'Deployment shop-dev/web-dev 1 -',
        'Pod shop-dev/sandbox-dev 1 -',
        'StatefulSet shop-dev/worker-dev 2 background-dev',
      ]);
    });

    it('fails where a kustomization needs a sandbox that there is not, as a change could hide behind it', async () => {
      const alone = join(folder, 'reads-outside');
      mkdirSync(join(alone, 'overlay'), { recursive: true });
      const pod = 'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: c, image: i }] }\n';
      writeFileSync(join(alone, 'pod.yaml'), pod);
      writeFileSync(join(alone, 'overlay/kustomization.yaml'), 'resources: [../pod.yaml]\n');
      const outside = { ...env(), PODIUM_TEST_WITHOUT_SANDBOX: '1' };
      const { code, stdout } = await podium(['check', 'reads-outside'], { cwd: folder, env: outside });
      assert.equal(code, 1, stdout);
      assert.match(stdout, /^Not checked: 1 source is not rendered: overlay\. It reads files outside its folder/);
      assert.equal((await run('check', 'reads-outside')).code, 0);
    });

    it('says in the headline, the table and JSON what it could not see', async () => {
      const report = await reportOf('4-flux');
      assert.match(report.answer.headline, /; 1 HelmRelease is not rendered\.$/);
      assert.deepEqual(
        report.unseen.map(({ kind, name, why, count }) => ({ kind, name, why, count })),
        [
          {
            kind: 'source',
            name: 'HelmRelease shop-prod/far-away',
            why: 'the chart postgresql of HelmRepository/far is not in the workspace',
            count: 1,
          },
        ],
      );
      assert.match(
        (await run('simulate', '4-flux')).stdout,
        /! 1 source is not rendered: HelmRelease shop-prod\/far-away/,
      );
    });

    it('[SCA-2] warns at its line of a patch, an image and a value that hit nothing', async () => {
      const write = (path: string, text: string): void => {
        const file = join(folder, 'idle', path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      };
      write('base/d.yaml', deployment('web', '1'));
      write('base/kustomization.yaml', 'resources: [d.yaml]\n');
      const patch = (name: string): string =>
        `  - target: { kind: Deployment, name: ${name} }\n    patch: "- { op: replace, path: /spec/replicas, value: 5 }"\n`;
      write(
        'prod/kustomization.yaml',
        `resources: [../base]\nnamePrefix: prod-\npatches:\n${patch('wbe')}${patch('web')}images: [{ name: ngnix, newTag: "2" }, { name: nginx, newTag: "2" }]\n`,
      );
      write('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 1.0.0\n');
      write(
        'chart/values.yaml',
        'replicas: 1\nspare: 2\npriorityClasName: high\nimages: [a]\ntolerations: [{ key: a }]\naffinity: {}\npod: { lables: {} }\n',
      );
      write('chart/values-prod.yaml', 'replicas: 2\nspare: 3\nreplicaCount: 4\n');
      write(
        'chart/templates/d.yaml',
        deployment(
          'app',
          '{{ .Values.replicas }} # {{ hasKey .Values.pod "labels" }} {{ .Values.priorityClassName }} {{ .Values.image }}',
        ),
      );
      const { stdout } = await run('check', 'idle');
      const lines = stdout.split('\n').filter((line) => line.includes('[entry-has-no-effect]'));
      assert.deepEqual(
        lines.map((line) =>
          line.replace(/^(\S+?:\d+):.*?(?: the value (\S+)\. \[|did you mean (\S+)\?).*$/, '$1 $2$3'),
        ),
        [
          'idle/chart/values-prod.yaml:3 replicas',
          'idle/chart/values.yaml:3 priorityClassName',
          'idle/chart/values.yaml:4 image',
          'idle/chart/values.yaml:5 tolerations',
          'idle/chart/values.yaml:7 pod.labels',
          'idle/prod/kustomization.yaml:4 web',
          'idle/prod/kustomization.yaml:8 nginx',
        ],
        stdout,
      );
    });

    it('[SCA-2] warns of what hits nothing in a base, and in what Flux applies (#36)', async () => {
      const write = (path: string, text: string): void => {
        const file = join(folder, 'idle-bases', path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      };
      const patch = (name: string, replaced = '{ op: replace, path: /spec/replicas, value: 5 }'): string =>
        `  - target: { kind: Deployment, name: ${name} }\n    patch: "- ${replaced}"\n`;
      write('base/d.yaml', deployment('web', '1'));
      write('base/gone.yaml', deployment('gone', '1'));
      write(
        'base/kustomization.yaml',
        `resources: [d.yaml, gone.yaml]\npatches:\n${patch('gone')}${patch('wbe')}images: [{ name: nginx, newName: caddy }, { name: ngnix, newTag: "2" }]\n`,
      );
      const gone = '{$patch: delete, apiVersion: apps/v1, kind: Deployment, metadata: {name: gone}}';
      write(
        'prod/kustomization.yaml',
        `resources: [../base]\npatches:\n${patch('web', '{ op: replace, path: /metadata/name, value: api }')}  - patch: "${gone}"\nimages: [{ name: caddy, newName: httpd }]\n`,
      );
      write(
        'flux.yaml',
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec: {path: ./apps, sourceRef: {kind: GitRepository, name: flux-system}}\n',
      );
      write('apps/mail/d.yaml', deployment('mailer', '1'));
      write('apps/mail/p.yaml', '- { op: add, path: /spec/template/spec/priorityClassName, value: absent }\n');
      write(
        'apps/mail/kustomization.yaml',
        `resources: [d.yaml]\npatches:\n${patch('mail')}  - { path: p.yaml, target: { kind: Deployment } }\nimages: [{ name: ngnix, newName: nginx, newTag: "2" }]\n`,
      );
      const { stdout } = await run('check', 'idle-bases');
      assert.deepEqual(
        stdout.match(/^idle-bases\S+?:\d+(?=:.*\[(?:entry-has-no-effect|unknown-priority-class)\])/gm),
        [
          'apps/mail/kustomization.yaml:3',
          'apps/mail/kustomization.yaml:6',
          'apps/mail/p.yaml:1',
          'base/kustomization.yaml:5',
          'base/kustomization.yaml:7',
        ].map((place) => `idle-bases/${place}`),
        stdout,
      );
    });

    it('[SCA-2] marks the patch and the entry of replicas that kustomize refuses as they find nothing, and says so in words', async () => {
      const write = (path: string, text: string): void => {
        mkdirSync(join(folder, 'missed'), { recursive: true });
        writeFileSync(join(folder, 'missed', path), text);
      };
      const patch = (name: string): string =>
        `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: ${name} }, spec: { replicas: 5 } }`;
      const linesOf = async (text: string): Promise<readonly string[]> => {
        write('kustomization.yaml', `resources: [d.yaml]\n${text}`);
        const { stdout } = await run('check', 'missed');
        return stdout.match(/kustomization\.yaml:\d+:.*Not rendered: .*; kustomize says/g)?.map(shortly) ?? [];
      };
      const shortly = (line: string): string => line.replace(/:\d+: warning: Not rendered|; kustomize says/g, '');
      const miss = 'which is not among the resources (did you mean web?)';
      write('d.yaml', deployment('web', '1'));
      write('p.yaml', `${patch('web')}\n---\n${patch('wbe')}\n`);
      assert.deepEqual(await linesOf(`patches:\n  - patch: '${patch('web')}'\n  - patch: '${patch('wbe')}'\n`), [
        `kustomization.yaml:4: this patch is for Deployment wbe, ${miss}`,
      ]);
      assert.deepEqual(await linesOf('patches:\n  - path: p.yaml\n'), [
        `kustomization.yaml:3: this patch is for Deployment wbe, ${miss}`,
      ]);
      assert.deepEqual(await linesOf('patchesStrategicMerge:\n  - p.yaml\n'), [
        `kustomization.yaml:3: this patch is for Deployment wbe, ${miss}`,
      ]);
      assert.deepEqual(await linesOf('replicas:\n  - { name: web, count: 2 }\n  - { name: wbe, count: 2 }\n'), [
        `kustomization.yaml:4: this entry of replicas is for wbe, ${miss}`,
      ]);
      const operations = 'patches:\n  - patch: "- { op: replace, path: /spec/replicas, value: 3 }"\n';
      assert.deepEqual(await linesOf(operations), [
        'kustomization.yaml:3: this patch is a list of operations and has no `target` that says what it changes',
      ]);
    });

    it('[SCA-2] takes no patch for idle where another one renames its target', async () => {
      const write = (path: string, text: string): void => {
        mkdirSync(join(folder, 'renamed'), { recursive: true });
        writeFileSync(join(folder, 'renamed', path), text);
      };
      write('cm.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n');
      const patch = (path: string): string =>
        `  - target: { kind: ConfigMap, name: wbe }\n    patch: "- { op: replace, path: ${path}, value: api }"\n`;
      const idle = async (...paths: readonly string[]): Promise<number> => {
        write('kustomization.yaml', `resources: [cm.yaml]\npatches:\n${paths.map(patch).join('')}`);
        return (await run('check', 'renamed')).stdout.split('[entry-has-no-effect]').length - 1;
      };
      assert.equal(await idle('/data'), 1);
      assert.equal(await idle('/metadata/name', '/data'), 0);
    });

    it('counts every source where nothing may be rendered, and simulates no patch and no template', async () => {
      const plain = await reportOf('1-kustomize', '--no-render');
      assert.deepEqual(
        plain.unseen.map(({ name }) => name),
        ['overlays/prod'],
      );
      assert.deepEqual(
        workloadsOf(plain)
          .map((text) => text.split(' ')[1])
          .sort(),
        ['default/canary', 'default/web', 'default/worker'],
      );
      const { code, stdout } = await run('simulate', '3-helm', '--no-render');
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^No pods run, and none are new; 3 sources are not rendered\.\n! 3 sources are not rendered: chart -f values-prod\.yaml, missing-dep and umbrella-new-kube\. Nothing\nis rendered \(--no-render\)\.\n/,
      );
      const fit = await run('fit', 'web', '3-helm', '--no-render');
      assert.equal(fit.code, 2);
      assert.match(fit.stderr, /^podium: not seen: 3 sources are not rendered: chart /m);
    });

    it('judges every target, and shows a finding where it is mended, once, with the sources that show it', async () => {
      const patch = join(folder, '1-kustomize/overlays/prod/web-prod.yaml');
      writeFileSync(patch, readFileSync(patch, 'utf8').replace('cpu: 500m', 'cpu: lots'));
      const base = join(folder, '1-kustomize/base/worker.yaml');
      writeFileSync(
        base,
        readFileSync(base, 'utf8').replace(
          'serviceName: worker',
          'serviceName: worker\n  updateStrategy: {type: Sometimes}',
        ),
      );
      const { code, stdout } = await run('check', '1-kustomize');
      assert.equal(code, 1);
      assert.match(stdout, /overlays\/prod\/web-prod\.yaml:13:\d+: error: .*\(in overlays\/prod\)/);
      assert.match(stdout, /base\/worker\.yaml:8:\d+: error: .*Sometimes.*\(in overlays\/dev and overlays\/prod\)/);
      assert.equal(stdout.match(/Sometimes/g)?.length, 1);
      assert.match(stdout, /\nTargets: dev and prod\.\nRan \S+\/kubectl\.\n$/);
    });

    it('advises once on what several targets apply, whose neighbours differ (#36)', async () => {
      const pod = (name: string, spec: object): string =>
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name, labels: { app: name } },
          spec: { containers: [{ name, image: `${name}:1` }], ...spec },
        });
      const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'server' } } };
      const near = { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
      for (const [path, text] of Object.entries({
        'base/kustomization.yaml': 'resources: [server.yaml]\n',
        'base/server.yaml': pod('server', {}),
        'dev/kustomization.yaml': 'namespace: one\nresources: [../base]\n',
        'prod/kustomization.yaml': 'namespace: two\nresources: [../base]\n',
        'client/kustomization.yaml': 'namespace: three\nresources: [client.yaml]\n',
        'client/client.yaml': pod('client', near),
      })) {
        mkdirSync(dirname(join(folder, 'advice', path)), { recursive: true });
        writeFileSync(join(folder, 'advice', path), text);
      }
      const { stdout } = await run('check', 'advice');
      assert.match(stdout, /those of namespace one only count/);
      assert.match(stdout, /\n1 information in 1 of 6 files\.\n[^]*\nTargets: dev and prod\.\n/);
    });

    it('shows what comes from the values of a chart in those', async () => {
      const values = join(folder, '5-argo/charts/cart/values-eu.yaml');
      writeFileSync(values, 'replicas: 2\ncpu: a-lot\n');
      const { stdout } = await run('check', '5-argo');
      assert.match(
        stdout,
        /charts\/cart\/values-eu\.yaml:2:6: error: .*quantities must match.*\(in Application cart\)/,
      );
    });

    it('never runs what a kustomization names', async () => {
      await run('check', '2-remote');
      assert.throws(() => readFileSync(join(folder, '2-remote/plugin/EXECUTED')), { code: 'ENOENT' });
    });

    it('gives objects without a name each their own', async () => {
      const report = await reportOf('7-generate-name');
      assert.deepEqual(report.workloads.map(({ name }) => name).sort(), [
        'probe-bbbbb',
        'train-bbbbb',
        'train-bbbbc',
        'train-bbbbd',
      ]);
      // Whoever makes pods has a name, which their owner references say.
      assert.doesNotMatch(JSON.stringify(report.steps), /is invalid/);
    });

    it('renders what overlays make of one HelmRelease for each of them, and counts it where it cannot', async () => {
      const release = (name: string, chart: string): string =>
        `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: ${name}, namespace: shop }\nspec:\n  interval: 5m\n${chart}`;
      const files: Record<string, string> = {
        'base/kustomization.yaml': 'resources: [tiny.yaml, far.yaml, oci.yaml]\n',
        'base/tiny.yaml': release(
          'tiny',
          '  chart: { spec: { chart: ./charts/tiny, sourceRef: { kind: GitRepository, name: fleet } } }\n  values: { replicas: 1 }\n',
        ),
        'base/far.yaml': release(
          'far',
          '  chart: { spec: { chart: far, sourceRef: { kind: HelmRepository, name: hub } } }\n',
        ),
        'base/oci.yaml': release('oci', '  chartRef: { kind: OCIRepository, name: oci }\n'),
      };
      for (const [overlay, replicas] of [
        ['production', 3],
        ['staging', 2],
      ] as const) {
        files[`overlays/${overlay}/kustomization.yaml`] =
          `resources: [../../base]\npatches:\n  - target: { kind: HelmRelease, name: tiny }\n    patch: |-\n      - { op: replace, path: /spec/values/replicas, value: ${replicas} }\n`;
      }
      const home = join(folder, 'overlaid');
      cpSync('test/fixtures/sources/4-flux/charts', join(home, 'charts'), { recursive: true });
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), text);
      }
      for (const [target, replicas] of [
        ['production', 3],
        ['staging', 2],
      ] as const) {
        const report = await reportOf('overlaid', '--target', target);
        assert.deepEqual(
          report.unseen.map(({ name }) => name).sort(),
          ['HelmRelease shop/far', 'HelmRelease shop/oci'],
          target,
        );
        assert.deepEqual(
          report.workloads.map(({ replicas: wanted }) => wanted),
          [replicas],
          target,
        );
      }
      const { stdout } = await run('simulate', 'overlaid', '--summary');
      assert.match(
        stdout,
        /2 HelmReleases are not rendered\.\n! 2 sources are not rendered: HelmRelease shop\/\w+ and HelmRelease shop\/\w+\. Their charts are not in the workspace\.\n/,
      );
    });
  });
}

const deployment = (name: string, replicas: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${name} }\nspec:\n  replicas: ${replicas}\n  selector: { matchLabels: { app: a } }\n  template:\n    metadata: { labels: { app: a } }\n    spec: { containers: [{ name: c, image: "nginx:1" }] }\n`;

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Report } from '../../../server/src/report-model/report.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { temporaryTree } from '../sources/temporary-tree.ts';
import { podium } from './run-podium.ts';

const node =
  'apiVersion: v1\nkind: Node\nmetadata: { name: node-a }\nstatus: { allocatable: { cpu: "8", memory: 8Gi, pods: "20" } }\n';

interface Written {
  readonly annotations: string;
  readonly image: string;
  /** Of what may not be changed. */
  readonly label: string;
}

const job = ({ annotations, image }: Written): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: { name: migrate, annotations: { ${annotations} } }\nspec: { template: { spec: { restartPolicy: Never, containers: [{ name: main, image: "${image}", resources: { requests: { cpu: "1" } } }] } } }\n`;

const workload =
  (kind: string, more = '') =>
  ({ annotations, image, label }: Written): string =>
    `apiVersion: apps/v1\nkind: ${kind}\nmetadata: { name: web, annotations: { ${annotations} } }\nspec: { replicas: 2, ${more}selector: { matchLabels: { app: ${label} } }, template: { metadata: { labels: { app: ${label} } }, spec: { containers: [{ name: main, image: "${image}", resources: { requests: { cpu: "1" } } }] } } }\n`;

const priorityClass = ({ annotations, label }: Written): string =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: gold, annotations: { ${annotations} } }\nvalue: ${label === 'web' ? 100 : 200}\n`;

const storageClass = ({ annotations, label }: Written): string =>
  `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: fast, annotations: { ${annotations} } }\nprovisioner: ${label}.csi.example.com\n`;

/** What Argo CD, Helm and Flux delete and create again, where the API server would refuse the change. */
const ways: readonly string[] = [
  'argocd.argoproj.io/hook: PreSync',
  '"helm.sh/hook": "pre-install,pre-upgrade"',
  'argocd.argoproj.io/sync-options: "Force=true,Replace=true"',
  'argocd.argoproj.io/sync-options: "SkipDryRunOnMissingResource=true, Replace=true, Force=true"',
  'kustomize.toolkit.fluxcd.io/force: Enabled',
];

describe('[#33] what a tool of delivery deletes and makes anew, instead of changing it', () => {
  let folder: string;

  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
  };
  const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

  /** What is said of a change, by `simulate` and by `check`. */
  async function edited(of: (written: Written) => string, annotations: string): Promise<[string, string]> {
    const file = join(folder, 'written.yaml');
    await writeFile(file, of({ annotations, image: 'app:1', label: 'web' }));
    git('add', '.');
    git('commit', '--quiet', '--allow-empty', '--message', 'before');
    await writeFile(file, of({ annotations, image: 'app:2', label: 'www' }));
    const simulated = await podium(['simulate', '.', '--since', 'HEAD'], { cwd: folder });
    const checked = await podium(['check', '.', '--since', 'HEAD'], { cwd: folder });
    return [flat(simulated.stdout), checked.stdout];
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-anew-'));
    await writeFile(join(folder, 'node.yaml'), node);
    git('init', '--quiet');
  });

  after(() => rm(folder, { recursive: true, force: true }));

  for (const way of ways) {
    it(`a Job: ${way}`, async () => {
      const [simulated, checked] = await edited(job, way);
      assert.match(simulated, /^Changing the image of migrate: it is deleted and recreated\. /);
      // What a hook has run has ended before.
      assert.ok(simulated.includes(way.includes('hook') ? '0 s migrate is scheduled' : '0 s migrate-1 is scheduled'));
      assert.doesNotMatch(simulated + checked, /REFUSED|server refuses|is immutable/);
    });
  }

  it('a Deployment is down meanwhile', async () => {
    const [simulated, checked] = await edited(workload('Deployment'), ways[4]!);
    assert.match(
      simulated,
      /^Changing 3 fields of \w+ default.web: it is deleted and recreated, and is down meanwhile\./,
    );
    assert.doesNotMatch(simulated + checked, /REFUSED|server refuses|is immutable/);
  });

  it('the pods of a StatefulSet come once the names of the old ones are free', async () => {
    const [simulated, checked] = await edited(
      workload('StatefulSet', 'serviceName: web, podManagementPolicy: Parallel, '),
      ways[4]!,
    );
    assert.match(
      simulated,
      /^Changing 3 fields of \w+ default.web: it is deleted and recreated, and is down meanwhile\./,
    );
    assert.match(simulated, /30 s .*web-0 is scheduled/);
    assert.doesNotMatch(simulated + checked, /REFUSED|server refuses|is immutable/);
  });

  for (const [kind, of] of Object.entries({ PriorityClass: priorityClass, StorageClass: storageClass })) {
    it(`a ${kind} has its new value`, async () => {
      const [simulated, checked] = await edited(of, ways[2]!);
      assert.doesNotMatch(simulated + checked, /REFUSED|server refuses|Forbidden/);
    });
  }

  it('a Job that is a hook has ended before another change, and takes no room beside it', async () => {
    const both = (cpu: string): string => {
      const written = { annotations: 'argocd.argoproj.io/hook: PreSync', image: 'app:1', label: 'web' };
      const web = workload('Deployment')({ ...written, annotations: '' }).replace('cpu: "1"', `cpu: "${cpu}"`);
      return `${job(written)}---\n${web}`;
    };
    // Of 8 cpu the first new pod takes 4 beside the two old ones of 1.8.
    await writeFile(join(folder, 'written.yaml'), both('1800m'));
    git('add', '.');
    git('commit', '--quiet', '--message', 'before');
    await writeFile(join(folder, 'written.yaml'), both('4'));
    const { stdout } = await podium(['simulate', '.', '--since', 'HEAD'], { cwd: folder });
    assert.match(flat(stdout), /^Raising web to 4 cpu: its roll-out stops at 1 of 2/);
    assert.doesNotMatch(stdout, /migrate/);
  });

  it('a Job that is a hook as before runs again with what is delivered beside it, and is told of where it cannot', async () => {
    const files = (cpu: string, hook: string, replicas: number, label = 'web'): string => {
      const written = { annotations: hook, image: 'app:1', label };
      const web = workload('Deployment')({ ...written, annotations: '' }).replace(
        'replicas: 2',
        `replicas: ${replicas}`,
      );
      return `${job(written).replace('cpu: "1"', `cpu: "${cpu}"`)}---\n${web}`;
    };
    const scaled = async (cpu: string, hook: string, others = ''): Promise<string> => {
      await writeFile(join(folder, 'written.yaml'), `${others}${files(cpu, hook, 2)}`);
      git('add', '.');
      git('commit', '--quiet', '--allow-empty', '--message', 'before');
      await writeFile(join(folder, 'written.yaml'), `${others}${files(cpu, hook, 3)}`);
      const { stdout } = await podium(['simulate', '.', '--since', 'HEAD'], { cwd: folder });
      return flat(stdout).split(' After it')[0]!;
    };
    assert.equal(
      await scaled('9', ways[1]!),
      'Scaling web to 3: all 3 pods run; hook migrate must end first, and finds no node: it asks for 9 cpu; the largest node it may use has 8 cpu.',
    );
    assert.match(
      await scaled('9', 'argocd.argoproj.io/hook: PostSync'),
      /; hook migrate runs after it, and finds no node: /,
    );
    assert.equal(await scaled('9', '"helm.sh/hook": post-install'), 'Scaling web to 3: all 3 pods run.');
    assert.equal(await scaled('1', ways[1]!), 'Scaling web to 3: all 3 pods run.');
    const quota =
      'apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: jobs }\nspec: { hard: { pods: "0" }, scopes: [Terminating] }\n---\n';
    const ending = '"helm.sh/hook": pre-upgrade';
    const text = (replicas: number): string =>
      `${quota}${files('1', ending, replicas).replace('spec: { template', 'spec: { activeDeadlineSeconds: 60, template').replace('restartPolicy: Never,', 'restartPolicy: Never, activeDeadlineSeconds: 60,')}`;
    await writeFile(join(folder, 'written.yaml'), text(2));
    git('commit', '--quiet', '--all', '--message', 'before');
    await writeFile(join(folder, 'written.yaml'), text(3));
    const { stdout } = await podium(['simulate', '.', '--since', 'HEAD'], { cwd: folder });
    assert.match(
      flat(stdout),
      /^Scaling web to 3: all 3 pods run; hook migrate must end first, and is refused: exceeded quota: jobs,/,
    );
  });

  it('without such an annotation the API server refuses it', async () => {
    for (const annotations of ['', 'argocd.argoproj.io/sync-options: Replace=true']) {
      const [simulated, checked] = await edited(job, annotations);
      assert.match(simulated, /^The API server refuses the change of migrate/);
      assert.match(checked, /field is immutable/);
    }
  });
});

describeWithTools('[#36] a Kustomization of Flux with force', () => {
  const tree = temporaryTree();
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: tree.root });
  };
  const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };

  async function edited(force: string): Promise<string> {
    const kustomization = `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: apps, namespace: flux-system }\nspec: { path: ./apps, prune: true, ${force}sourceRef: { kind: GitRepository, name: flux-system } }\n`;
    tree.write({
      'node.yaml': node,
      'clusters/apps.yaml': kustomization,
      'apps/job.yaml': job({ annotations: '', image: 'app:1', label: 'web' }),
    });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'before');
    tree.write({ 'apps/job.yaml': job({ annotations: '', image: 'app:2', label: 'web' }) });
    const asked = ['.', '--since', 'HEAD'];
    const simulated = await podium(['simulate', ...asked], { cwd: tree.root, env });
    const checked = await podium(['check', ...asked], { cwd: tree.root, env });
    return simulated.stdout + checked.stdout;
  }

  it('deletes and makes anew what the API server would not change', async () => {
    const answers = await edited('force: true, ');
    assert.match(answers, /^Changing the image of migrate: it is deleted and recreated\./);
    assert.match(answers, /apps\/job\.yaml:4/);
    assert.doesNotMatch(answers, /REFUSED|server refuses|is immutable/);
  });

  it('without it the API server refuses the change', async () => {
    assert.match(await edited(''), /^The API server refuses the change of migrate[^]*field is immutable/);
  });
});

describe('[#36] hooks of what is delivered', () => {
  const run = (name: string, annotations: string): string =>
    `apiVersion: batch/v1\nkind: Job\nmetadata: { name: ${name}, annotations: { ${annotations} } }\nspec: { template: { spec: { restartPolicy: Never, containers: [{ name: main, image: app, resources: { requests: { cpu: "1" } } }] } } }\n`;

  it('run in a simulation when they run at an install, an upgrade or a sync, and not at a deletion or a failure', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podium-hooks-'));
    try {
      const jobs = [
        run('migrate', 'helm.sh/hook: "pre-install, pre-upgrade"'),
        run('restore', 'helm.sh/hook: "post-upgrade,post-rollback"'),
        run('notify', 'argocd.argoproj.io/hook: PostSync, helm.sh/hook: pre-delete'),
        run('clean-up', 'helm.sh/hook: "pre-delete,post-delete"'),
        run('connect', 'helm.sh/hook: test'),
        run('alert', 'argocd.argoproj.io/hook: SyncFail'),
        run('goodbye', 'argocd.argoproj.io/hook: PostDelete'),
      ];
      await writeFile(join(folder, 'node.yaml'), node);
      await writeFile(join(folder, 'jobs.yaml'), jobs.join('---\n'));
      const { stdout } = await podium(['simulate', '.', '--format', 'json'], { cwd: folder });
      const { workloads } = JSON.parse(stdout) as Report;
      assert.deepEqual(workloads.map(({ name }) => name).sort(), ['migrate', 'notify', 'restore']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

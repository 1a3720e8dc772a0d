/** What the real kubectl reads of a text, in its two ways: to apply it, and in a kustomization that lists it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ToolRelease, toolFolder } from './kubernetes-tools.ts';

const run = promisify(execFile);

/** What it printed, or its error. */
export type KubectlAnswer = { readonly text: string } | { readonly error: string };

/** `kubectl label --local` reads as `kubectl apply` does and asks no cluster; the label is `read: here`. */
export function readToApply(text: string, release: ToolRelease): Promise<KubectlAnswer> {
  return withFiles([text], release, ([file = '']) => ['label', '--local', '-f', file, 'read=here', '-o', 'json']);
}

/** The objects of `kubectl kustomize` of a kustomization that lists the texts and nothing else. */
export function readToKustomize(texts: readonly string[], release: ToolRelease): Promise<KubectlAnswer> {
  return withFiles(texts, release, (_, folder) => ['kustomize', folder]);
}

async function withFiles(
  texts: readonly string[],
  release: ToolRelease,
  argumentsFor: (files: readonly string[], folder: string) => string[],
): Promise<KubectlAnswer> {
  const folder = mkdtempSync(join(tmpdir(), 'podium-kubectl-'));
  const names = texts.map((_, index) => `file-${index}.yaml`);
  const files = names.map((name) => join(folder, name));
  for (const [index, text] of texts.entries()) writeFileSync(files[index]!, text);
  writeFileSync(join(folder, 'kustomization.yaml'), `resources: [${names.join(', ')}]\n`);
  const env = { HOME: folder, KUBERC: 'off', KUBECONFIG: '/nonexistent', PATH: '' };
  try {
    const options = { env, maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' } as const;
    const { stdout } = await run(join(toolFolder(release), 'kubectl'), argumentsFor(files, folder), options);
    return { text: stdout };
  } catch (error) {
    return { error: (error as { stderr?: string }).stderr ?? String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { toolFolder } from '../../support/kubernetes-tools.ts';
import { temporaryTree } from '../sources/temporary-tree.ts';
import { podium } from './run-podium.ts';

/** A folder of a test's own, and `podium` run there with kubectl and helm. */
export function keptRepository(): {
  readonly tree: ReturnType<typeof temporaryTree>;
  readonly run: (...args: string[]) => Promise<string>;
} {
  const tree = temporaryTree();
  const run = async (...args: string[]): Promise<string> => {
    const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
    const { stdout } = await podium(args, { cwd: tree.root, env });
    return stdout;
  };
  return { tree, run };
}

export const deployment = (name: string, image = 'nginx'): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: ${name}, image: ${image} }] }
`;

/** A namespace whose name the API server refuses. */
export const refused = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: Not_A_Name }\n';

export const chart = (name: string, more = ''): string => `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;

import { posix } from 'node:path';
import { asList, asMap, asText } from '../../manifests/read-data.ts';
import type { DiscoveryContext } from './delivery.ts';

/**
 * The folder of the repository that a path of an artifact comes from, where an ArtifactGenerator of Flux copies it there
 * as it is; null where none does. Source: fluxcd/source-watcher, api/v1beta1/artifactgenerator_types.go (CopyOperation)
 */
export async function folderOfArtifact(name: string, path: string, context: DiscoveryContext): Promise<string | null> {
  const wanted = posix.normalize(`${path}/`);
  for (const generator of context.artifactGenerators()) {
    for (const artifact of asList(generator['artifacts']).map(asMap)) {
      if (asText(artifact['name']) !== name) continue;
      const copies = asList(artifact['copy']).map(asMap);
      for (const { from, to } of copies) {
        const source = /^@[^/]+\/(.*)$/.exec(asText(from))?.[1];
        const target = /^@artifact(?:\/(.*))?$/.exec(asText(to));
        if (source === undefined || target === null) continue;
        // `/**` copies what is in a folder; without it the folder itself is copied.
        const isContent = source === '**' || source.endsWith('/**');
        const folder = source.replace(/\/?\*\*$/, '') || '.';
        const into = posix.normalize(
          `${target[1] ?? ''}/${isContent ? '' : posix.basename(folder)}/`.replace(/^\/+/, './'),
        );
        const inner = posix.relative(into, wanted);
        // Of a folder that has nothing but the one that is copied Flux takes that one.
        const isAbove = inner.startsWith('..') && copies.length === 1 && into.startsWith(wanted);
        if (inner.startsWith('..') && !isAbove) continue;
        const found = await context.folderOfPacked(isAbove ? folder : posix.join(folder, inner));
        if (found !== null) return found;
      }
    }
  }
  return null;
}

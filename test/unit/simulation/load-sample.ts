import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { decodeObject } from '../../../server/src/kubernetes/decode/index.ts';
import type { Declared } from '../../../server/src/kubernetes/objects.ts';
import { parseManifestFile } from '../../../server/src/manifests/parse-manifest-file.ts';
import type { SimulationInput } from '../../../server/src/simulation/index.ts';

const sampleFolder = fileURLToPath(new URL('../../../samples/online-shop/', import.meta.url));

/** The objects of samples/online-shop. Each knows its file, and the place 0:0 in it. */
export function loadSample(): SimulationInput {
  const files = (readdirSync(sampleFolder, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  const start = { line: 0, character: 0 };
  const workspace = files.flatMap((file): Declared[] => {
    const uri = pathToFileURL(join(sampleFolder, file)).href;
    const { documents } = parseManifestFile(uri, readFileSync(join(sampleFolder, file), 'utf8'));
    return documents.flatMap(({ document }) =>
      document.objects.map(({ value }) => ({
        object: decodeObject(value).object,
        origin: { uri, range: { start, end: start } },
      })),
    );
  });
  return { workspace, snapshot: [] };
}

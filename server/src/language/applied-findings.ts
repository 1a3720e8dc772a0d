import { rulesByCode } from './rules/registry.ts';
import type { Diagnostic } from 'vscode-languageserver';
import type { PlacedDiagnostic } from './file-diagnostics.ts';
import type { Unseen } from '../kubernetes/unseen.ts';
import type { World } from '../sources/world.ts';

/** Rules that rest on something not being there. */
const restOnAbsence: ReadonlySet<string> = new Set([
  'budget-selects-nothing',
  'no-node-matches',
  'unknown-node',
  'unknown-priority-class',
]);

/** Whether a rule judges objects; the others judge text, whatever that is part of. */
export function ofObjects(code: string): boolean {
  return rulesByCode.get(code)?.scope === 'object';
}

/**
 * Which findings say more than is known. What is not seen may provide what a rule misses; and where a kustomization
 * that changes its resources was not rendered, what they say is not what is applied, and only their text is judged.
 */
export function quietRules(world: World, unseen: Iterable<Unseen>): (uri: string, code: string) => boolean {
  const mayProvide = [...unseen].some(({ kind }) => kind === 'source' || kind === 'operator');
  return (uri, code) => {
    if (mayProvide && restOnAbsence.has(code)) return true;
    const owner = world.unrendered.get(uri);
    return owner !== undefined && !owner.source.isPlain && ofObjects(code);
  };
}

/** The sources that show a finding: `in overlays/prod and overlays/staging`. */
function sourcesText(sources: readonly string[]): string {
  const names = [...sources].sort();
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return `in ${shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)!}`}`;
}

interface Found {
  readonly uri: string;
  readonly diagnostic: Diagnostic;
}

/** Findings at the places where they are mended, each once, with the sources that show it. */
export class PlacedFindings {
  readonly #found = new Map<string, Found & { readonly sources: Set<string> }>();

  add({ uri, diagnostic, source }: PlacedDiagnostic): void {
    const { range, code, message } = diagnostic;
    const key = JSON.stringify([uri, range, code, message]);
    let known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, (known = { uri, diagnostic, sources: new Set() }));
    if (source !== '') known.sources.add(source);
  }

  all(): Found[] {
    return [...this.#found.values()].map(({ uri, diagnostic, sources }) => {
      if (sources.size === 0 || typeof diagnostic.message !== 'string') return { uri, diagnostic };
      const message = `${diagnostic.message} (${sourcesText([...sources])})`;
      return { uri, diagnostic: { ...diagnostic, message } };
    });
  }
}

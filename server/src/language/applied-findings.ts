import { rulesByCode } from './rules/registry.ts';
import type { Unseen } from '../kubernetes/unseen.ts';
import type { World } from '../sources/world.ts';

/** Rules that rest on something not being there. */
const restOnAbsence: ReadonlySet<string> = new Set([
  'budget-selects-nothing',
  'no-node-matches',
  'unknown-node',
  'unknown-priority-class',
]);

/**
 * Which findings say more than is known. What is not seen may provide what a rule misses; and where a kustomization
 * that changes its resources was not rendered, what they say is not what is applied, and only their text is judged.
 */
export function quietRules(world: World, unseen: Iterable<Unseen>): (uri: string, code: string) => boolean {
  const mayProvide = [...unseen].some(({ kind }) => kind === 'source' || kind === 'operator');
  return (uri, code) => {
    if (mayProvide && restOnAbsence.has(code)) return true;
    const owner = world.unrendered.get(uri);
    return owner !== undefined && !owner.source.isPlain && rulesByCode.get(code)?.scope === 'object';
  };
}

/** The sources that show a finding: `in overlays/prod and overlays/staging`. */
export function sourcesText(sources: readonly string[]): string {
  const names = [...sources].sort();
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return `in ${shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)!}`}`;
}

import { compileRequirements, type CompiledSelector, type LabelRequirement } from './labels.ts';

/** One requirement of a selector as it is written on a command line. */
const set = /^([^\s=!<>,()]+)\s+(in|notin)\s*\(([^()]*)\)$/;
const equality = /^([^\s=!<>,()]+)\s*(==|=|!=)\s*([^\s=!<>,()]*)$/;
const existence = /^(!?)\s*([^\s=!<>,()]+)$/;

/**
 * A label selector as command lines take it (`app=web,tier in (a,b),!old`); an empty one matches everything. Null when it
 * is none. `<` and `>` are left out: node affinity alone knows them.
 * Source: labels.Parse in staging/src/k8s.io/apimachinery/pkg/labels/selector.go
 */
export function parseSelector(text: string): CompiledSelector | null {
  if (text.trim() === '') return compileRequirements([]);
  const requirements = split(text).map(readRequirement);
  if (!requirements.every((each) => each !== null)) return null;
  const selector = compileRequirements(requirements);
  return selector.invalid === undefined ? selector : null;
}

/** At the commas that stand outside of parentheses. */
function split(text: string): readonly string[] {
  return text.split(/,(?![^()]*\))/).map((part) => part.trim());
}

function readRequirement(text: string): LabelRequirement | null {
  const ofSet = set.exec(text);
  if (ofSet !== null) {
    const values = ofSet[3]!.split(',').map((value) => value.trim());
    return { key: ofSet[1]!, operator: ofSet[2] === 'in' ? 'In' : 'NotIn', values };
  }
  const ofValue = equality.exec(text);
  if (ofValue !== null) {
    return { key: ofValue[1]!, operator: ofValue[2] === '!=' ? 'NotIn' : 'In', values: [ofValue[3]!] };
  }
  const ofKey = existence.exec(text);
  if (ofKey === null) return null;
  return { key: ofKey[2]!, operator: ofKey[1] === '!' ? 'DoesNotExist' : 'Exists', values: [] };
}

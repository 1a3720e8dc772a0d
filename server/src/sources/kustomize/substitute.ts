import { presetIn, replacePlaceholders } from '../../manifests/substitute.ts';

/**
 * Replaces `${name}` in a YAML text as Flux does after the build. What has no value becomes empty, `${name:=text}` and
 * `${name:-text}` give a text for that case, and `$${name}` stays `${name}`.
 * Sources: fluxcd/pkg kustomize/kustomize_varsub.go (varSubRegex), fluxcd/pkg/envsubst (eval.go, funcs.go)
 *
 * @param areAll false where others may have a value that nobody knows here: those stay as they are written
 */
export function substitute(text: string, values: ReadonlyMap<string, string>, areAll = true): string {
  if (values.size === 0) return text;
  return replacePlaceholders(text, (name, operation, written) => {
    const isKnown = areAll || values.has(name) || presetIn(operation) !== undefined;
    return isKnown ? evaluated(values.get(name) ?? '', operation) : written;
  });
}

function evaluated(value: string, operation: string): string {
  const preset = presetIn(operation);
  if (preset !== undefined) return value === '' ? preset : value;
  const part = /^:(\d+)(?::(\d+))?$/.exec(operation);
  if (part !== null) {
    const from = Number(part[1]);
    return part[2] === undefined ? value.slice(from) : value.slice(from, from + Number(part[2]));
  }
  const swap = /^(\/\/?)([^/]*)\/([^]*)$/.exec(operation);
  if (swap !== null) {
    return swap[1] === '//' ? value.replaceAll(swap[2]!, swap[3]!) : value.replace(swap[2]!, () => swap[3]!);
  }
  switch (operation) {
    case '^^':
      return value.toUpperCase();
    case ',,':
      return value.toLowerCase();
    case '^':
      return value.charAt(0).toUpperCase() + value.slice(1);
    case ',':
      return value.charAt(0).toLowerCase() + value.slice(1);
    default:
      return value;
  }
}

/**
 * Replaces `${name}` in a YAML text as Flux does after the build. What has no value becomes empty, `${name:=text}` and
 * `${name:-text}` give a text for that case, and `$${name}` stays `${name}`.
 * Sources: fluxcd/pkg kustomize/kustomize_varsub.go (varSubRegex), fluxcd/pkg/envsubst (eval.go, funcs.go)
 *
 * @param areAll false where others may have a value that nobody knows here: those stay as they are written
 */
export function substitute(text: string, values: ReadonlyMap<string, string>, areAll = true): string {
  if (values.size === 0) return text;
  return replaced(text, (name, operation, written) => {
    const isKnown = areAll || values.has(name) || preset.test(operation);
    return isKnown ? evaluated(values.get(name) ?? '', operation) : written;
  });
}

/** The same where no values are known: what gives a text for that case has it, and the rest stays as it is written. */
export function substituteDefaults(text: string): string {
  return replaced(text, (_, operation, written) => (preset.test(operation) ? evaluated('', operation) : written));
}

function replaced(text: string, replace: (name: string, operation: string, written: string) => string): string {
  let result = '';
  let done = 0;
  let end = -1;
  for (let start = text.indexOf('${'); start !== -1; start = text.indexOf('${', Math.max(start + 2, done))) {
    if (end < start) end = text.indexOf('}', start);
    if (end === -1) break;
    const isNamed = /[A-Za-z_]/.test(text[start + 2]!);
    if (!isNamed && end > start + 2) continue;
    const isEscaped = start > done && text[start - 1] === '$';
    result += text.slice(done, isEscaped ? start - 1 : start);
    done = end + 1;
    const written = text.slice(start, done);
    if (isEscaped || !isNamed) {
      result += written;
    } else {
      const name = /^\w+/.exec(written.slice(2))![0];
      result += replace(name, written.slice(2 + name.length, -1), written);
    }
  }
  return result + text.slice(done);
}

const preset = /^(?::?=|:?-)([^]*)$/;

function evaluated(value: string, operation: string): string {
  const given = preset.exec(operation);
  if (given !== null) return value === '' ? (given[1] ?? '') : value;
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

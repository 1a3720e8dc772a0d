/** Names are as long in Kubernetes. */
const longest = 253;

/** Names and messages come from anybody: characters that move or hide others are shown as what they are. */
export function asText(text: string, atMost = longest): string {
  const cut = text.length > atMost ? `${text.slice(0, atMost)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

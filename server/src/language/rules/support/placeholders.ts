/** A variable of some templating tool: nobody knows what it will be. */
export function isPlaceholder(text: string): boolean {
  return /[$%@{}<>]|^_+[A-Z0-9_]+_+$/.test(text);
}

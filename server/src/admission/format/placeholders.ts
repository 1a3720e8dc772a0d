/** A variable of some templating tool: nobody knows what it will be. */
export function isPlaceholder(text: string): boolean {
  return /[$%@{}<>]|^_[A-Z0-9_]+_$/.test(text);
}

const variable = /\$\{[^${}]*\}|\$[A-Z_]|<[^<>]+>|\{\{|^_[A-Z0-9_]+_$|^@[^@]+@$|^%[^%]+%$/;

/** Whether a text surely names such a variable, where a single sign of one may as well be a mistake. */
export function holdsVariable(text: string): boolean {
  return variable.test(text);
}

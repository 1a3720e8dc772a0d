/* global window, document */
/*
 * Runs in the page before its script, in the place of VS Code: gives it the webview API, the colours of a theme, and
 * reports violations of the policy. A file of its own, because it must not be compiled.
 */
window.acquireVsCodeApi = () => ({
  postMessage: (message) => void window.podiumPost(message),
  getState: () => window.podiumSetup.state,
  setState: (state) => void window.podiumKeep(state),
});
document.addEventListener('securitypolicyviolation', (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
});
document.addEventListener('DOMContentLoaded', () => {
  const { variables, bodyClass } = window.podiumSetup;
  document.body.className = bodyClass;
  for (const [name, value] of Object.entries(variables)) {
    document.documentElement.style.setProperty(`--vscode-${name}`, value);
  }
});

import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Podium and other tools","description":"","frontmatter":{},"headers":[],"relativePath":"comparison.md","filePath":"comparison.md"}');
const _sfc_main = { name: "comparison.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="podium-and-other-tools" tabindex="-1">Podium and other tools <a class="header-anchor" href="#podium-and-other-tools" aria-label="Permalink to &quot;Podium and other tools&quot;">​</a></h1><p>They answer different questions; most teams use several.</p><table tabindex="0"><thead><tr><th>tool</th><th>question it answers</th><th>needs a cluster</th><th>evictions and preemption</th><th>budgets</th></tr></thead><tbody><tr><td><strong>Podium</strong></td><td>Which pods fit, preempt others or stay pending if I deploy this? What would a drain do?</td><td>no; a snapshot makes answers exact</td><td>yes, as kube-scheduler decides</td><td>yes</td></tr><tr><td><code>kubectl describe pod</code></td><td>Why is this pod pending now?</td><td>yes</td><td>shows the last message only, after the fact</td><td>no</td></tr><tr><td><code>kubectl apply --dry-run=server</code></td><td>Would this API server accept the object?</td><td>yes</td><td>no</td><td>no</td></tr><tr><td>kubeconform, kubeval</td><td>Does the YAML match the schema?</td><td>no</td><td>no</td><td>no</td></tr><tr><td>kube-linter, kube-score, Polaris</td><td>Does the manifest follow good practice?</td><td>no</td><td>no</td><td>checks that one exists</td></tr><tr><td>cluster-capacity</td><td>How many more copies of a pod fit in the cluster?</td><td>yes</td><td>no</td><td>no</td></tr><tr><td>kube-scheduler-simulator</td><td>What does a scheduler with my configuration and plugins decide?</td><td>runs its own API server and scheduler</td><td>yes</td><td>yes</td></tr><tr><td>KWOK</td><td>How does a control plane behave with thousands of fake nodes?</td><td>runs its own control plane</td><td>yes, by the real scheduler</td><td>yes, by the real controllers</td></tr></tbody></table><p>When to use something else:</p><ul><li><strong>Custom scheduler plugins or extenders</strong>: Podium does not model them; use kube-scheduler-simulator or KWOK.</li><li><strong>Schemas of custom kinds</strong>: kubeconform, or the YAML language server. Podium reads the kinds that scheduling depends on.</li><li><strong>Security and style policies</strong>: kube-linter, Kyverno, Gatekeeper. Podium&#39;s rules concern acceptance and scheduling.</li><li><strong>What happened in the past</strong>: <code>kubectl describe</code>, events and metrics. Podium works from manifests and snapshots, not from history.</li></ul><p><code>podium fit</code> answers cluster-capacity&#39;s question from files, with and without evictions, and names what stops the next replica. <a href="./known-differences">Known differences</a> lists where Podium says less than Kubernetes.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("comparison.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const comparison = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  comparison as default
};

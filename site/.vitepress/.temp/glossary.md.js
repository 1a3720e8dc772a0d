import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Glossary","description":"","frontmatter":{},"headers":[],"relativePath":"glossary.md","filePath":"glossary.md"}');
const _sfc_main = { name: "glossary.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="glossary" tabindex="-1">Glossary <a class="header-anchor" href="#glossary" aria-label="Permalink to &quot;Glossary&quot;">​</a></h1><table tabindex="0"><thead><tr><th>term</th><th>meaning</th></tr></thead><tbody><tr><td><strong>Assumed node</strong></td><td>A node that Podium invents because no file and no snapshot has one. Results that depend on it carry <code>?</code>.</td></tr><tr><td><strong>Baseline</strong></td><td>A file with the problems that a repository has today; only others fail a check.</td></tr><tr><td><strong>Budget</strong></td><td>A PodDisruptionBudget. It limits evictions through the API (<code>kubectl drain</code>, autoscalers), not preemption.</td></tr><tr><td><strong>Eviction</strong></td><td>The removal of a running pod: by the eviction API, by preemption, by the kubelet under pressure, or by a taint with <code>NoExecute</code>.</td></tr><tr><td><strong>Gated</strong></td><td>A pod with <code>schedulingGates</code>: the scheduler does not look at it until all are removed.</td></tr><tr><td><strong>Lens</strong></td><td>The line above an object in the editor that shows what deploying it would do.</td></tr><tr><td><strong>Nomination</strong></td><td>The node for which a preempting pod waits while its victims terminate (<code>status.nominatedNodeName</code>).</td></tr><tr><td><strong>Pending</strong></td><td>A pod without a node.</td></tr><tr><td><strong>Preemption</strong></td><td>The scheduler deletes pods of lower priority so that a pending pod fits.</td></tr><tr><td><strong>PriorityClass</strong></td><td>Maps a name to a number. Higher numbers are scheduled first and may preempt lower ones.</td></tr><tr><td><strong>Scenario</strong></td><td>A cluster and events with times, in a file <code>*.podium.yaml</code>.</td></tr><tr><td><strong>Snapshot</strong></td><td>A file with the scheduling-relevant state of a cluster.</td></tr><tr><td><strong>Source</strong></td><td>Anything that turns files into manifests: a kustomization, a chart, an object of Flux or Argo CD.</td></tr><tr><td><strong>Target</strong></td><td>One of several alternatives of a source: an overlay, a values file, an environment.</td></tr><tr><td><strong>Unseen</strong></td><td>What could not be read or rendered. Every answer counts it.</td></tr><tr><td><strong>Victim</strong></td><td>A pod that is evicted so that another fits.</td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("glossary.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const glossary = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  glossary as default
};

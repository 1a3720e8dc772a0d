import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"pod-affinity-in-large-cluster","description":"","frontmatter":{},"headers":[],"relativePath":"rules/pod-affinity-in-large-cluster.md","filePath":"rules/pod-affinity-in-large-cluster.md"}');
const _sfc_main = { name: "rules/pod-affinity-in-large-cluster.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="pod-affinity-in-large-cluster" tabindex="-1">pod-affinity-in-large-cluster <a class="header-anchor" href="#pod-affinity-in-large-cluster" aria-label="Permalink to &quot;pod-affinity-in-large-cluster&quot;">​</a></h1><p>Affinity and anti-affinity between pods make the scheduler compare pods on all nodes, which slows it in a cluster of several hundred nodes. Said where 500 nodes or more are known, from the workspace or a snapshot.</p><p>Severity: hint.</p><h2 id="no-repair" tabindex="-1">No repair <a class="header-anchor" href="#no-repair" aria-label="Permalink to &quot;No repair&quot;">​</a></h2><p>What is to take its place depends on what is meant.</p><h2 id="what-kubernetes-says" tabindex="-1">What Kubernetes says <a class="header-anchor" href="#what-kubernetes-says" aria-label="Permalink to &quot;What Kubernetes says&quot;">​</a></h2><p>Nothing: scheduling takes longer. Its documentation does not recommend inter-pod affinity &quot;in clusters larger than several hundred nodes&quot;.</p><h2 id="what-to-do-instead" tabindex="-1">What to do instead <a class="header-anchor" href="#what-to-do-instead" aria-label="Permalink to &quot;What to do instead&quot;">​</a></h2><p>Topology spread constraints keep replicas apart, and node affinity keeps pods on some nodes, both for less.</p><h2 id="turning-it-off" tabindex="-1">Turning it off <a class="header-anchor" href="#turning-it-off" aria-label="Permalink to &quot;Turning it off&quot;">​</a></h2><p>For one line with <code># podium-disable-next-line pod-affinity-in-large-cluster</code> above it, for a document with <code># podium-disable pod-affinity-in-large-cluster</code> anywhere in it, or everywhere in the settings: <code>&quot;podium.rules.pod-affinity-in-large-cluster&quot;: &quot;off&quot;</code> (or <code>&quot;error&quot;</code>, <code>&quot;warning&quot;</code>, <code>&quot;information&quot;</code>, <code>&quot;hint&quot;</code>).</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("rules/pod-affinity-in-large-cluster.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const podAffinityInLargeCluster = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  podAffinityInLargeCluster as default
};

import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"unusable-snapshot","description":"","frontmatter":{},"headers":[],"relativePath":"rules/unusable-snapshot.md","filePath":"rules/unusable-snapshot.md"}');
const _sfc_main = { name: "rules/unusable-snapshot.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="unusable-snapshot" tabindex="-1">unusable-snapshot <a class="header-anchor" href="#unusable-snapshot" aria-label="Permalink to &quot;unusable-snapshot&quot;">​</a></h1><p>The file that <code>podium.cluster.snapshot</code> names is no cluster snapshot: it is empty, cannot be read, is over 1 GiB (YAML: 256 MiB), is cut off, holds an error text of <code>kubectl</code> or text that is not a Kubernetes object or a list of such. Podium does not use it; the report asks before it runs without it, and then lists its assumptions; <em>Run the simulation without the snapshot</em> among the repairs of the problem does so at once. On the command line (<code>--snapshot</code>) it ends with exit code 2.</p><p>Severity: error.</p><h2 id="no-repair" tabindex="-1">No repair <a class="header-anchor" href="#no-repair" aria-label="Permalink to &quot;No repair&quot;">​</a></h2><p>The simulation may be run without it; which snapshot is meant only the user knows.</p><h2 id="what-kubernetes-says" tabindex="-1">What Kubernetes says <a class="header-anchor" href="#what-kubernetes-says" aria-label="Permalink to &quot;What Kubernetes says&quot;">​</a></h2><p>Nothing. Write the snapshot again and look at what <code>kubectl</code> says: <code>kubectl get nodes,pods,priorityclasses,pdb -A -o yaml &gt; cluster.yaml</code>.</p><h2 id="turning-it-off" tabindex="-1">Turning it off <a class="header-anchor" href="#turning-it-off" aria-label="Permalink to &quot;Turning it off&quot;">​</a></h2><p>In the settings: <code>&quot;podium.rules.unusable-snapshot&quot;: &quot;off&quot;</code> (or <code>&quot;error&quot;</code>, <code>&quot;warning&quot;</code>, <code>&quot;information&quot;</code>, <code>&quot;hint&quot;</code>). The report and the status item still say so.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("rules/unusable-snapshot.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const unusableSnapshot = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  unusableSnapshot as default
};

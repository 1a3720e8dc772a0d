import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"file-too-large","description":"","frontmatter":{},"headers":[],"relativePath":"rules/file-too-large.md","filePath":"rules/file-too-large.md"}');
const _sfc_main = { name: "rules/file-too-large.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="file-too-large" tabindex="-1">file-too-large <a class="header-anchor" href="#file-too-large" aria-label="Permalink to &quot;file-too-large&quot;">​</a></h1><p>A file is larger than 5 MB. Podium does not read it while it is edited. A cluster snapshot (<code>podium.cluster.snapshot</code>) may be larger.</p><p>Severity: warning.</p><h2 id="no-repair" tabindex="-1">No repair <a class="header-anchor" href="#no-repair" aria-label="Permalink to &quot;No repair&quot;">​</a></h2><p>What can be left out only its author knows; a file that is no manifest is better kept elsewhere.</p><h2 id="what-kubernetes-says" tabindex="-1">What Kubernetes says <a class="header-anchor" href="#what-kubernetes-says" aria-label="Permalink to &quot;What Kubernetes says&quot;">​</a></h2><p>Nothing; <code>kubectl</code> reads it.</p><h2 id="turning-it-off" tabindex="-1">Turning it off <a class="header-anchor" href="#turning-it-off" aria-label="Permalink to &quot;Turning it off&quot;">​</a></h2><p>In the settings: <code>&quot;podium.rules.file-too-large&quot;: &quot;off&quot;</code> (or <code>&quot;error&quot;</code>, <code>&quot;warning&quot;</code>, <code>&quot;information&quot;</code>, <code>&quot;hint&quot;</code>).</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("rules/file-too-large.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const fileTooLarge = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  fileTooLarge as default
};

import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"too-many-documents","description":"","frontmatter":{},"headers":[],"relativePath":"rules/too-many-documents.md","filePath":"rules/too-many-documents.md"}');
const _sfc_main = { name: "rules/too-many-documents.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="too-many-documents" tabindex="-1">too-many-documents <a class="header-anchor" href="#too-many-documents" aria-label="Permalink to &quot;too-many-documents&quot;">​</a></h1><p>A file has more than 5,000 documents. Podium reads the first 5,000.</p><p>Severity: warning.</p><h2 id="no-repair" tabindex="-1">No repair <a class="header-anchor" href="#no-repair" aria-label="Permalink to &quot;No repair&quot;">​</a></h2><p>How the documents are parted among files is for their author to say.</p><h2 id="what-kubernetes-says" tabindex="-1">What Kubernetes says <a class="header-anchor" href="#what-kubernetes-says" aria-label="Permalink to &quot;What Kubernetes says&quot;">​</a></h2><p>Nothing; <code>kubectl</code> reads them all.</p><p>Several smaller files are also easier to review.</p><h2 id="turning-it-off" tabindex="-1">Turning it off <a class="header-anchor" href="#turning-it-off" aria-label="Permalink to &quot;Turning it off&quot;">​</a></h2><p>In the settings: <code>&quot;podium.rules.too-many-documents&quot;: &quot;off&quot;</code> (or <code>&quot;error&quot;</code>, <code>&quot;warning&quot;</code>, <code>&quot;information&quot;</code>, <code>&quot;hint&quot;</code>).</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("rules/too-many-documents.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const tooManyDocuments = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  tooManyDocuments as default
};

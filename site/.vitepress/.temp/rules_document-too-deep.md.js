import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"document-too-deep","description":"","frontmatter":{},"headers":[],"relativePath":"rules/document-too-deep.md","filePath":"rules/document-too-deep.md"}');
const _sfc_main = { name: "rules/document-too-deep.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="document-too-deep" tabindex="-1">document-too-deep <a class="header-anchor" href="#document-too-deep" aria-label="Permalink to &quot;document-too-deep&quot;">​</a></h1><p>A document is nested over 250 levels deep. Real manifests stay below 60. Podium leaves the document alone.</p><p>Severity: warning.</p><h2 id="no-repair" tabindex="-1">No repair <a class="header-anchor" href="#no-repair" aria-label="Permalink to &quot;No repair&quot;">​</a></h2><p>What makes it so deep has to be taken apart where it is written.</p><h2 id="what-kubernetes-says" tabindex="-1">What Kubernetes says <a class="header-anchor" href="#what-kubernetes-says" aria-label="Permalink to &quot;What Kubernetes says&quot;">​</a></h2><p>Nothing about the depth as such; reading it takes time and memory on every client.</p><h2 id="turning-it-off" tabindex="-1">Turning it off <a class="header-anchor" href="#turning-it-off" aria-label="Permalink to &quot;Turning it off&quot;">​</a></h2><p>In the settings: <code>&quot;podium.rules.document-too-deep&quot;: &quot;off&quot;</code> (or <code>&quot;error&quot;</code>, <code>&quot;warning&quot;</code>, <code>&quot;information&quot;</code>, <code>&quot;hint&quot;</code>).</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("rules/document-too-deep.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const documentTooDeep = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  documentTooDeep as default
};

import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"podium-failed","description":"","frontmatter":{},"headers":[],"relativePath":"rules/podium-failed.md","filePath":"rules/podium-failed.md"}');
const _sfc_main = { name: "rules/podium-failed.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="podium-failed" tabindex="-1">podium-failed <a class="header-anchor" href="#podium-failed" aria-label="Permalink to &quot;podium-failed&quot;">​</a></h1><p>Podium failed on a document, a file or a rule by a mistake of its own. The message says what it was about and how it failed; everything else is judged all the same. <code>podium check</code> exits with 1, as what failed was not checked. Please report the message with the document, or with the part of it that is enough to see the failure; the stack is in the log of the language server (<em>Podium: Show Logs</em>), or printed by the command line with <code>NODE_DEBUG=podium</code>.</p><p>Severity: error.</p><h2 id="no-repair" tabindex="-1">No repair <a class="header-anchor" href="#no-repair" aria-label="Permalink to &quot;No repair&quot;">​</a></h2><p>It is a mistake of Podium, not of the document.</p><h2 id="what-kubernetes-says" tabindex="-1">What Kubernetes says <a class="header-anchor" href="#what-kubernetes-says" aria-label="Permalink to &quot;What Kubernetes says&quot;">​</a></h2><p>Nothing: the document may be right.</p><h2 id="turning-it-off" tabindex="-1">Turning it off <a class="header-anchor" href="#turning-it-off" aria-label="Permalink to &quot;Turning it off&quot;">​</a></h2><p>In the settings: <code>&quot;podium.rules.podium-failed&quot;: &quot;off&quot;</code> (or <code>&quot;error&quot;</code>, <code>&quot;warning&quot;</code>, <code>&quot;information&quot;</code>, <code>&quot;hint&quot;</code>). What failed is still not judged.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("rules/podium-failed.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const podiumFailed = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  podiumFailed as default
};

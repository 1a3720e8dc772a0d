import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"unreadable-file","description":"","frontmatter":{},"headers":[],"relativePath":"rules/unreadable-file.md","filePath":"rules/unreadable-file.md"}');
const _sfc_main = { name: "rules/unreadable-file.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="unreadable-file" tabindex="-1">unreadable-file <a class="header-anchor" href="#unreadable-file" aria-label="Permalink to &quot;unreadable-file&quot;">​</a></h1><p>A file cannot be read: its permissions forbid it, its name or its text is not UTF-8 (UTF-16 with a byte order mark is read), or it is a named pipe or a device. <code>podium check</code> and the editor show it; the other files are checked all the same.</p><p>Severity: error.</p><h2 id="no-repair" tabindex="-1">No repair <a class="header-anchor" href="#no-repair" aria-label="Permalink to &quot;No repair&quot;">​</a></h2><p>It is a matter of the file, not of what is written in it.</p><h2 id="what-kubernetes-says" tabindex="-1">What Kubernetes says <a class="header-anchor" href="#what-kubernetes-says" aria-label="Permalink to &quot;What Kubernetes says&quot;">​</a></h2><p>Nothing; <code>kubectl</code> ends with the error of the operating system.</p><h2 id="turning-it-off" tabindex="-1">Turning it off <a class="header-anchor" href="#turning-it-off" aria-label="Permalink to &quot;Turning it off&quot;">​</a></h2><p>In the settings: <code>&quot;podium.rules.unreadable-file&quot;: &quot;off&quot;</code> (or <code>&quot;error&quot;</code>, <code>&quot;warning&quot;</code>, <code>&quot;information&quot;</code>, <code>&quot;hint&quot;</code>).</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("rules/unreadable-file.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const unreadableFile = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  unreadableFile as default
};

import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"For maintainers","description":"","frontmatter":{},"headers":[],"relativePath":"maintainers/index.md","filePath":"maintainers/README.md"}');
const _sfc_main = { name: "maintainers/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="for-maintainers" tabindex="-1">For maintainers <a class="header-anchor" href="#for-maintainers" aria-label="Permalink to &quot;For maintainers&quot;">​</a></h1><ul><li><a href="https://github.com/OWNER/podium/blob/main/ARCHITECTURE.md" target="_blank" rel="noreferrer">ARCHITECTURE.md</a> and <a href="https://github.com/OWNER/podium/blob/main/CONTRIBUTING.md" target="_blank" rel="noreferrer">CONTRIBUTING.md</a></li><li><a href="./requirements">Requirements</a>: the IDs that tests name</li><li><a href="./conformance">Conformance</a>: recorded decisions of the real components, and how many agree</li><li><a href="./over-time">The scheduler over time</a>: the modes of <code>dist/decide.mjs</code></li><li><a href="./performance">Performance</a>: figures and how to repeat them</li><li><a href="./languages">Languages</a>: what is translated</li><li><a href="https://github.com/OWNER/podium/blob/main/MAINTAINERS.md" target="_blank" rel="noreferrer">MAINTAINERS.md</a>, <a href="https://github.com/OWNER/podium/blob/main/SECURITY.md" target="_blank" rel="noreferrer">SECURITY.md</a> and the <a href="https://github.com/OWNER/podium/blob/main/CODE_OF_CONDUCT.md" target="_blank" rel="noreferrer">code of conduct</a></li><li><a href="./releasing">Releasing</a>: one-time setup, the steps of a release, and how users verify it</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("maintainers/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  README as default
};

import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Why does Karpenter create no node for my pod?","description":"","frontmatter":{},"headers":[],"relativePath":"answers/why-does-no-node-come.md","filePath":"answers/why-does-no-node-come.md"}');
const _sfc_main = { name: "answers/why-does-no-node-come.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="why-does-karpenter-create-no-node-for-my-pod" tabindex="-1">Why does Karpenter create no node for my pod? <a class="header-anchor" href="#why-does-karpenter-create-no-node-for-my-pod" aria-label="Permalink to &quot;Why does Karpenter create no node for my pod?&quot;">​</a></h1><p>The pod stays pending, and its events say <code>no instance type has enough resources, requirements=…</code> or <code>did not tolerate taint</code>, without naming a NodePool.</p><p><a href="https://github.com/OWNER/podium/blob/main/docs/answers/why-does-no-node-come.yaml" target="_blank" rel="noreferrer">why-does-no-node-come.yaml</a> has two NodePools and a Deployment that neither of them creates a node for. Podium reads NodePools, EC2NodeClasses, machine sets and node groups of eksctl as it reads Nodes, and answers for each in the words of Karpenter or Cluster Autoscaler:</p><div class="language-console vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">console</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">$ podium simulate docs/answers/why-does-no-node-come.yaml</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">report stays pending: it asks for 24 cpu and 48 Gi; the largest node it may use has 2 cpu and 4 Gi.</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Pending 1</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  ○ cpu and memory  1 pod  report</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           it asks for 24 cpu and 48 Gi; the largest node it may use has 2 cpu and 4</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           Gi; NodePool general makes no node: no instance type has enough</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           resources, requirements=karpenter.k8s.aws/ec2nodeclass In [default],</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           karpenter.k8s.aws/instance-category In [c m],</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           karpenter.k8s.aws/instance-generation Exists &gt;=6, karpenter.sh/nodepool</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           In [general], kubernetes.io/arch In [amd64],</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           resources={&quot;cpu&quot;:&quot;24&quot;,&quot;memory&quot;:&quot;48Gi&quot;,&quot;pods&quot;:&quot;1&quot;}; cpu: 0 of 16 used;</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           NodePool gpu makes no node: did not tolerate taint</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           (taint=nvidia.com/gpu:NoSchedule)</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    → no pod pending</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">      podium simulate docs/answers/why-does-no-node-come.yaml --what-if &#39;limit nodepool/general cpu=32&#39;</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">1 new pod = 0 scheduled + 1 pending.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Kubernetes 1.36. Depends on 2 known, 0 bounds, 3 assumed. More: --show</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">nodes,steps,timeline,pods,decisions,capacity,assumptions.</span></span></code></pre></div><p><code>general</code> is limited to 16 cpu, so that only instance types of up to 16 cpu are left, and none of them has 24: with 32 it creates a node. <code>gpu</code> would have one, behind a taint.</p><h2 id="what-to-know" tabindex="-1">What to know <a class="header-anchor" href="#what-to-know" aria-label="Permalink to &quot;What to know&quot;">​</a></h2><ul><li><strong>Preemption comes first.</strong> A pod that evicts others has a node, and no autoscaler creates one for it. The pods that it evicts are what ask for a new node.</li><li><strong>Labels.</strong> A requirement or a node selector that no instance type has refuses all of them: Podium reports misspelt labels in NodePools and in pods (<a href="./../rules/pool-unknown-label"><code>pool-unknown-label</code></a>).</li><li><strong>Limits</strong> count what the nodes of a pool have, not what pods request.</li><li><strong>DaemonSets</strong> take their share of each new node.</li><li><strong>Which instance type is bought</strong>, at what price, and whether it is available, is not known from files, and is not claimed.</li></ul><p><code>podium fit WORKLOAD PATH… --headroom</code> says how many placeholder pods keep a workload from evicting others, and <code>podium drain NODE PATH… --removable</code> says whether an autoscaler would remove a node: <a href="./../scenarios">scenarios</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("answers/why-does-no-node-come.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const whyDoesNoNodeCome = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  whyDoesNoNodeCome as default
};

import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Why is no device allocated?","description":"","frontmatter":{},"headers":[],"relativePath":"answers/why-is-no-device-allocated.md","filePath":"answers/why-is-no-device-allocated.md"}');
const _sfc_main = { name: "answers/why-is-no-device-allocated.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="why-is-no-device-allocated" tabindex="-1">Why is no device allocated? <a class="header-anchor" href="#why-is-no-device-allocated" aria-label="Permalink to &quot;Why is no device allocated?&quot;">​</a></h1><p>A pod that claims a GPU or another device (<code>resourceClaims</code>, dynamic resource allocation) stays pending with <code>cannot allocate all claims</code>. The line does not say which device was looked at, nor why it was not taken.</p><p><a href="https://github.com/OWNER/podium/blob/main/docs/answers/why-is-no-device-allocated.yaml" target="_blank" rel="noreferrer">why-is-no-device-allocated.yaml</a> has a node with two GPUs of 40 and 80 GiB, and a Deployment of two pods that each claim one of at least 80 GiB. Podium says of each device why it does not fit:</p><div class="language-console vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">console</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">$ podium simulate docs/answers/why-is-no-device-allocated.yaml --show nodes,decisions</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">train is placed on gpu-a; no pod is evicted; 1 pod stays pending.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">train finds no node: request gpu of big needs 1 device of class gpu.example.com, and gpu-a has none</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">that fits: gpu-0: memory 40Gi &lt; 80Gi; gpu-1: allocated to claim ml/train-5b6b8d9cf5-0-gpu.</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Pending 1</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  ○ devices  1 pod  train</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                    request gpu of big needs 1 device of class gpu.example.com, and gpu-a has none</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                    that fits: gpu-0: memory 40Gi &lt; 80Gi; gpu-1: allocated to claim</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                    ml/train-5b6b8d9cf5-0-gpu; priority never preempts for devices</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    → no pod pending</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">      podium simulate docs/answers/why-is-no-device-allocated.yaml --what-if &#39;add 1 node like gpu-a&#39;</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    → end pods that use claim ml/train-5b6b8d9cf5-0-gpu: a claim without pods gives its devices back</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Scheduled 1</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  + train  1 of 2  gpu-a at once · evicts no pod</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                   why gpu-a: the only node that fits</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">2 new pods = 1 scheduled + 1 pending.</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Nodes  requested of allocatable, at the end</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  gpu-a</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    cpu ██▌░░░░░░░░░░░░░░░░░ 1 of 8                 mem ▋░░░░░░░░░░░░░░░░░░░ 1 of 32 Gi</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    1 of 2 devices free at the end</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">      gpu-0: free · model a100, memory 40Gi</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">      gpu-1: train-0 (claim ml/train-5b6b8d9cf5-0-gpu) · model a100, memory 80Gi</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    + train-5b6b8d9cf5-0 (priority 0)</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">What does not run, and why  1 pod</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  train-5b6b8d9cf5-1 (priority 0)</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    nodes are available: 1 Preemption is not helpful for scheduling.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Kubernetes 1.36. Depends on 2 known, 0 bounds, 2 assumed. More: --show</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">steps,timeline,pods,capacity,assumptions.</span></span></code></pre></div><p>In VS Code a hover over <code>deviceClassName</code>, or over a selector in CEL, shows the devices that are there and what the selector says of each; problems in a selector are reported while it is typed.</p><h2 id="what-helps" tabindex="-1">What helps <a class="header-anchor" href="#what-helps" aria-label="Permalink to &quot;What helps&quot;">​</a></h2><ul><li><strong>A free device.</strong> A claim that no pod uses any more gives its devices back: delete the pod, or the claim that was made by hand.</li><li><strong>Another class or selector</strong>, where a device of it is free. Podium names the part of the selector that refuses each device.</li><li><strong>Another node</strong> with devices: <code>--what-if &#39;add 1 node like gpu-a&#39;</code> copies the ResourceSlices of the node, too.</li><li><strong>A higher priority does not help.</strong> kube-scheduler evicts no pod for its devices, up to Kubernetes 1.37. A workload that moves from <code>nvidia.com/gpu</code> of a device plugin to a claim loses preemption, and its quota no longer counts the device: the rule <a href="./../rules/claim-loses-preemption"><code>claim-loses-preemption</code></a> says so.</li></ul><h2 id="what-has-to-be-in-the-files" tabindex="-1">What has to be in the files <a class="header-anchor" href="#what-has-to-be-in-the-files" aria-label="Permalink to &quot;What has to be in the files&quot;">​</a></h2><p>Podium reads DeviceClasses, ResourceSlices, ResourceClaims and ResourceClaimTemplates from the workspace and from <a href="./../snapshots">a snapshot</a>. Drivers publish ResourceSlices in the cluster, so they are mostly in a snapshot only. Without any, no device is known, and the answer says so.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("answers/why-is-no-device-allocated.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const whyIsNoDeviceAllocated = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  whyIsNoDeviceAllocated as default
};

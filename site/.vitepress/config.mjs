/** The site of docs/: `npm run docs`. Pages are what the repository shows; nothing is written for the site alone. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig } from 'vitepress';
import { addresses, repositoryName } from '../../scripts/lib/addresses.mjs';

const root = resolve(import.meta.dirname, '../..');
const docs = join(root, 'docs');

/** The heading of a page. */
function titleOf(/** @type {string} */ path) {
  return /^# (.*)$/m.exec(readFileSync(join(docs, path), 'utf8'))?.[1]?.replaceAll('`', '') ?? path;
}

const item = (/** @type {string} */ path) => ({ text: titleOf(path), link: `/${path.replace(/\.md$/, '')}` });

/** The groups of docs/README.md, with the pages that each links to. */
function groups() {
  const [, ...sections] = readFileSync(join(docs, 'README.md'), 'utf8').split(/^## /m);
  return sections.map((section) => ({
    text: section.split('\n', 1)[0],
    items: [...section.matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, path = '']) =>
      item(path === 'maintainers/README.md' ? 'maintainers/README.md' : path),
    ),
  }));
}

const rules = readdirSync(join(docs, 'rules')).map((name) => ({
  text: name.replace(/\.md$/, ''),
  link: `/rules/${name.replace(/\.md$/, '')}`,
}));

export default defineConfig({
  srcDir: '../docs',
  outDir: '../.cache/site',
  cacheDir: '../.cache/vitepress',
  base: `/${repositoryName}/`,
  title: 'Podium',
  description: 'Kubernetes priorities, preemption and pending pods, explained before you apply.',
  cleanUrls: true,
  lastUpdated: false,
  rewrites: { 'README.md': 'index.md', 'maintainers/README.md': 'maintainers/index.md' },
  markdown: {
    config: (markdown) => {
      // Braces in templates are text, and no expressions of Vue.
      const escaped = (/** @type {string} */ text) => markdown.utils.escapeHtml(text).replaceAll('{{', '&#123;&#123;');
      markdown.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${escaped(tokens[index]?.content ?? '')}</code>`;
      markdown.renderer.rules.text = (tokens, index) => escaped(tokens[index]?.content ?? '');
      const open = markdown.renderer.rules.link_open;
      markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const token = tokens[index];
        const href = token?.attrGet('href') ?? '';
        // What lies outside of docs/ is in the repository.
        if (token !== undefined && /^(?!\w+:|#|\/)/.test(href)) {
          const [path = '', hash] = href.split('#');
          const place = resolve(dirname(join(docs, env.relativePath)), decodeURI(path));
          const isPage = place.startsWith(docs) && existsSync(place) && place.endsWith('.md');
          if (!isPage) {
            const inRepository = relative(root, place).replaceAll('\\', '/');
            token.attrSet(
              'href',
              `${addresses.repository}/blob/main/${inRepository}${hash === undefined ? '' : `#${hash}`}`,
            );
          }
        }
        return open === undefined ? self.renderToken(tokens, index, options) : open(tokens, index, options, env, self);
      };
    },
  },
  vite: {
    plugins: [
      {
        // Pages lie beside this folder, and its packages in it.
        name: 'packages-of-the-site',
        enforce: 'pre',
        resolveId(source, importer) {
          if (!/^vue(?:$|\/)/.test(source) || importer?.startsWith(docs) !== true) return null;
          return this.resolve(source, join(root, 'site/package.json'), { skipSelf: true });
        },
      },
    ],
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Get started', link: '/getting-started' },
      { text: 'Rules', link: '/rules' },
      { text: 'Marketplace', link: addresses.marketplace },
    ],
    sidebar: { '/rules/': [{ text: 'Rules', link: '/rules', items: rules }], '/': groups() },
    socialLinks: [{ icon: 'github', link: addresses.repository }],
    editLink: { pattern: `${addresses.repository}/edit/main/docs/:path` },
  },
});

import { readFileSync } from 'node:fs';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { renderPlainly } from './markdown';
import { searchOptions } from './search';
import { playgroundVite, withPolicy } from './playground';

interface Navigation {
  readonly nav: DefaultTheme.NavItem[];
  readonly sidebar: DefaultTheme.SidebarMulti;
}

const navigation = JSON.parse(
  readFileSync(new URL('../.generated/navigation.json', import.meta.url), 'utf8'),
) as Navigation;

export default defineConfig({
  title: 'Assize',
  description: 'Ranks any list by a YAML profile, and explains every score.',
  lang: 'en',
  srcDir: '.generated/pages',
  outDir: 'dist',
  cacheDir: '.generated/cache',
  metaChunk: true, // the navigation is in one file, and not in each page
  // A static host needs no rule for addresses that end in .html.
  cleanUrls: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  vite: { ...playgroundVite, build: { chunkSizeWarningLimit: 4000 } }, // the index of the search is loaded when someone searches
  transformHtml: withPolicy,
  transformHead: ({ pageData }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: `./${pageData.relativePath.split('/').at(-1)}` }],
  ],
  markdown: {
    html: false,
    linkify: false,
    attrs: { disable: true },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: renderPlainly,
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .trim()
          .replaceAll(' ', '-'),
    },
  },
  themeConfig: {
    nav: [...navigation.nav, { text: 'Playground', link: '/playground' }],
    sidebar: navigation.sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: searchOptions },
  },
});

import type { DefaultTheme } from 'vitepress';

type MiniSearch = NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>;

/** The search, when its index is built and in the page. */
const miniSearch: MiniSearch = {
  options: {
    // `min_score` is one word, and `select.min_score` has it as well.
    tokenize: (text) =>
      text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => [word, ...(/._./.test(word) ? word.split('_') : [])]),
  },
  searchOptions: { fuzzy: 0.1, prefix: true, boost: { title: 6, text: 2, titles: 1 } },
};

/**
 * The options of the search for the configuration. VitePress would write their function into each page as text and
 * evaluate it, which the policy of the site forbids. It skips what is not enumerable; the theme adds it in the page.
 */
export const searchOptions: DefaultTheme.LocalSearchOptions = Object.defineProperty({}, 'miniSearch', {
  value: miniSearch,
});

/** The configuration of the theme in a page, with the search. */
export const withSearch = (themeConfig: DefaultTheme.Config): DefaultTheme.Config => ({
  ...themeConfig,
  search: { provider: 'local', options: { miniSearch } },
});

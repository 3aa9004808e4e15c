import { type Theme, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineAsyncComponent, defineComponent, h, onMounted, ref, watchPostEffect } from 'vue';
import { withSearch } from '../search';
import { useOpenInPlayground } from './open-in-playground';
import './style.css'; // oxlint-disable-line import/no-unassigned-import -- VitePress bundles it

/** The home page of the default theme has no main landmark. */
function useMainLandmark(): void {
  const { frontmatter } = useData();
  onMounted(() => {
    watchPostEffect(() => {
      const content = document.querySelector('#VPContent');
      if (frontmatter.value['layout'] === 'home') content?.setAttribute('role', 'main');
      else content?.removeAttribute('role');
    });
  });
}

/** The playground needs a browser: the page that is rendered beforehand is empty. */
const Playground = defineComponent(() => {
  const Client = defineAsyncComponent(() => import('../../playground/page/Playground.vue'));
  const isMounted = ref(false);
  onMounted(() => (isMounted.value = true));
  return () => (isMounted.value ? h(Client) : h('main', { class: 'playground' }, [h('h1', 'Playground')]));
});

function setup(): void {
  useMainLandmark();
  useOpenInPlayground();
}

/** The default theme with the fonts of the system. A page with a component of its own names it as its `layout`. */
const theme: Theme = {
  extends: DefaultTheme,
  setup,
  enhanceApp: ({ app, siteData }) => {
    app.component('playground', Playground);
    siteData.value = { ...siteData.value, themeConfig: withSearch(siteData.value.themeConfig) };
  },
};

export default theme;

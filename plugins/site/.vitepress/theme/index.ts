import { type Theme, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { onMounted, watchPostEffect } from 'vue';
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

/** The default theme with the fonts of the system. A page with a component of its own names it as its `layout`. */
const theme: Theme = { extends: DefaultTheme, setup: useMainLandmark };

export default theme;

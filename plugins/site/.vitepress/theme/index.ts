import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

/** The default theme with the fonts of the system. A page with a component of its own names it as its `layout`. */
const theme: Theme = { extends: DefaultTheme };

export default theme;

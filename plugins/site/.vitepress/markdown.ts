import type { MarkdownRenderer } from 'vitepress';

/** Vue would evaluate what is in double braces. */
const withoutInterpolation = (html: string): string => html.replaceAll('{{', '&#123;&#123;');

/** Renders Markdown as GitHub does: text is text, and a block of code shows the name of its file. */
export function renderPlainly(md: MarkdownRenderer): void {
  const { fence, text, code_inline: code } = md.renderer.rules;
  md.renderer.rules['text'] = (...args) => withoutInterpolation(text?.(...args) ?? '');
  md.renderer.rules['code_inline'] = (...args) => withoutInterpolation(code?.(...args) ?? '');
  // An empty heading of a column is a cell.
  md.renderer.rules['th_open'] = (tokens, index, options, _, renderer) => {
    const [open, content, close] = tokens.slice(index, index + 3);
    if (open && close && content?.content === '') open.tag = close.tag = 'td';
    return renderer.renderToken(tokens, index, options);
  };
  md.renderer.rules['fence'] = (tokens, index, ...rest) => {
    const token = tokens[index];
    const [, language, file] = /^(\w+) (\S+)$/.exec(token?.info.trim() ?? '') ?? [];
    if (token === undefined || language === undefined || file === undefined)
      return fence?.(tokens, index, ...rest) ?? '';
    token.info = language;
    const name = md.utils.escapeHtml(file);
    return `<div class="named-code"><p class="file-name">${name}</p>${fence?.(tokens, index, ...rest) ?? ''}</div>`;
  };
}

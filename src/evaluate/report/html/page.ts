/** A text in HTML: nothing in it is markup. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A table with a caption; the first cell of a row names it. */
export function tableHtml(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): string {
  const kind = (k: number): string => (numbers.includes(k) ? ' class="number"' : '');
  const head = heads.map((text, k) => `<th scope="col"${kind(k)}>${escapeHtml(text)}</th>`).join('');
  const body = rows.map(
    ([first = '', ...cells]) =>
      `<tr><th scope="row">${escapeHtml(first)}</th>${cells.map((cell, k) => `<td${kind(k + 1)}>${escapeHtml(cell)}</td>`).join('')}</tr>`,
  );
  return `<div class="table" tabindex="0" role="region" aria-label="${escapeHtml(caption)}"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

export const figure = (svg: string): string => `<figure>${svg}</figure>`;

export const section = (title: string, ...parts: readonly string[]): string =>
  `<section><h2>${escapeHtml(title)}</h2>\n${parts.join('\n')}\n</section>`;

const STYLE = `:root { color-scheme: light dark; --ink: #1f2328; --paper: #fff; --line: #d5d9de; --muted: #59636e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --paper: #16191d; --line: #3a4047; --muted: #a2abb5; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
.table { overflow-x: auto; } table { border-collapse: collapse; margin: 1rem 0; }
caption { text-align: left; color: var(--muted); padding-bottom: .4rem; }
th, td { text-align: left; padding: .25rem 1.2rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: normal; }
td { white-space: pre-line; } thead th { font-weight: 600; } .number { font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1rem 0; overflow-x: auto; } svg { max-width: 100%; height: auto; }
footer { color: var(--muted); margin-top: 3rem; border-top: 1px solid var(--line); }`;

/** A page that needs nothing from elsewhere. */
export const page = (title: string, lead: string, sections: readonly string[], foot: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(lead)}</p>
${sections.join('\n')}
</main>
<footer><p>${escapeHtml(foot)}</p></footer>
</body>
</html>
`;

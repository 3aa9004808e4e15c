/** The text between the markers of a name, without them; undefined without them. */
const pattern = (name: string): RegExp => new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- end -->)`);

/**
 * A document with a generated part between its markers. Without markers, it goes to the end of the section with that
 * heading, or into a new section at the end.
 */
export function withBlock(document: string, name: string, generated: string, heading: string): string {
  const block = `<!-- ${name} -->\n\n${generated}\n\n<!-- end -->`;
  if (pattern(name).test(document)) return document.replace(pattern(name), () => block);
  const start = document.indexOf(`\n${heading}\n`);
  if (start < 0) return `${document.trimEnd()}\n\n${heading}\n\n${block}\n`;
  const next = document.indexOf('\n## ', start + heading.length);
  const end = next < 0 ? document.length : next;
  return `${document.slice(0, end).trimEnd()}\n\n${block}\n${document.slice(end)}`;
}

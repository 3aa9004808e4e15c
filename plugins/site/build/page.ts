/** A page of the site, as its table lists it. */
export interface PageSpec {
  /** Its path in the site, without an extension: `guide/install`. */
  readonly route: string;
  /** Its name in the navigation. */
  readonly title: string;
  /**
   * What it shows, in order. `path/README.md` is the file without the sections that other pages show;
   * `path/README.md#Heading` is one of its sections; another file, such as a preset, is a block of code.
   */
  readonly parts: readonly string[];
  /** Files or sections that the page replaces, as in `parts`: links to them lead here. */
  readonly replaces?: readonly string[];
  /** Whether it lists the sections of its file that are pages of their own. */
  readonly listsSections?: boolean;
}

/** Pages under one heading of the sidebar. */
export interface PageGroup {
  readonly title: string;
  readonly pages: readonly PageSpec[];
  /**
   * The folder of its pages, below that of the section, if these have a sidebar of their own. The sidebar of the section
   * shows only the first page.
   */
  readonly apart?: string;
}

/** A part of the site, with a sidebar of its own. */
export interface SiteSection {
  readonly title: string;
  /** The first part of the routes of its pages. */
  readonly folder: string;
  readonly groups: readonly PageGroup[];
}

/** A page of the site, as it is written. */
export interface Page {
  readonly route: string;
  readonly title: string;
  /** Its Markdown, with links relative to its route. */
  readonly text: string;
  /** Its first sentence, without links; empty if it starts with something else. */
  readonly description: string;
}

/**
 * What the page shows only when a user opens it: one file, which a browser loads after the first list is on screen.
 *
 * @module
 */
export { EditDialog } from './add/edit-dialog.js';
export { HistoryPanel } from './beside/history-panel.js';
export { SideBySide } from './beside/side-by-side.js';
export { ReviewDialog } from './changes/review-dialog.js';
export { FindWeights } from './find/find-weights.js';
export { FiltersPanel } from './list/filters-panel.js';
export { ItemDrawer } from './why/item-drawer.js';

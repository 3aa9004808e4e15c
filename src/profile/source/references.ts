/** Whether a reference to a profile is a path: it has a slash, consists of dots, or ends as a profile's file does. */
export const isProfilePath = (ref: string): boolean => /[\\/]|^\.+$|\.(ya?ml|json)$/.test(ref);

/** A path from the root, of any system: a profile may be written on one and read on another. */
const FROM_ROOT = /^(?:[\\/]|[A-Za-z]:[\\/])/;

/** Whether a line of `plugins` names a file, and no package. */
export const isFileSpec = (spec: string): boolean =>
  /^\.{1,2}[\\/]/.test(spec) || FROM_ROOT.test(spec) || /\.[cm]?[jt]s$/.test(spec);

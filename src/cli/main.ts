#!/usr/bin/env node
/**
 * The command `assize`.
 *
 * @module
 */
import module from 'node:module';

// From 22.8 on, Node can keep compiled code in the folder for temporary files, but only that of modules that it loads
// after this call. It obeys NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE, and returns if it cannot write.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') module.enableCompileCache();

void import('./run-process.js');

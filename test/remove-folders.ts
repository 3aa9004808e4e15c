import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './temporary-folder.js';

// Set up before each test file, so that this runs after every other hook of the file.
afterAll(removeTemporaryFolders);

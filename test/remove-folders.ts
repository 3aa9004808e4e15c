import { afterAll } from 'vitest';
import { removeTemporaryFolders } from './temporary-folder.js';

// Registered before each test file, so that it runs after every other hook of the file.
afterAll(removeTemporaryFolders);

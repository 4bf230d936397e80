import type { ReferenceOptions } from './options.js';
import { serveStdio } from './stdio.js';

serveStdio(JSON.parse(process.argv[2] ?? '{}') as ReferenceOptions);

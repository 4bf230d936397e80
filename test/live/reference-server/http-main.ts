import { startReference } from './http.js';
import type { ReferenceOptions } from './options.js';

/** Usage: http-main.js <options> <port>. SIGTERM ends it gracefully. */
const [options = '{}', port = '0'] = process.argv.slice(2);
const running = await startReference(JSON.parse(options) as ReferenceOptions, Number(port));
console.log(running.url);
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));

/** The one place where the machine meets the knowledge. Loaded on demand: it brings the parsers with it. */
export { checks, knowledge } from '../../transforms/index.js';

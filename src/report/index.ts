export { json } from './json.js';
export { PLAIN, type PrettyOptions } from './pretty/options.js';
export { prettyScan } from './pretty/scan.js';
export { prettyMigrate } from './pretty/migrate.js';
export { prettyVerify } from './pretty/verify.js';
export { junitVerify } from './verify/junit.js';
export { markdownVerify } from './verify/markdown.js';
export { prettyRule, prettyRules, type ConcernText, type RuleCard } from './pretty/rule.js';
export { safeJson, shellWord, visible, visibleLines } from './text/escape.js';

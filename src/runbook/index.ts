export { buildRunbook } from './build.js';
export type { RunbookOptions } from './context.js';
export {
  addDays,
  brokenPromises,
  checkDates,
  checkDatesAgainst,
  dayOf,
  hintsOf,
  MINIMUM_WINDOW_DAYS,
  promisesIn,
  type DateProblem,
  type DateRequest,
} from './dates.js';
export { deprecationOf, DEPRECATIONS, type Deprecation } from './deprecations.js';
export { renderPullRequest, renderRunbook, type RunbookDocument } from './documents.js';
export { renderFleetRunbook, type FleetMember, type FleetPlan } from './fleet.js';
export { fileHeader, refusesOverwrite } from './header.js';
export { renderPage } from './html.js';
export { HardRejectError, violationsOf } from './honesty.js';
export { CatalogueError, type Catalogue } from './messages.js';
export { TemplateError, type TemplatePort } from './render.js';

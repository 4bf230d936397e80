// Words that say what a store, a check or a function is there for, in any language.

/** Limits and permissions. */
export const POLICY =
  /quota|rate.?limit|limiter|throttl|budget|allow.?list|deny.?list|block.?list|banned|blocked|denied|suspended|permission|attempts?|calls?.?(count|used|left|made)|hits|window/i;
/** Members of an entry that begin a new period of a limit. */
export const PERIOD = /\b(?:resets?_?at|reset_?time|window_?(?:start|end)\w*|(?:last_?)?refill\w*)\b/i;
/** Credentials and identities. */
export const CREDENTIAL = /token|credential|auth|bearer|api.?key|jwt|login|principal|identit|password|secret/i;
/** What must be closed. */
export const RESOURCE =
  /browser|page|playwright|puppeteer|chromium|child|process|spawn|socket|websocket|connection|pool|container|sandbox|watcher|terminal|pty|interval|timer/i;
/** Counters and lists of a product may carry such words too; a weak word needs the type or the stored value to say it as well. */
export const RESOURCE_TYPE =
  /\b(Browser|BrowserContext|Page|ChildProcess\w*|WebSocket|Socket|Client|Pool|PoolClient|Connection|Container|FSWatcher|IPty|Worker|SSHClient|Timeout|Timer)\b/;
/** An answer to somebody who asks too often. */
export const LIMITS = /\b429\b|rate.?limit|too.?many|quota|throttl/i;
/** An answer to somebody who may not. */
export const REFUSES = /\b40[13]\b|forbidden|unauthori[sz]ed/i;

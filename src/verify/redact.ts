import type { Exchange } from '../core/verify-report.js';
import type { Answer } from './answer.js';

const SECRET_HEADER = /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|api-key|x-auth-token)$/i;
const SECRET_MEMBER = /("(?:access_token|refresh_token|id_token|client_secret|password|api_?key|secret)"\s*:\s*")[^"]*(")/gi;
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/g;
/** Secrets in addresses and command lines: by the name of the parameter or option, and before an @. */
const SECRET_QUERY = /([?&](?:access_token|auth|token|api[_-]?key|key|secret|password|sig|signature|code)=)[^&#\s"]+/gi;
const SECRET_OPTION = /(--?(?:[a-z-]*(?:token|api-?key|secret|password|credential)[a-z-]*)[= ])(?!-)\S+/gi;
const USER_INFO = /(\w:\/\/)[^/@\s"]+@/g;
/** Evidence keeps this many characters of a body. */
const KEPT = 4000;

/** Turns answers into evidence: secrets out, control characters visible, long texts cut. */
export class Evidence {
  private readonly secrets: readonly string[];

  /** @param secrets values that must never appear: tokens and the values of extra headers that the user gave */
  constructor(secrets: readonly (string | undefined)[]) {
    this.secrets = secrets.filter((secret): secret is string => secret !== undefined && secret.length >= 4);
  }

  /** A text that may be shown. */
  text(raw: string): string {
    let text = raw.length > KEPT ? `${raw.slice(0, KEPT)}… (${String(raw.length)} characters)` : raw;
    for (const secret of this.secrets) text = text.replaceAll(secret, '[redacted]');
    text = text
      .replace(SECRET_MEMBER, '$1[redacted]$2')
      .replace(BEARER, '$1 [redacted]')
      .replace(SECRET_QUERY, '$1[redacted]')
      .replace(USER_INFO, '$1[redacted]@');
    // eslint-disable-next-line no-control-regex -- control characters of a hostile peer must not reach a terminal
    return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) =>
      character === '\r' ? '' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
  }

  /** A command line that may be shown: also without the values of options that are named like secrets. */
  command(raw: string): string {
    return this.text(raw).replace(SECRET_OPTION, '$1[redacted]');
  }

  headers(raw: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, SECRET_HEADER.test(name) ? '[redacted]' : this.text(value)]));
  }

  /** Request and answer of one exchange. */
  exchange(answer: Answer): Exchange {
    const { sent } = answer;
    const url = new URL(sent.url, 'stdio:///');
    if (url.username || url.password) [url.username, url.password] = ['redacted', ''];
    return {
      request: {
        verb: sent.verb,
        url: sent.verb === 'LINE' ? this.command(sent.url) : this.text(url.href),
        headers: this.headers(sent.headers),
        ...(sent.body === undefined ? {} : { body: this.text(sent.body) }),
      },
      ...(answer.silent && answer.body === ''
        ? {}
        : {
            answer: { ...(answer.status === undefined ? {} : { status: answer.status }), headers: this.headers(answer.header), body: this.text(answer.body) },
          }),
      ...(answer.problem ? { problem: this.text(answer.problem.text) } : {}),
      milliseconds: answer.milliseconds,
    };
  }
}

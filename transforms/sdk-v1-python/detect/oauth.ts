import { argumentsOf, calledName } from '../../../src/languages/python/index.js';
import { nodesOf } from '../../_mcp/python/nodes.js';
import { sdkPaths } from '../../_mcp/python/paths.js';
import type { Scene } from './scene.js';

/** Providers of OAuth for clients: arguments that went or moved, and what the callback returns. */
export function detectOAuth({ file, say }: Scene): void {
  for (const call of nodesOf(file, 'call')) {
    const callee = call.get('function');
    if (calledName(call, file) === 'isinstance') {
      const type = argumentsOf(call, file).positional[1];
      if (type && sdkPaths(type, file).some((each) => each.endsWith('.OAuthClientMetadata')))
        say('oauth-client', call, {
          form: '`isinstance(…, OAuthClientMetadata)`',
          advice: 'A registered client is an `OAuthClientInformationFull` in SDK v2, which no longer derives from it.',
        });
    }
    const path = callee && sdkPaths(callee, file).find((each) => /^mcp\.client\.auth\b/.test(each));
    if (path === undefined) continue;
    const args = argumentsOf(call, file);
    const last = path.slice(path.lastIndexOf('.') + 1);
    if (last === 'OAuthClientProvider') {
      const handler = args.keyword('callback_handler')?.node ?? args.positional[4];
      if (handler)
        say('oauth-client', handler, {
          form: 'the callback that returns code and state',
          advice: 'Return `AuthorizationCodeResult(code=, state=, iss=)`, and pass `iss` on.',
        });
      const timeout = args.keyword('timeout')?.node;
      if (timeout) say('oauth-client', timeout, { form: '`timeout=`', advice: 'Drop it; both majors work without.' });
      const sixth = args.positional[5];
      if (sixth) say('positional-argument', sixth, { names: 'the sixth argument of `OAuthClientProvider`' });
    } else if (last === 'RFC7523OAuthClientProvider' || last === 'JWTParameters') {
      say('oauth-client', callee ?? call, {
        form: `\`${last}\``,
        advice:
          'Take the provider of the flow that is meant: `ClientCredentialsOAuthProvider`, `PrivateKeyJWTOAuthProvider`, or a provider of your own for an assertion of the user.',
      });
    } else if (/^(?:ClientCredentials|PrivateKeyJWT)OAuthProvider$/.test(last)) {
      const scopes = args.keyword('scopes')?.node;
      if (scopes) say('oauth-client', scopes, { form: '`scopes=`', advice: 'Write `scope=`.' });
    }
  }
}

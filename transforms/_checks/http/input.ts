import type { Assertion } from '../../../src/core/check-step.js';
import type { Check } from '../../../src/core/check.js';
import { call, code, echoesId, noResult, should, status, step } from '../phrases.js';

const common = { era: 'modern', transport: 'http', class: 'quick', needs: ['modern'], level: 'must' } as const;

const FORGERIES = ['forged', '{kept.state}x', 'x{kept.state}'];
const forged = call('state', { capabilities: '{everything}', params: { inputResponses: '{?state.input.answers}', requestState: '{each}' } });
const refusesState: readonly Assertion[] = [echoesId, { at: 'error.code', typeOf: 'integer' }, noResult, { at: 'error.code', not: -32603, level: 'should' }];

/** Input in several rounds: CK-H63 to CK-H65. */
export const input: readonly Check[] = [
  {
    ...common,
    id: 'CK-H63',
    title: 'A retry with the answers completes, on any instance',
    spec: 'basic/patterns/mrtr#client-requirements-basic-workflow',
    requirements: ['MRTR-04', 'MRTR-09', 'MRTR-10', 'CACHE-03'],
    failure: 'The answers to an input request do not reach the tool.',
    needs: ['modern', 'eliciting-tool'],
    alone: true,
    steps: [
      { probe: 'rounds' },
      { probe: 'rounds', with: { alternate: true }, when: ['replica'] },
      { probe: 'rounds', with: { restart: true }, when: ['control.restart'] },
      { probe: 'rounds', with: { decline: true } },
    ],
  },
  {
    ...common,
    id: 'CK-H64',
    title: 'A forged requestState is an error',
    spec: 'basic/patterns/mrtr#server-requirements-basic-workflow',
    requirements: ['MRTR-06', 'MRTR-07'],
    failure: 'A client can write its own state and have it believed.',
    needs: ['modern', 'state-tool'],
    steps: [
      step(call('state', { capabilities: '{everything}', keep: { state: 'result.requestState' } }), [[{ at: 'result.requestState', typeOf: 'string' }]]),
      step(
        call('state', {
          capabilities: '{everything}',
          params: { inputResponses: '{?state.input.answers}', requestState: '{kept.state}' },
          keep: { genuine: 'result.content' },
        }),
        [[]],
      ),
      step(forged, [refusesState], { each: FORGERIES, when: ['!kept.genuine'] }),
      // A state that changes nothing need not be protected: the forged one then gives what the genuine one gives.
      step(forged, [refusesState, [echoesId, { at: 'result.content', is: '{kept.genuine}' }, should(noResult)]], { each: FORGERIES, when: ['kept.genuine'] }),
    ],
  },
  {
    ...common,
    id: 'CK-H65',
    title: 'Odd answers are asked for again; undeclared input is never asked for',
    spec: 'basic/patterns/mrtr#error-handling',
    requirements: ['MRTR-01', 'MRTR-03', 'MRTR-08'],
    failure: 'The server asks for what the client cannot give, or in the wrong place.',
    steps: [
      step(
        call('eliciting', { capabilities: '{everything}', params: { inputResponses: { unknown_key: { action: 'accept', content: {} } } } }),
        [[echoesId, { at: 'result.resultType', is: 'input_required', level: 'should' }]],
        { when: ['eliciting.input'] },
      ),
      step(
        call('eliciting'),
        [
          [status(400), code(-32021)],
          [status(200), { at: 'result.inputRequests[*]', count: 0 }, { at: 'result', typeOf: 'object' }],
        ],
        { when: ['eliciting.input'] },
      ),
      step(
        { method: '{each}', capabilities: '{everything}' },
        [
          [
            { at: 'result', typeOf: 'object' },
            { at: 'result.resultType', not: 'input_required' },
          ],
        ],
        { each: 'lists', when: ['eliciting.input'] },
      ),
    ],
  },
];

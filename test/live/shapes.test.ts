import { describe, expect, it } from 'vitest';
import { proveShape } from './prove-shape.js';
import { SHAPES } from './shapes.js';

const quick = SHAPES.filter((shape) => shape.quick);

describe('legacy servers are migrated without a hand edit and speak to clients of both eras', () => {
  for (const shape of quick) {
    // One shape goes through both lanes, the others through their last; `npm run live:all` has them all.
    const lanes = shape.lanes.filter((lane) => lane === 'stateless' || lane === 'sessionful');
    for (const lane of shape === quick[0] ? lanes : lanes.slice(-1)) {
      it(`${shape.name}, ${lane} lane`, async () => {
        const proof = await proveShape(shape, { lane, milestone: 'all', whole: false, compilers: lane === 'stateless' ? ['5.9', '6.0'] : ['6.0'] });
        const failed = proof.steps.filter((step) => !step.ok).map((step) => `${step.name}: ${step.detail}`);
        expect(failed.join('\n\n')).toBe('');
      });
    }
  }
});

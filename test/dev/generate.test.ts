import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { replaceBlock } from '../../src/dev/generate/block.js';
import { renderSchemas } from '../../src/dev/generate/schemas.js';

describe('generated blocks', () => {
  const text = 'Before.\n\n<!-- generated: table -->\n\nold\n\n<!-- end: table -->\n\nAfter.\n';

  it('replaces what stands between the markers, and nothing else', () => {
    expect(replaceBlock(text, 'table', 'new\n')).toBe(text.replace('old', 'new'));
  });

  it('is stable', () => {
    const once = replaceBlock(text, 'table', 'new');
    expect(replaceBlock(once, 'table', 'new')).toBe(once);
  });

  it('says which markers are missing', () => {
    expect(() => replaceBlock(text, 'picture', 'new')).toThrow('<!-- generated: picture -->');
  });
});

describe('published schemas', () => {
  const schemas = renderSchemas().map(({ path, text }) => ({ path, schema: JSON.parse(text) as Record<string, unknown> }));

  it.each(schemas)('$path compiles, with an id that carries the version', ({ schema }) => {
    expect(schema.$id).toMatch(/^urn:unsession:schema:[a-z-]+:1$/);
    expect(() => new Ajv2020({ strict: false }).compile(schema)).not.toThrow();
  });

  it.each(schemas)('$path refuses what is not a result', ({ schema }) => {
    const validate = new Ajv2020({ strict: false }).compile(schema);
    expect(validate({ schemaVersion: '1' })).toBe(false);
    expect(validate([])).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { blocksOf } from '../../../transforms/sticky-routing/blocks.js';

describe('blocks in braces', () => {
  it('knows heads, nesting and ranges', () => {
    const text = 'http {\n  upstream mcp {\n    ip_hash;\n  }\n  server { location /mcp { proxy_pass http://mcp; } }\n}\n';
    const blocks = blocksOf(text, 'hash');
    expect(blocks.map((block) => block.words.join(' '))).toEqual(['http', 'upstream mcp', 'server', 'location /mcp']);
    expect(text.slice(blocks[1]?.start, blocks[1]?.end)).toBe('upstream mcp {\n    ip_hash;\n  }');
    expect(blocks[0]?.own.trim()).toBe('');
    expect(blocks[1]?.own).toContain('ip_hash;');
  });

  it('leaves out comments, and strings that look like them', () => {
    const [block] = blocksOf('upstream mcp {\n  # ip_hash;\n  set $a "# not a comment {"; // real\n  hash $b;\n}\n', 'hash');
    expect(block?.own).not.toContain('ip_hash');
    expect(block?.own).toContain('hash $b;');
    expect(block?.own).toContain('not a comment');
  });

  it('reads heads of Terraform, where lines are not ended by semicolons', () => {
    const blocks = blocksOf(
      'resource "aws_lb_target_group" "mcp" {\n  port = 80\n  name = "x-${var.stage}"\n  stickiness {\n    enabled = true\n  }\n}\n',
      'slashes',
    );
    expect(blocks.map((block) => block.words[0])).toEqual(['resource', 'stickiness']);
  });

  it('takes stars behind a slash for a comment only where they begin one', () => {
    expect(blocksOf('handle /mcp/* {\n  respond ok\n}\n', 'hash')).toHaveLength(1);
    expect(blocksOf('/* resource "a" "b" {\n} */\n', 'slashes')).toHaveLength(0);
  });

  it('takes a brace on a line of its own, and survives unbalanced ones', () => {
    expect(blocksOf('upstream mcp\n{\n  ip_hash;\n}\n', 'hash').map((block) => block.words.join(' '))).toEqual(['upstream mcp']);
    expect(blocksOf('server {\n  location /mcp {\n', 'hash')).toHaveLength(2);
    expect(blocksOf('}\n}\nserver { }', 'hash')).toHaveLength(1);
  });
});
